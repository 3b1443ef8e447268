// The encoder elements of each codec, in order of preference, and their Debian packages.

import GStreamer

package enum DebianPackage: String, Sendable {
  case core = "libgstreamer1.0-0"
  case base = "gstreamer1.0-plugins-base"
  case good = "gstreamer1.0-plugins-good"
  case bad = "gstreamer1.0-plugins-bad"
  case ugly = "gstreamer1.0-plugins-ugly"
  case libav = "gstreamer1.0-libav"
}

/// The properties of an encoder of video that say how many bits it takes.
package struct RateControl: Sendable {
  /// For a bit rate.
  package let bitRate: String
  /// For good quality with as many bits as that takes: an encoder has limits of its own that have to be lifted.
  package let quality: String

  /// The bit rate of x264enc, 2 Mbit/s by default, limits every other mode, too, unless the buffer of a decoder is none.
  package static let x264 = Self(
    bitRate: "pass=cbr", quality: "pass=qual quantizer=19 vbv-buf-capacity=0")
  /// A bit rate that is never reached, but less than OpenH264 refuses: so quantizers stay at the lower limit.
  package static let openH264 = Self(
    bitRate: "rate-control=bitrate",
    quality: "rate-control=quality qp-min=22 qp-max=24 bitrate=200000000")
  /// The largest bit rate whose six seconds, the buffer of a decoder, libvpx can count.
  package static let vpx = Self(
    bitRate: "end-usage=vbr", quality: "end-usage=cq cq-level=20 target-bitrate=300000000")
}

/// An element that could do a job.
package struct EncoderChoice: Sendable {
  package let factory: String
  /// Its properties, as in a launch line.
  var properties = ""
  let package: DebianPackage
  /// The parser between the encoder and the muxer, empty for none.
  var parser = ""
  /// The property for the bits a second, and how many bits are its unit.
  package var bitRate: (property: String, unit: Int) = ("bitrate", 1)
  /// The properties that set the bit rate, or the quality instead; nil for sound.
  package var rateControl: RateControl?
  /// The property for the most frames from one key frame to the next, empty for none.
  var keyFrameInterval = ""
  /// Whether frames may have an odd width or height; else they are scaled to even ones.
  package var takesOddSizes = false
  /// The delay of decoded sound in samples, where nothing in the file says so.
  package var delay = 0

  /// The elements that encode video, as in a launch line.
  package func videoLine(_ settings: String) -> String {
    "\(factory) name=video-encoder \(properties) \(settings)"
      + (parser.isEmpty ? "" : " ! \(parser)")
  }

  /// The element that encodes sound, as in a launch line.
  package func audioLine(bitRate rate: Int) -> String {
    "\(factory) \(bitRate.property)=\(rate / bitRate.unit)"
  }
}

extension VideoCodec {
  /// The elements that encode it, best first.
  ///
  /// - Parameter isLive: Whether none may look ahead or reorder: what goes in comes out at once, and is in the file
  ///   whatever happens next. Otherwise there is time to encode well.
  package func encoders(isLive: Bool) -> [EncoderChoice] {
    // With finer quantizers, the encoder of VP9 drops frames that come at uneven times.
    let vpx =
      isLive
      ? "deadline=1 cpu-used=8 lag-in-frames=0 threads=4"
      : "deadline=1000000 cpu-used=4 threads=16 min-quantizer=16"
    return switch self {
    case .h264:
      [
        EncoderChoice(
          factory: "x264enc",
          properties: isLive ? "tune=zerolatency speed-preset=veryfast" : "speed-preset=medium",
          package: .ugly, bitRate: ("bitrate", 1000), rateControl: .x264,
          keyFrameInterval: "key-int-max"),
        EncoderChoice(
          factory: "openh264enc", properties: isLive ? "complexity=low" : "complexity=high",
          package: .bad, parser: "h264parse", rateControl: .openH264, keyFrameInterval: "gop-size"),
      ]
    case .vp8:
      [
        EncoderChoice(
          factory: "vp8enc", properties: vpx, package: .good, bitRate: ("target-bitrate", 1),
          rateControl: .vpx, keyFrameInterval: "keyframe-max-dist", takesOddSizes: true)
      ]
    case .vp9:
      [
        EncoderChoice(
          factory: "vp9enc", properties: vpx + " row-mt=true", package: .good,
          bitRate: ("target-bitrate", 1), rateControl: .vpx, keyFrameInterval: "keyframe-max-dist",
          takesOddSizes: true)
      ]
    }
  }
}

extension AudioCodec {
  /// The elements that encode it, best first.
  package var encoders: [EncoderChoice] {
    switch self {
    case .aac:
      [
        EncoderChoice(factory: "avenc_aac", package: .libav, delay: 1024),
        EncoderChoice(factory: "voaacenc", package: .bad, delay: 1600),
      ]
    case .opus: [EncoderChoice(factory: "opusenc", package: .base)]
    }
  }
}

/// Finds encoders among what is installed.
package struct EncoderCatalog: Sendable {
  /// Whether a plugin that is installed has an element.
  private let isInstalled: @Sendable (String) -> Bool

  /// The encoders that are installed on this machine, unless said otherwise.
  package init(
    isInstalled: @escaping @Sendable (String) -> Bool = { Element.isInstalled($0) }
  ) {
    self.isInstalled = isInstalled
  }

  /// Makes sure that what every file is written with is installed.
  package func require(muxerOf container: Container) throws(CaptureError) {
    try require([("appsrc", .base), ("queue", .core), (container.muxer, .good)])
  }

  /// Makes sure that encoded video can be put into a container.
  package func require(
    copying codec: VideoCodec, into container: Container
  ) throws(CaptureError) {
    _ = try container.choices(codec, of: container.videoCodecs)
    if codec == .h264 { try require([("h264parse", .bad)]) }
  }

  /// The encoder of sound for a container, of the codec that is wanted or else the best.
  package func audioEncoder(
    _ wanted: AudioCodec?, for container: Container
  ) throws(CaptureError) -> EncoderChoice {
    try choose(among: container.choices(wanted, of: container.audioCodecs)) { $0.encoders }.encoder
  }

  /// The first codec that there is an encoder for, and its encoder.
  ///
  /// - Throws: ``CaptureError/Code/missingEncoder``, with the packages to install.
  package func choose<Codec: CustomStringConvertible>(
    among codecs: [Codec], _ encoders: (Codec) -> [EncoderChoice]
  ) throws(CaptureError) -> (codec: Codec, encoder: EncoderChoice) {
    for codec in codecs {
      if let encoder = encoders(codec).first(where: { isInstalled($0.factory) }) {
        return (codec, encoder)
      }
    }
    let names = codecs.map(\.description).joined(separator: " or ")
    let packages = codecs.flatMap(encoders).map { "\($0.package.rawValue) (\($0.factory))" }
    throw CaptureError(
      .missingEncoder,
      "No encoder for \(names) is installed. Install \(packages.joined(separator: " or ")).")
  }

  /// Makes sure that elements are installed.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``, with the package to install.
  package func require(_ elements: [(factory: String, package: DebianPackage)]) throws(CaptureError)
  {
    for element in elements where !isInstalled(element.factory) {
      throw CaptureError(
        .missingElement,
        "GStreamer's \(element.factory) is not installed. Install \(element.package.rawValue).")
    }
  }
}
