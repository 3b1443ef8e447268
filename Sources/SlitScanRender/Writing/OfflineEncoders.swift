// Encoder settings for rendering, where quality counts more than speed.

import SlitScanCapture

extension VideoCodec {
  /// What encodes it well, best first.
  var offlineEncoders: [EncoderChoice] {
    let good = "deadline=1000000 cpu-used=4 threads=16"
    return switch self {
    case .h264:
      [
        EncoderChoice(
          "x264enc", "speed-preset=medium", package: .ugly, bitRate: ("bitrate", 1000)),
        EncoderChoice("openh264enc", "complexity=high", package: .bad, parser: "h264parse"),
      ]
    case .vp8: [EncoderChoice("vp8enc", good, package: .good, bitRate: ("target-bitrate", 1))]
    case .vp9:
      [
        EncoderChoice(
          "vp9enc", good + " row-mt=true", package: .good, bitRate: ("target-bitrate", 1))
      ]
    }
  }

  /// The codec that caps of encoded frames have, nil if it is none of these.
  init?(mediaType: String) {
    guard let codec = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
    self = codec
  }
}

extension EncoderChoice {
  /// The elements that encode video, as a launch line has them.
  func line(_ codec: VideoCodec, _ settings: FilmSettings, isPart: Bool) -> String {
    var line = "\(factory) name=video-encoder \(properties)"
    if let rate = settings.bitRate {
      line += " \(bitRate.property)=\(max(1, rate / max(1, bitRate.unit)))"
      if codec != .h264 { line += " end-usage=vbr" }
      if factory == "openh264enc" { line += " rate-control=bitrate" }
    } else {
      line += " " + quality(codec, isLossless: settings.isLossless)
    }
    // The frames of a part must not come in another order: the next part could not follow.
    if factory == "x264enc" { line += isPart || settings.isLossless ? " bframes=0" : " bframes=2" }
    return parser.isEmpty ? line : "\(line) ! \(parser)"
  }

  /// As many bits as good quality takes.
  private func quality(_ codec: VideoCodec, isLossless: Bool) -> String {
    switch (codec, factory) {
    case (.h264, "x264enc"):
      isLossless
        ? "pass=quant quantizer=0 speed-preset=veryfast key-int-max=50" : "pass=qual quantizer=19"
    case (.h264, _): "rate-control=quality qp-max=24 bitrate=20000000"
    // A limit far above good quality.
    default: "end-usage=cq cq-level=20 target-bitrate=100000000"
    }
  }
}
