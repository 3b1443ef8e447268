// How long to measure.

import ArgumentParser

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
