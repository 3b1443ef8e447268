// The preview feed gives a remote the frames that phones show.

import GStreamer
import SlitScanCapture

/// A source of scanned frames for the preview.
///
/// ```swift
/// let feed = PreviewFeed { await stage.frames(delivery: .latest(1)) }
/// ```
public struct PreviewFeed: Sendable {
  /// Reads frames until they end, or the reading task is cancelled.
  let read: @Sendable (_ each: (Sample) async throws -> Void) async throws -> Void
  /// The next frame that reaches the effect; nil where there is none to be had.
  var input: @Sendable () async -> Sample? = { nil }
  /// The next frame of a source, by its place; nil where there is none to be had.
  var source: @Sendable (Int) async -> Sample? = { _ in nil }

  /// Frames that are opened when the first client looks, and released when the last one looks away.
  ///
  /// - Parameter open: Gives raw video frames; they should drop what is not read in time. Where they
  ///   end or cannot be opened while a client looks, they are opened again, half a second later.
  public init<Frames: AsyncSequence & SendableMetatype>(
    _ open: @escaping @Sendable () async throws -> Frames
  ) where Frames.Element == Sample, Frames.AsyncIterator: SendableMetatype {
    read = { each in
      for try await sample in try await open() { try await each(sample) }
    }
  }

  package static func frames(of capture: CapturePipeline) -> PreviewFeed {
    var feed = PreviewFeed { await capture.frames(delivery: .latest(1)) }
    feed.input = { await capture.nextInput() }
    feed.source = { await capture.nextInput(ofSource: $0) }
    return feed
  }

  /// The frames of a session.
  public static func frames(of session: CaptureSession) -> PreviewFeed {
    var feed = PreviewFeed { await session.frames(delivery: .latest(1)) }
    feed.input = { await session.nextInput() }
    return feed
  }
}
