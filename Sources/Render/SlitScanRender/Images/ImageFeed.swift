// The image feed decodes the files of an image sequence, and sends them into a pipeline, each at its time.

import GStreamer
import SlitScanCapture
import StreamingThread

/// Sends images into the pipeline that reads them as a film.
///
/// Each is decoded by itself: decoders lose track of images that follow each other where one is damaged, and that of
/// OpenEXR where none is.
final class ImageFeed: Sendable {
  private let images: ImageSequence
  private let source: AppSrc
  private let failure = Lock<CaptureError?>(nil)
  private let firstInfo = Lock<VideoInfo?>(nil)

  /// Nothing is sent yet.
  init(_ images: ImageSequence) throws(GStreamerError) {
    self.images = images
    source = try AppSrc()
  }

  /// Where the images come from.
  var element: Element { source.element }
  /// The duration of them all.
  var duration: ClockTime { images.duration }

  /// Begins to send, until all is sent or the pipeline stops.
  ///
  /// - Parameter start: When the first image that is wanted is shown.
  func begin(from start: ClockTime) {
    Task {
      for index in images.files.indices where images.time(of: index) >= start {
        let frame: Sample
        do throws(CaptureError) {
          frame = try await explained(otherwise: .sourceFailed) { try await decode(index) }
        } catch {
          failure.withLock { $0 = error }
          break
        }
        // The pipeline says by itself why it has stopped.
        do { try await source.send(frame) } catch { return }
      }
      try? await source.finish()
    }
  }

  /// Makes sure that all images could be decoded.
  func check() throws(CaptureError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func decode(_ index: Int) async throws -> Sample {
    let path = images.files[index]
    let time = images.time(of: index)
    let duration = images.time(of: index + 1) - time
    if let layout = images.layout {
      let info = try VideoInfo(
        layout.format, width: Int(layout.width), height: Int(layout.height), frameRate: images.rate)
      var frame = try PNGImage.open(path).read(as: layout, info)
      (frame.presentationTime, frame.duration) = (time, duration)
      return Sample(frame.finish(), caps: try info.caps())
    }
    try images.kind.requireDecodable(path)
    let frame = try await OpenFilm(image: path, images.kind, rate: images.rate)
      .read { image in try await image.next() }
    guard let buffer = frame?.buffer, let caps = frame?.caps else {
      throw CaptureError(.sourceFailed, "\(path): The image cannot be decoded.")
    }
    try requireHeld(VideoInfo(caps), path)
    return Sample(try buffer.moved(to: time, duration: duration), caps: caps)
  }

  /// Makes sure that frames as the first one hold what another has.
  private func requireHeld(_ info: VideoInfo, _ path: String) throws(CaptureError) {
    let first = firstInfo.withLock { first in
      let known = first ?? info
      first = known
      return known
    }
    guard !FormatChange.between(info, first).isEmpty else { return }
    throw .imagesDiffer(
      path, "\(info.width)x\(info.height) pixels in \(info.format)", images.files.first ?? path,
      "\(first.width)x\(first.height) in \(first.format)")
  }
}
