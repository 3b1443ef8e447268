// The age output is a second file of a rendering: how old each pixel is.

import GStreamer
import SlitScanCapture

/// The ages of a film's pixels, on their way into a film or images of their own.
struct AgeOutput: Sendable {
  let file: any UnfinishedOutput
  /// The elements from the pad `age` to the file.
  let launchLine: String

  /// Chooses how ages are written: without loss.
  ///
  /// - Parameters:
  ///   - path: A Matroska file or a pattern of PNG or TIFF images.
  ///   - inputs: Files that it must not replace.
  ///   - images: Makes the files of images.
  /// - Throws: ``CaptureError/Code/badRequest``, ``CaptureError/Code/unknownContainer``, and those of files and encoders.
  init(
    _ path: String, of request: RenderRequest, inputs: [String],
    images: (ImageFormat) throws(CaptureError) -> ImageOutput
  ) throws(CaptureError) {
    guard path != request.output else {
      throw CaptureError(
        .badRequest, "\(path) is to have the film and its ages. Write them to two files.")
    }
    guard request.part == nil else {
      throw CaptureError(
        .badRequest, "Ages are not written in parts. Leave --age or --segment out.")
    }
    var ages = request
    (ages.output, ages.settings, ages.keepsSound) = (path, FilmSettings(), false)
    let queue =
      "scan.age ! queue max-size-bytes=0 max-size-time=0 max-size-buffers=4 ! videoconvert ! "
    // The size of the first frame, as the film.
    let scaled = "videoscale method=nearest-neighbour ! capsfilter name=age-format "
    if let format = try ImageFormat(ages), format.kind != .jpeg {
      file = try images(format)
      let encoder =
        format.kind == .tiff ? "avenc_tiff ! " : ""
      let caps = "video/x-raw,format=GRAY16_\(format.kind == .tiff ? "LE" : "BE")"
      launchLine =
        queue + scaled + "caps=\(caps) ! \(encoder)appsink name=age-file sync=false async=false"
      return
    }
    guard Container(path: path) == .matroska else {
      throw CaptureError(
        .unknownContainer,
        "\(path): Ages of 16 bits are written without loss into .mkv, or as images: a pattern such as age.%04d.png or "
          + ".tif.")
    }
    let catalog = EncoderCatalog()
    try catalog.require(muxerOf: .matroska)
    let encoder = try catalog.choose(among: [VideoCodec.ffv1], \.encoders).encoder
    file = try UnfinishedFile(path, inputs: inputs, replaces: request.replacesOutput)
    launchLine =
      queue + scaled + "caps=video/x-raw,format=GRAY16_LE ! "
      + encoder.videoLine(VideoEncoding(isLossless: true), name: "age-encoder")
      + " ! \(Container.matroska.muxer) ! filesink name=age-file sync=false async=false"
  }
}
