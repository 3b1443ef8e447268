// What to measure: the options whose values are combined, each with each.

import ArgumentParser
import SlitScan

/// The pictures, and how they are scanned.
struct BenchGrid: ParsableArguments {
  @Option(help: "Maps: rows, columns and diagonal are linear; random has a value for each pixel.")
  var maps = [Listed<BenchMap>(.rows, .columns, .radial, .random)]

  @Option(help: "Video formats.")
  var formats = [Listed<FrameFormat>(.i420)]

  @Option(help: ArgumentHelp("Sizes of the picture, in pixels.", valueName: "WxH"))
  var sizes = [Listed(PictureSize(width: 1920, height: 1080))]

  @Option(help: ArgumentHelp("Frames of history.", valueName: "frames"))
  var depths = [Listed(120)]

  @Option(help: "What to show of delays between two frames.")
  var interpolations = [Listed<BenchInterpolation>(.nearest, .linear)]

  @Option(help: ArgumentHelp("Threads of the effect; 0 is one for each core.", valueName: "number"))
  var threads = [Listed(1)]

  func validate() throws {
    for depth in depths.flattened() {
      try BenchRange.check(depth, "--depths", 1...ScanSettings.deepest)
    }
    for count in threads.flattened() { try BenchRange.check(count, "--threads", 0...1024) }
  }

  /// All combinations; what has no meaning in a mode is not varied there.
  func cases(modes: [BenchMode]) -> [BenchCase] {
    var seen: Set<BenchCase> = []
    var cases: [BenchCase] = []
    for mode in modes {
      for format in formats.flattened() {
        for size in sizes.flattened() {
          for depth in depths.flattened() {
            for interpolation in interpolations.flattened() {
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
    }
    return cases
  }
}
