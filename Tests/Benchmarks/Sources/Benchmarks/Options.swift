// Options with several values, of which all combinations are measured.

import ArgumentParser
import SlitScan

/// The frames, and how they are scanned.
struct BenchGrid: ParsableArguments {
  @Option(help: "Maps: rows, columns and diagonal are linear; random has a value for each pixel.")
  var maps = [Listed<BenchMap>(.rows, .columns, .radial, .random)]

  @Option(help: "Video formats.")
  var formats = [Listed<FrameFormat>(.i420)]

  @OptionGroup var frameSizes: SizeOptions

  @Option(
    help: ArgumentHelp(
      "Frames of history. (default: 120; with --plot, others too)", valueName: "frames"))
  var depths: [Listed<Int>] = []

  @Option(
    help: "What to show of delays between two frames. (default: all; with --plot, nearest)")
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
      modes: modes, pairs: pairs,
      interpolations: interpolations.chosen(else: .nearest, .linear, .motion))
  }

  /// The sizes to measure.
  var chosenSizes: [FrameSize] { frameSizes.chosen }

  /// The depths to measure.
  var chosenDepths: [Int] { depths.chosen(else: 120) }

  /// Combinations for two series: all sizes at the first depth, and all depths at the first size.
  func series(modes: [BenchMode]) -> (sizes: [BenchCase], depths: [BenchCase]) {
    let sizes = frameSizes.sizes.chosen(
      else: .fullHD, FrameSize(width: 320, height: 180), FrameSize(width: 640, height: 360),
      FrameSize(width: 1280, height: 720), FrameSize(width: 3840, height: 2160))
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
    modes: [BenchMode], pairs: [(size: FrameSize, depth: Int)],
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

/// Frames and runs of each case.
struct Effort: ParsableArguments {
  @Option(
    name: .customLong("frames"),
    help: ArgumentHelp(
      "Frames to time in each run; a sweep takes one run. (default: 20; of a bridge, 10000)",
      valueName: "frames"))
  var chosenFrames: Int?

  /// Frames of the effect to time in each run.
  var frames: Int { chosenFrames ?? 20 }

  @Option(help: "Runs of each case; what is printed is their median.")
  var runs = 5

  func validate() throws {
    try BenchRange.check(frames, "--frames", 1...100_000)
    try BenchRange.check(runs, "--runs", 1...1000)
  }
}

/// Numbers that options may have.
enum BenchRange {
  /// - Throws: `ValidationError` unless the value is within the range.
  static func check(_ value: Int, _ option: String, _ range: ClosedRange<Int>) throws {
    guard !range.contains(value) else { return }
    throw ValidationError(
      "\(option) \(value) makes no sense; it can be \(range.lowerBound) to \(range.upperBound).")
  }
}

/// The size of a frame in pixels.
struct FrameSize: Hashable, Codable, ExpressibleByArgument, CustomStringConvertible {
  /// The longest side that benchmarks measure.
  static let longestSide = 16_384

  /// The size that most cameras deliver.
  static let fullHD = FrameSize(width: 1920, height: 1080)

  var width: Int
  var height: Int

  var pixelCount: Int { width * height }

  var description: String { "\(width)x\(height)" }

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      1...Self.longestSide ~= width, 1...Self.longestSide ~= height
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// Which sizes to measure.
struct SizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sizes of the frame, in pixels. (default: 1920x1080; with --plot, others too)",
      valueName: "WxH"))
  var sizes: [Listed<FrameSize>] = []

  /// The sizes that were asked for.
  var chosen: [FrameSize] { sizes.chosen(else: .fullHD) }
}

/// One of a few names.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

/// The values of one use of an option, separated by commas.
struct Listed<Element: ExpressibleByArgument>: ExpressibleByArgument {
  var elements: [Element]

  init(_ elements: Element...) { self.elements = elements }

  init?(argument: String) {
    elements = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = Element(argument: String(part)) else { return nil }
      elements.append(element)
    }
  }

  var defaultValueDescription: String {
    elements.map(\.defaultValueDescription).joined(separator: ",")
  }

  static var allValueStrings: [String] { Element.allValueStrings }
}

extension Array {
  /// The values of all uses of an option, each once, in the order of the first.
  func flattened<Value: Hashable>() -> [Value] where Element == Listed<Value> {
    var seen: Set<Value> = []
    return flatMap(\.elements).filter { seen.insert($0).inserted }
  }

  /// The same, or what stands for an option that is not used.
  func chosen<Value: Hashable>(else defaults: Value...) -> [Value] where Element == Listed<Value> {
    isEmpty ? defaults : flattened()
  }
}
