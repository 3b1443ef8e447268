// Options of several benchmarks. Those with several values are combined with each other.

import ArgumentParser
import Foundation
import SlitScan

/// The frames, and how they are scanned.
struct BenchGrid: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: "Maps: rows, columns and diagonal are linear; random has a value for each pixel.")
  var maps: [BenchMap] = [.rows, .columns, .radial, .random]

  @Option(parsing: .upToNextOption, help: "Video formats, by GStreamer's names.")
  var formats = [FrameFormat.i420]

  @OptionGroup var sizes: SizeOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Frames of history. (default: 120; with --plot, others too)", valueName: "frames"))
  var depths: [Int] = []

  @Option(
    parsing: .upToNextOption,
    help: "What to show of delays between two frames. (default: all; with --plot, nearest)")
  var interpolations: [BenchInterpolation] = []

  @Option(
    parsing: .upToNextOption,
    help: "Feedback: still, zooming around the centre, or turning around it.")
  var feedbacks = [BenchFeedback.none]

  @Option(parsing: .upToNextOption, help: "Exposures, in frames.")
  var shutters = [1.0]

  @Flag(help: "Those exposures follow the map.")
  var shuttersFollowMap = false

  @Option(parsing: .upToNextOption, help: "Canvases of mode strip; those in perspective are full.")
  var canvases = [BenchCanvas.scroll]

  @Flag(help: "Also draw the ages of pixels with each frame.")
  var ages = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Threads of the effect; 0 is one for each core.", valueName: "number"))
  var threads = [1]

  func validate() throws {
    try depths.forEach { try check($0, "--depths", 1...ScanSettings.deepest) }
    try threads.forEach { try check($0, "--threads", 0...1024) }
  }

  /// All combinations, each map next to the others.
  func cases(modes: [BenchMode]) -> [BenchCase] {
    let depths = depths.isEmpty ? [120] : depths
    return cases(
      modes, sizes.chosen.flatMap { size in depths.map { (size, $0) } },
      interpolations.isEmpty ? BenchInterpolation.allCases : interpolations)
  }

  /// Two series for a plot: all sizes at the first depth, and all depths at the first size.
  func series(modes: [BenchMode]) -> [BenchCase] {
    let sizes = sizes.sizes.isEmpty ? FrameSize.plotted : sizes.sizes
    let depths = depths.isEmpty ? [120, 2, 8, 30, 60, 240] : depths
    return cases(
      modes, sizes.map { ($0, depths[0]) } + depths.map { (sizes[0], $0) },
      interpolations.isEmpty ? [.nearest] : interpolations)
  }

  /// Combinations; what has no meaning in a mode is not varied there.
  private func cases(
    _ modes: [BenchMode], _ frames: [(size: FrameSize, depth: Int)],
    _ interpolations: [BenchInterpolation]
  ) -> [BenchCase] {
    let ways = feedbacks.flatMap { feedback in
      shutters.flatMap { shutter in canvases.map { (feedback, shutter, $0) } }
    }
    var cases: [BenchCase] = []
    for mode in modes {
      for format in formats {
        for (size, depth) in frames {
          for interpolation in interpolations {
            for (feedback, shutter, canvas) in ways {
              for threads in threads {
                cases += maps.map {
                  BenchCase(
                    mode: mode, map: $0, format: format, size: size,
                    depth: mode == .displace ? depth : nil,
                    interpolation: mode == .displace ? interpolation : nil,
                    feedback: mode == .displace ? feedback : nil,
                    shutter: mode == .displace ? shutter : nil,
                    shutterFollowsMap: mode == .displace && shutter > 1 && shuttersFollowMap,
                    canvas: mode == .strip ? canvas : nil, drawsAges: ages, threads: threads)
                }
              }
            }
          }
        }
      }
    }
    var seen: Set<BenchCase> = []
    return cases.filter { seen.insert($0).inserted }
  }
}

/// Which sizes to measure.
struct SizeOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Sizes of the frame, in pixels. (default: 1920x1080; with --plot, others too)",
      valueName: "WxH"))
  var sizes: [FrameSize] = []

  /// The sizes that were asked for.
  var chosen: [FrameSize] { sizes.isEmpty ? [FrameSize.plotted[0]] : sizes }
}

/// Frames and runs of each case.
struct Effort: ParsableArguments {
  @Option(help: "Frames to time in each run; a sweep takes one run.")
  var frames = 20

  @Option(help: "Runs of each case; what is printed is their median.")
  var runs = 5

  var description: String { "medians of \(runs) runs of \(frames) frames" }

  func validate() throws {
    try check(frames, "--frames", 1...100_000)
    try check(runs, "--runs", 1...1000)
  }
}

/// - Throws: `ValidationError` unless the value of an option is within its range.
func check(_ value: Int, _ option: String, _ range: ClosedRange<Int>) throws {
  guard !range.contains(value) else { return }
  throw ValidationError(
    "\(option) \(value) makes no sense; it can be \(range.lowerBound) to \(range.upperBound).")
}

/// The size of a frame in pixels.
struct FrameSize: Hashable, CustomStringConvertible {
  /// The sizes in a plot, the one of most cameras first.
  static let plotted = [(1920, 1080), (320, 180), (640, 360), (1280, 720), (3840, 2160)].map {
    FrameSize(width: $0, height: $1)
  }

  var width: Int
  var height: Int

  /// Millions of pixels.
  var megapixels: Double { Double(width * height) / 1e6 }

  var description: String { "\(width)x\(height)" }
}

extension FrameSize: ExpressibleByArgument {
  init?(argument: String) {
    guard let sides = argument.wholeMatch(of: /(\d+)x(\d+)/), let width = Int(sides.1),
      let height = Int(sides.2), 1...16_384 ~= width, 1...16_384 ~= height
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// The machine that is measured.
enum Machine {
  /// The processor and the number of its cores.
  static var summary: String {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let processor = facts.firstMatch(of: /model name\s*: (.*)/)?.1 ?? "unknown processor"
    return "\(processor), cores: \(ProcessInfo.processInfo.activeProcessorCount)"
  }
}
