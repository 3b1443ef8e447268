// The cost of one case, measured.

import Foundation
import SlitScan

/// The cost of a frame in one case.
struct Measurement {
  var subject: BenchCase
  /// Milliseconds of a frame: the median frame of each run, the median of the runs.
  var milliseconds: Double
  /// Milliseconds of one memcpy of the frame, taken between the frames, as `milliseconds`.
  var memcpyMilliseconds: Double
  /// The median of the runs' ratios of frame to memcpy.
  var ratio: Double
  /// Requests for memory per timed frame; nil where they cannot be counted.
  var allocationsPerFrame: Double?
  /// The bytes that the effect says history and canvases take, after the last frame.
  var historyBytes: Int
  /// The bytes by which the process has grown from before the first frame to after the last.
  var residentBytes: Int

  /// Measures a case.
  ///
  /// - Throws: ``ScanError`` or ``BenchmarkError`` when it cannot be measured as asked.
  init(of subject: BenchCase, effort: Effort) throws {
    self.subject = subject
    let settings = subject.settings(sweepFrames: effort.frames)
    var rig = try ScanRig(subject, settings: settings)
    let residentBefore = Self.residentMemory
    var allocations = Allocations()

    // Until the first sweep has ended; until the canvas is full; or until history is full, and as
    // long again, as then it thins out to what a standing map shows.
    let warmUp =
      subject.mode == .sweep
      ? effort.frames
      : max(2 * (subject.depth ?? 0), subject.canvas?.frames(at: subject.size) ?? 0) + 4
    try rig.fill(warmUp, settings)

    let clock = ContinuousClock()
    let runs = try (0..<effort.runs).map { _ in
      var (frames, copies): ([Duration], [Duration]) = ([], [])
      for _ in 0..<effort.frames {
        copies.append(clock.measure { rig.copy() })
        var time = Duration.zero
        try allocations.count { time = try clock.measure { try rig.scan(settings) } }
        frames.append(time)
      }
      return (frame: frames.milliseconds, memcpy: copies.milliseconds)
    }

    milliseconds = runs.map(\.frame).median
    memcpyMilliseconds = runs.map(\.memcpy).median
    ratio = runs.map { $0.frame / $0.memcpy }.median
    allocationsPerFrame =
      Allocations.areCounted
      ? Double(allocations.count) / Double(effort.runs * effort.frames) : nil
    historyBytes = rig.report.historyBytes
    residentBytes = max(Self.residentMemory - residentBefore, 0)
  }

  /// Bytes of the process that are in memory, by proc(5); 0 where that is not known.
  private static var residentMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /VmRSS:\s*(\d+) kB/).flatMap { Int($0.1) }.map { $0 * 1024 } ?? 0
  }

  static let columns: [Table.Column] = [
    .number("ms", 7), .number("memcpy ms"), .number("× memcpy"), .number("allocs"),
    .number("history MB"), .number("resident MB"),
  ]

  var cells: [String] {
    [
      milliseconds.digits(3), memcpyMilliseconds.digits(3), ratio.digits(2),
      allocationsPerFrame?.digits(2) ?? "–",
    ] + [historyBytes, residentBytes].map { (Double($0) / 1e6).digits(1) }
  }
}

extension [Duration] {
  var milliseconds: Double { map { $0 / .milliseconds(1) }.median }
}

extension [Double] {
  /// The number in the middle, the mean of two if there is none; 0 of nothing.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
