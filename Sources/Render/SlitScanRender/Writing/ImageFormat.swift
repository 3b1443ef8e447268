// The image format chooses how the frames of a film are written as images.

import GStreamer
import SlitScanCapture

/// The format of images, settled before the first is written.
struct ImageFormat: WrittenFormat {
  let pattern: NumberPattern
  let kind: ImageKind
  let isPart: Bool
  private let quality: Int
  /// Whether no pixel is transparent, whatever the format of frames has room for.
  var isOpaque = true
  /// Whether sound is wanted.
  private let wantsSound: Bool

  /// The quality of JPEG images where nothing is said.
  private static let usualQuality = 95

  /// The format of a request; nil where that is for a film.
  ///
  /// - Throws: ``CaptureError/Code/badRequest``, ``CaptureError/Code/unknownContainer``,
  ///   ``CaptureError/Code/missingElement``.
  init?(_ request: RenderRequest) throws(CaptureError) {
    let settings = request.settings
    guard settings.container == nil, let pattern = NumberPattern(request.output),
      let kind = ImageKind(ofName: request.output)
    else { return nil }
    guard [.png, .jpeg, .tiff].contains(kind) else {
      throw CaptureError(
        .unknownContainer,
        "\(request.output): \(kind.rawValue) images cannot be written. Use .png, .jpg or .tif.")
    }
    let refused = [
      ("--codec", settings.codec != nil), ("--bit-rate", settings.bitRate != nil),
      ("--encoder-speed", settings.speed != nil), ("--pixel-format", settings.pixelFormat != nil),
      ("--audio-codec", settings.audioCodec != nil),
      ("--quality", settings.quality != nil && kind != .jpeg),
      ("--lossless", settings.isLossless && kind == .jpeg),
    ].filter(\.1).map(\.0)
    guard refused.isEmpty else {
      throw CaptureError(
        .badRequest,
        "\(request.output): \(kind.rawValue) images have no such setting. Leave out "
          + "\(refused.joined(separator: " and ")).")
    }
    if let quality = settings.quality, !(0...100 ~= quality) {
      throw CaptureError(.badRequest, "The quality must be from 0 to 100, not \(quality).")
    }
    try EncoderCatalog().require(
      [("appsink", .base)] + (kind == .jpeg ? [("jpegenc", .good)] : [])
        + (kind == .tiff ? [("avenc_tiff", .libav)] : []))
    self.pattern = pattern
    self.kind = kind
    quality = settings.quality ?? Self.usualQuality
    isPart = request.part != nil
    wantsSound = request.keepsSound
  }

  var soundDelay: Int { 0 }
  var isMatroska: Bool { false }
  var hasEncoder: Bool { kind != .png }

  private var encoder: String {
    switch kind {
    case .jpeg:
      // The chroma of JPEG is that of BT.601, in the full range; jpegenc leaves RGB as it is.
      "videoconvert ! capsfilter caps=\"video/x-raw,format={(string)GRAY8,(string)Y444},colorimetry=1:4:0:0\" ! "
        + "jpegenc name=video-encoder quality=\(quality) ! "
    case .tiff: "avenc_tiff name=video-encoder ! "
    // PNG is written row by row, as pngenc has no 16 bits for colours.
    default: ""
    }
  }

  func launchLine(sounds: [SoundFormat], textCount: Int, hasBlack: Bool, isStream: Bool) -> String {
    "appsrc name=video-in ! slitscan name=scan ! queue max-size-bytes=0 max-size-time=0 max-size-buffers=4 ! "
      + "videoconvert ! videoscale ! capsfilter name=video-format ! "
      + (hasBlack ? "videobalance name=cover ! " : "") + encoder
      + "appsink name=file sync=false async=false"
  }

  private var formats: [VideoFormat] {
    let names =
      switch kind {
      // Videoconvert brings RGB to the range of JPEG, but not luma and chroma.
      case .jpeg: ["RGB", "GRAY8"]
      case .tiff: ["RGB", "GRAY8", "GRAY16_LE"] + (isOpaque ? [] : ["RGBA"])
      default: ["RGB", "RGBA", "GRAY8", "GRAY16_BE", "RGBA64_BE"]
      }
    return names.map(VideoFormat.init)
  }

  func frameCaps(_ info: VideoInfo, hasBlack: Bool) throws -> Caps {
    var formats = formats
    // Samples of images have the full range; luma of another one is brought to it on its way to RGB.
    if info.colorimetry?.hasPrefix("1:") != true {
      formats.removeAll { $0.rawValue.hasPrefix("GRAY") }
    }
    if hasBlack {
      formats = try formats.filter(VideoFormat.all(ofElement: "videobalance").contains)
    }
    guard let format = VideoFormat.closest(to: info, of: formats) else {
      throw CaptureError(
        .encoderFailed, "\(kind.rawValue) images have no format for frames in \(info.format).")
    }
    return try Caps("video/x-raw,format=\(format)")
  }

  func losses(from scanned: VideoInfo, to encoded: VideoInfo) -> [String] {
    let losses = FormatChange.between(scanned, encoded).filter { change in
      if case .noOpacity = change { !isOpaque } else { true }
    }.map(\.description)
    guard kind != .png, let last = losses.last else { return losses }
    return losses.dropLast() + ["\(last) PNG images keep all of it."]
  }

  // MARK: What images have not

  func describe(_ contents: FilmContents, in pipeline: Pipeline) throws(GStreamerError) {}

  func written(ofTrack tags: TagList) -> TagList { TagList() }

  func losses(of film: FilmDescription, to contents: FilmContents) -> [String] {
    guard wantsSound, !film.sounds.isEmpty else { return [] }
    return ["\(film.path): Images have no sound; that of this film is not written."]
  }
}
