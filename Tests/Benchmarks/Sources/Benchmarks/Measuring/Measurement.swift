// The cost of one case, measured.

import CAllocationCounter
import Foundation
import SlitScan

/// The cost of one case, and a line of `--json`.
struct Measurement: Codable {
  /// The case that was measured.
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
  /// - Throws: ``ScanError`` or ``BenchmarkError`` when it cannot be measured as asked.
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
        throw BenchmarkError.tooDeep(subject, limit: limit)
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

extension BenchmarkError {
  /// There is not as much history as the numbers would be for.
  static func tooDeep(_ subject: BenchCase, limit: Int) -> BenchmarkError {
    BenchmarkError(
      "History of \(subject.depth ?? 0) frames of \(subject.size) \(subject.format.rawValue) is "
        + "more than a quarter of this machine's memory, the effect's limit. Ask for at most "
        + "--depths \(limit).")
  }
}

/// A count of requests for memory, on all threads of the process.
struct Allocations {
  private(set) var count = 0

  /// Adds what is asked for while `body` runs.
  mutating func count<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    allocation_counter_start()
    defer { count += Int(allocation_counter_stop()) }
    try body()
  }

  /// Whether requests are counted here: not under a sanitizer, nor where another library has put its
  /// own `malloc` before ours.
  ///
  /// Makes an object, through Swift's runtime as everything does, and looks whether that counted.
  static let areCounted: Bool = {
    var allocations = Allocations()
    allocations.count { withExtendedLifetime(makeObject()) {} }
    return allocations.count == 1
  }()

  private final class Object {}

  @inline(never)
  private static func makeObject() -> AnyObject { Object() }
}

/// Bytes of the process that are in memory.
enum ResidentMemory {
  /// Bytes now.
  static var current: Int { status("VmRSS:") }

  /// The most bytes there were since ``forgetPeak()``.
  static var peak: Int { status("VmHWM:") }

  /// Lets the peak begin anew.
  ///
  /// - Returns: false where the kernel does not offer that, so that the peak is the process's.
  @discardableResult
  static func forgetPeak() -> Bool {
    // proc(5): "5" resets the peak resident set size to the current one.
    guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return false }
    let isWritten = unsafe fputs("5", file) >= 0
    return unsafe fclose(file) == 0 && isWritten
  }

  /// A value of /proc/self/status, which counts in kB; 0 if it is not there.
  private static func status(_ name: String) -> Int {
    guard let text = TextFile.read("/proc/self/status") else { return 0 }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count > 1 ? (Int(fields[1]) ?? 0) * 1024 : 0
    }
    return 0
  }
}

/// A file of text.
enum TextFile {
  /// All text of the file, nil if it cannot be read.
  static func read(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
