// Measures the age of frames when a reader gets them that is slower than their source.

import CBridgePeer
import CGStreamer
import Foundation
import GStreamer

/// A reader, only ever of the newest frame.
enum BridgeReader: String, CaseIterable {
  /// A thread in C that pulls samples from an appsink that drops.
  case thread = "appsink, C"
  /// `AppSink.samples`, delivered as `.latest(1)`.
  case swift = "AppSink, Swift"

  /// Microseconds from source to reader, of each frame that was read.
  ///
  /// - Parameter source: A launch line that gives so many frames. The reader is busy with each so long.
  func ages(_ source: String, frames: Int, busy: Duration) async throws -> [Double] {
    let pipeline = try Pipeline(
      "\(source) ! appsink name=out sync=false max-buffers=1 drop=\(self == .thread)")
    try unsafe pipeline.element(named: "frames").withGstElement { unsafe bridge_stamp($0) }
    let out = try pipeline.element(named: "out")
    // An appsink that is not paused at least has nothing to wait for.
    if self == .thread { try await pipeline.pause() }
    async let ages =
      self == .thread
      ? Self.readInC(out, busy, most: frames)
      : Self.read(try AppSink(out, delivery: .latest(1)), busy)
    try await pipeline.play()
    let read = try await ages
    await pipeline.stop()
    return read
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

  /// Reads on a thread of its own.
  private static func readInC(_ sink: Element, _ busy: Duration, most: Int) async -> [Double] {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        var ages = [gint64](repeating: 0, count: most)
        let count = unsafe sink.withGstElement {
          unsafe bridge_read($0, guint64(busy / .nanoseconds(1)), &ages, guint64(most))
        }
        done.resume(returning: ages.prefix(Int(count)).map { Double($0) / 1000 })
      }
    }
  }
}
