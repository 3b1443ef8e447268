// What a benchmark finds out, and how.

import SlitScan

/// What one case costs, and a line of `--json`.
struct Measurement: Codable {
  /// What was measured.
  var subject: BenchCase
  /// Milliseconds of a frame: the median frame of each run, the median of the runs.
  var milliseconds: Double
  var framesPerSecond: Double
  /// Bytes read and written for a frame, see ``BenchCase/bytesMoved(sweepFrames:)``.
  var bytesMoved: Int
  var gigabytesPerSecond: Double
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
  /// The same at its peak.
  var peakBytes: Int
  /// The runs, one by one.
  var runs: [Run]

  /// The medians of one run.
  struct Run: Codable {
    var milliseconds: Double
    var memcpyMilliseconds: Double

    var ratio: Double { memcpyMilliseconds > 0 ? milliseconds / memcpyMilliseconds : 0 }
  }

  /// Measures a case.
  ///
  /// - Throws: ``ScanError`` or ``CommandError`` when it cannot be measured as asked.
  init(of subject: BenchCase, effort: Effort) throws {
    self.subject = subject
    let settings = subject.settings(sweepFrames: effort.frames)
    var rig = try ScanRig(subject, settings: settings)
    let residentBefore = ResidentMemory.current
    ResidentMemory.forgetPeak()
    var allocations = Allocations()

    // Until the first sweep has ended; or until history is full, and as long again, as then it thins
    // out to what a standing map shows.
    let warmUp = subject.mode == .sweep ? effort.frames : 2 * (subject.depth ?? 0) + 4
    for _ in 0..<warmUp {
      try rig.scan(settings)
      if let limit = rig.report.limitedDepth {
        throw CommandError.tooDeep(subject, limit: limit)
      }
    }

    runs = []
    for _ in 0..<effort.runs {
      var frames = Stopwatch(reserving: effort.frames)
      var copies = Stopwatch(reserving: effort.frames)
      for _ in 0..<effort.frames {
        copies.time { rig.copy() }
        try allocations.count { () throws(ScanError) in
          try frames.time { () throws(ScanError) in try rig.scan(settings) }
        }
      }
      runs.append(Run(milliseconds: frames.median, memcpyMilliseconds: copies.median))
    }

    historyBytes = rig.report.historyBytes
    residentBytes = max(ResidentMemory.current - residentBefore, 0)
    peakBytes = max(ResidentMemory.peak - residentBefore, 0)
    allocationsPerFrame =
      Allocations.areCounted
      ? Double(allocations.count) / Double(effort.runs * effort.frames) : nil
    milliseconds = runs.map(\.milliseconds).median
    framesPerSecond = 1000 / milliseconds
    bytesMoved = try subject.bytesMoved(sweepFrames: effort.frames)
    gigabytesPerSecond = Double(bytesMoved) / milliseconds / 1e6
    memcpyMilliseconds = runs.map(\.memcpyMilliseconds).median
    ratio = runs.map(\.ratio).median
  }
}

extension CommandError {
  /// There is not as much history as the numbers would be for.
  static func tooDeep(_ subject: BenchCase, limit: Int) -> CommandError {
    CommandError(
      "History of \(subject.depth ?? 0) frames of \(subject.size) \(subject.format.rawValue) is "
        + "more than a quarter of this machine's memory, the effect's limit. Ask for at most "
        + "--depths \(limit).")
  }
}
