// `slitscan bench`: what the effect costs on this machine.

import ArgumentParser

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what the effect costs on this machine.",
    discussion: """
      Frames of noise in I420 go through the effect on one thread, without GStreamer. Times are \
      medians; the last column is the ratio to one memcpy of the frame, taken in between. Compare \
      ratios, not times: they hold while other programs run.
      """,
    subcommands: [BenchMaps.self],
    defaultSubcommand: BenchMaps.self)
}

/// What all benchmarks can be told.
struct BenchOptions: ParsableArguments {
  @Option(help: "Width of the picture, in pixels.")
  var width = 1920

  @Option(help: "Height of the picture, in pixels.")
  var height = 1080

  @Option(help: "Frames of history.")
  var depth = 120

  @Option(help: "Frames to time for each row of the table.")
  var frames = 60

  @Option(help: "What to show of delays between two frames: nearest or linear.")
  var interpolation = Interpolation.nearest

  enum Interpolation: String, ExpressibleByArgument, CaseIterable {
    case nearest, linear
  }

  func validate() throws {
    for (name, value) in [
      ("width", width), ("height", height), ("depth", depth), ("frames", frames),
    ] where !(1...100_000 ~= value) {
      throw ValidationError("--\(name) must be 1 to 100000.")
    }
  }
}
