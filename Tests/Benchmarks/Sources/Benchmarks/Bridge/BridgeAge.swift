// Measures the age of frames when a reader gets them that is slower than their source.

import CBridgePeer
import CGStreamer
import GStreamer

/// The frames that a slow reader gets of a stream, and a line of `--json`.
struct BridgeAge: Codable {
  /// The reader, only ever of the newest frame.
  enum Reader: String, CaseIterable, Codable {
    /// A thread in C that pulls samples from an appsink that drops.
    case thread
    /// `AppSink.samples`, delivered as `.latest(1)`.
    case swift

    /// The name in the table.
    var name: String {
      switch self {
      case .thread: "appsink, C"
      case .swift: "AppSink, Swift"
      }
    }
  }

  var reader: Reader
  var size: FrameSize
  /// Frames that came, were read, and were dropped.
  var frames: Int
  var read: Int
  var dropped: Int
  /// Microseconds from source to reader: the median, and the most.
  var medianMicroseconds: Double
  var oldestMicroseconds: Double

  /// Lets somebody read.
  ///
  /// - Parameter busy: What the reader does with each frame takes so long.
  init(
    _ reader: Reader, _ traffic: BridgeTraffic, frames: Int, busy: Duration
  ) async throws {
    self.reader = reader
    self.frames = frames
    size = traffic.size
    let pipeline = try Pipeline(
      "\(traffic.source(count: frames)) ! "
        + "appsink name=out sync=false max-buffers=1 drop=\(reader == .thread)")
    try BridgeMeter.stamp(pipeline.element(named: "frames"))
    let ages: [Double]
    switch reader {
    case .thread:
      // An appsink that is not paused at least has nothing to wait for.
      try await pipeline.pause()
      let thread = try SlowThread(
        pipeline.element(named: "out"), busy: busy, most: frames)
      try await pipeline.play()
      try await pipeline.waitForEnd()
      ages = thread.wait()
      dropped = frames - ages.count
    case .swift:
      let sink = try AppSink(pipeline.element(named: "out"), delivery: .latest(1))
      async let read = Self.read(sink, busy)
      try await pipeline.play()
      ages = try await read
      dropped = Int(sink.dropped)
    }
    await pipeline.stop()
    read = ages.count
    medianMicroseconds = ages.median
    oldestMicroseconds = ages.max() ?? 0
  }

  private static func read(_ sink: AppSink, _ busy: Duration) async throws -> [Double] {
    var ages: [Double] = []
    for try await sample in sink.samples {
      let time = sample.buffer?.presentationTime ?? .zero
      let now = ClockTime(nanoseconds: UInt64(gst_util_get_timestamp()))
      ages.append(Double((now - time).nanoseconds) / 1000)
      try await Task.sleep(for: busy)
    }
    return ages
  }
}

/// A thread in C that reads.
@safe
private struct SlowThread: ~Copyable {
  private let reader: OpaquePointer

  init(_ sink: Element, busy: Duration, most: Int) {
    let nanoseconds = guint64(max(0, busy / .nanoseconds(1)))
    unsafe reader = sink.withGstElement {
      unsafe bridge_reader_new($0, nanoseconds, guint64(most))
    }
  }

  deinit { unsafe bridge_reader_free(reader) }

  /// Waits for the end of the stream.
  ///
  /// - Returns: The ages of what was read, in microseconds.
  func wait() -> [Double] {
    let count = unsafe bridge_reader_wait(reader)
    return (0..<count).map { unsafe Double(bridge_reader_age(reader, $0)) / 1000 }
  }
}
