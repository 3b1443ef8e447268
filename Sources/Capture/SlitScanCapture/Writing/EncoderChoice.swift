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

/// An element that could do a job.
package struct EncoderChoice: Sendable {
  package let factory: String
  package let package: DebianPackage
  /// The parser between the encoder and the muxer, empty for none.
  var parser = ""
  /// Whether frames with chroma of half the size may have an odd width or height; else they are scaled to even ones.
  package var takesOddSizes = false
  /// The most channels of sound.
  package var channels = 8
  /// The delay of decoded sound in samples, where nothing in the file says so.
  package var delay = 0
  /// The properties of an encoder of video, as in a launch line.
  var properties: @Sendable (VideoEncoding) -> String = { _ in "" }

  /// The elements that encode video, as in a launch line.
  package func videoLine(_ encoding: VideoEncoding, name: String = "video-encoder") -> String {
    "\(factory) name=\(name) \(properties(encoding))"
      + (parser.isEmpty ? "" : " ! \(parser)")
  }

  /// Sets the properties of an encoder of video that has no frames yet.
  func set(_ encoder: Element, to encoding: VideoEncoding) throws(GStreamerError) {
    for property in properties(encoding).split(separator: " ") {
      let parts = property.split(separator: "=", maxSplits: 1).map(String.init)
      try encoder.set(parts[0], to: Value.string(parts[1]))
    }
  }

  /// The element that encodes sound, as in a launch line.
  package func audioLine(bitRate: Int) -> String { "\(factory) bitrate=\(bitRate)" }
}

extension VideoFormat {
  /// The formats of raw video that an element takes, in the order of its caps.
  package static func all(ofElement factory: String) throws(GStreamerError) -> [VideoFormat] {
    let element = try Element(factory)
    // Its pads know nothing without it.
    let caps = try withExtendedLifetime(element) { () throws(GStreamerError) in
      try element.pad("sink").possibleCaps
    }
    return (caps?.structures ?? []).flatMap { structure -> [VideoFormat] in
      switch structure.fields["format"] {
      case .array(let names)?: names.map { VideoFormat(rawValue: $0.text) }
      case let name?: [VideoFormat(rawValue: name.text)]
      case nil: []
      }
    }
  }
}

extension AudioCodec {
  /// The elements that encode it, best first.
  package var encoders: [EncoderChoice] {
    switch self {
    case .aac:
      [
        EncoderChoice(factory: "avenc_aac", package: .libav, channels: 6, delay: 1024),
        EncoderChoice(factory: "voaacenc", package: .bad, channels: 2, delay: 1600),
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
