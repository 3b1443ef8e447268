// What to measure: the options whose values are combined, each with each.

import ArgumentParser
import SlitScan

/// The pictures, and how they are scanned.
struct BenchGrid: ParsableArguments {
  @Option(help: "Maps: rows, columns and diagonal are linear; random has a value for each pixel.")
  var maps = [Listed<BenchMap>(.rows, .columns, .radial, .random)]

  @Option(help: "Video formats.")
  var formats = [Listed<FrameFormat>(.i420)]

  @OptionGroup var pictures: SizeOptions

  @Option(
    help: ArgumentHelp(
      "Frames of history. (default: 120; with --plot, others too)", valueName: "frames"))
  var depths: [Listed<Int>] = []

  @Option(
    help: "What to show of delays between two frames. (default: both; with --plot, nearest)")
  var interpolations: [Listed<BenchInterpolation>] = []

  @Option(help: ArgumentHelp("Threads of the effect; 0 is one for each core.", valueName: "number"))
  var threads = [Listed(1)]

  func validate() throws {
    for depth in depths.flattened() {
      try BenchRange.check(depth, "--depths", 1...ScanSettings.deepest)
    }
    for count in threads.flattened() { try BenchRange.check(count, "--threads", 0...1024) }
  }

  /// All combinations, each map next to the others.
  func cases(modes: [BenchMode]) -> [BenchCase] {
    let pairs = chosenSizes.flatMap { size in chosenDepths.map { (size: size, depth: $0) } }
    return cases(
      modes: modes, pairs: pairs, interpolations: interpolations.chosen(else: .nearest, .linear))
  }

  /// The sizes to measure.
  var chosenSizes: [PictureSize] { pictures.chosen }

  /// The depths to measure.
  var chosenDepths: [Int] { depths.chosen(else: 120) }

  /// Combinations for two series: all sizes at the first depth, and all depths at the first size.
  func series(modes: [BenchMode]) -> (sizes: [BenchCase], depths: [BenchCase]) {
    let sizes = pictures.sizes.chosen(
      else: .fullHD, PictureSize(width: 320, height: 180), PictureSize(width: 640, height: 360),
      PictureSize(width: 1280, height: 720), PictureSize(width: 3840, height: 2160))
    let depths = depths.chosen(else: 120, 2, 8, 30, 60, 240)
    let interpolations = interpolations.chosen(else: .nearest)
    return (
      cases(
        modes: modes, pairs: sizes.map { ($0, depths[0]) }, interpolations: interpolations),
      cases(
        modes: modes.filter { $0 == .displace }, pairs: depths.map { (sizes[0], $0) },
        interpolations: interpolations)
    )
  }

  /// Combinations; what has no meaning in a mode is not varied there.
  private func cases(
    modes: [BenchMode], pairs: [(size: PictureSize, depth: Int)],
    interpolations: [BenchInterpolation]
  ) -> [BenchCase] {
    var seen: Set<BenchCase> = []
    var cases: [BenchCase] = []
    for mode in modes {
      for format in formats.flattened() {
        for (size, depth) in pairs {
          for interpolation in interpolations {
            for threads in threads.flattened() {
              for map in maps.flattened() {
                let wanted = BenchCase(
                  mode: mode, map: map, format: format, size: size,
                  depth: mode == .displace ? depth : nil,
                  interpolation: mode == .displace ? interpolation : nil, threads: threads)
                if seen.insert(wanted).inserted { cases.append(wanted) }
              }
            }
          }
        }
      }
    }
    return cases
  }
}
