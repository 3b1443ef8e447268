// A preview feed is the source of the frames that phones show.

import GStreamer
import SlitScanCapture

/// A source of scanned frames for the preview.
///
/// ```swift
/// let feed = PreviewFeed { await capture.frames(delivery: .latest(1)) }
/// ```
public struct PreviewFeed: Sendable {
  /// Reads frames until they end, or nobody wants them any more.
  let read: @Sendable (_ each: (Sample) async throws -> Void) async throws -> Void

  /// Frames that are opened when somebody looks, and let go of when nobody does.
  ///
  /// - Parameter open: Gives raw video frames; they should drop what is not read in time. Where they
  ///   end or cannot be opened while somebody looks, they are opened again, half a second later.
  public init<Frames: AsyncSequence & SendableMetatype>(
    _ open: @escaping @Sendable () async throws -> Frames
  ) where Frames.Element == Sample, Frames.AsyncIterator: SendableMetatype {
    read = { each in
      for try await sample in try await open() { try await each(sample) }
    }
  }

  /// The frames of a capture.
  public static func frames(of capture: CapturePipeline) -> PreviewFeed {
    PreviewFeed { await capture.frames(delivery: .latest(1)) }
  }

  /// The frames of a session.
  public static func frames(of session: CaptureSession) -> PreviewFeed {
    PreviewFeed { try await session.frames(delivery: .latest(1)) }
  }
}
