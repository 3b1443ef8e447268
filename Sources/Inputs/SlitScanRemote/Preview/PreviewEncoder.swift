// The preview encoder scales frames down and encodes them as JPEG.

import FoundationEssentials
import GStreamer
import SlitScanCapture

struct PreviewEncoder {
  private var scaler: FrameScaler

  /// - Parameters:
  ///   - size: The longer side of what it makes, in pixels; frames that are smaller stay so.
  ///   - quality: That of the JPEGs, from 0 to 100.
  /// - Throws: `GStreamerError`, as where GStreamer's good plugins are missing.
  init(size: Int, quality: Int = 72) async throws {
    scaler = try await FrameScaler(
      size: size, then: "! \(Photo.Format.jpeg(quality: quality).encoder)")
  }

  /// - Throws: `GStreamerError` where it cannot be encoded; the encoder is of no use then.
  mutating func encode(
    _ sample: Sample, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Data {
    guard let buffer = try await scaler.scale(sample).buffer else {
      throw GStreamerError(.ended, "The encoder of previews has stopped.")
    }
    let mapping = try buffer.map()
    return unsafe mapping.bytes.withUnsafeBytes { unsafe Data($0) }
  }
}

/// Scales frames down to a size, whatever theirs are.
struct FrameScaler {
  private let pipeline: Pipeline
  private let source: AppSrc
  private let sizeFilter: Element
  private var results: Samples.Iterator
  private let size: Int
  private var caps: Caps?

  /// - Parameters:
  ///   - size: The longer side of what it makes, in pixels; frames that are smaller stay so.
  ///   - tail: The elements that get the frames then, as in a launch line.
  init(size: Int, then tail: String = "") async throws {
    self.size = size
    pipeline = try Pipeline(
      "appsrc name=in ! videoconvertscale ! capsfilter name=size \(tail) "
        + "! appsink name=out sync=false async=false")
    source = try AppSrc(pipeline.element(named: "in"), queue: 1)
    sizeFilter = try pipeline.element(named: "size")
    results = try AppSink(pipeline.element(named: "out")).samples.makeAsyncIterator()
    try await pipeline.play()
  }

  /// - Throws: `GStreamerError` where it cannot be scaled; the scaler is of no use then.
  mutating func scale(
    _ sample: Sample, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Sample {
    if let caps = sample.caps, caps != self.caps {
      let (width, height) = try scaled(VideoInfo(caps))
      try sizeFilter.set(
        "caps", to: Caps("video/x-raw,width=\(width),height=\(height),pixel-aspect-ratio=1/1"))
      self.caps = caps
    }
    try await source.send(sample)
    guard let scaled = try await results.next(isolation: isolation) else {
      throw GStreamerError(.ended, "The scaler of frames has stopped.")
    }
    return scaled
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
