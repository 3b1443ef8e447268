// The preview encoder scales frames down and encodes them as JPEG.

import Foundation
import GStreamer
import SlitScanCapture

struct PreviewEncoder {
  private let pipeline: Pipeline
  private let source: AppSrc
  private let sizeFilter: Element
  private var results: Samples.Iterator
  private let size: Int
  private var caps: Caps?

  /// - Parameter size: The longer side of what it makes, in pixels; frames that are smaller stay so.
  /// - Throws: `GStreamerError`, as where GStreamer's good plugins are missing.
  init(size: Int) async throws {
    self.size = size
    let encoder = Photo.Format.jpeg(quality: 72).encoder
    pipeline = try Pipeline(
      "appsrc name=in ! videoconvertscale ! capsfilter name=size ! \(encoder) "
        + "! appsink name=out sync=false async=false")
    source = try AppSrc(pipeline.element(named: "in"), queue: 1)
    sizeFilter = try pipeline.element(named: "size")
    results = try AppSink(pipeline.element(named: "out")).samples.makeAsyncIterator()
    try await pipeline.play()
  }

  /// - Throws: `GStreamerError` where it cannot be encoded; the encoder is of no use then.
  mutating func encode(_ sample: Sample) async throws -> Data {
    if let caps = sample.caps, caps != self.caps {
      let (width, height) = try scaled(VideoInfo(caps))
      try sizeFilter.set(
        "caps", to: Caps("video/x-raw,width=\(width),height=\(height),pixel-aspect-ratio=1/1"))
      self.caps = caps
    }
    try await source.send(sample)
    guard let buffer = try await results.next()?.buffer else {
      throw GStreamerError(.ended, "The encoder of previews has stopped.")
    }
    let mapping = try buffer.map()
    return unsafe mapping.bytes.withUnsafeBytes { unsafe Data($0) }
  }

  /// Square pixels, no more than the size, and the proportions of what is shown.
  private func scaled(_ info: VideoInfo) -> (width: Int, height: Int) {
    let stretch = info.pixelAspectRatio.quotient.flatMap { $0 > 0 ? $0 : nil } ?? 1
    let (width, height) = (Double(info.width) * stretch, Double(info.height))
    let scale = min(1, Double(size) / max(width, height))
    let side = { (length: Double) in max(2, Int((length * scale).rounded())) }
    return (side(width), side(height))
  }
}

/// A source of scanned frames for the preview.
///
/// ```swift
/// let feed = PreviewFeed { await stage.frames(delivery: .latest(1)) }
/// ```
public struct PreviewFeed: Sendable {
  /// Reads frames until they end, or the reading task is cancelled.
  let read: @Sendable (_ each: (Sample) async throws -> Void) async throws -> Void

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
    PreviewFeed { await capture.frames(delivery: .latest(1)) }
  }

  /// The frames of a session.
  public static func frames(of session: CaptureSession) -> PreviewFeed {
    PreviewFeed { try await session.frames(delivery: .latest(1)) }
  }
}
