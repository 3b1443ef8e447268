// The container formats of recordings.

/// A container format.
public enum Container: String, Sendable, Hashable, CaseIterable {
  /// MP4: H.264 and AAC.
  ///
  /// Written in fragments of 200 ms, so that what has been written can always be played.
  case mp4
  /// Matroska: any codec.
  case matroska
  /// WebM: VP8 or VP9, and Opus.
  case webm

  /// The kind that the end of a path stands for, nil if it is none of those:
  /// `mp4`, `m4v`, `m4a`; `mkv`, `mka`; `webm`.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "mp4", "m4v", "m4a": self = .mp4
    case "mkv", "mka": self = .matroska
    case "webm": self = .webm
    default: return nil
    }
  }

  /// The codecs of video that fit, best first.
  public var videoCodecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264]
    case .matroska: [.h264, .vp8, .vp9]
    case .webm: [.vp8, .vp9]
    }
  }

  /// The codecs of sound that fit, best first.
  public var audioCodecs: [AudioCodec] {
    switch self {
    case .mp4: [.aac]
    case .matroska: [.opus, .aac]
    case .webm: [.opus]
    }
  }

  /// The codecs to choose from: the one that is wanted, or else all.
  ///
  /// - Throws: ``CaptureError/Code/unsupportedFormat``: it does not fit.
  package func choices<Codec: Equatable & CustomStringConvertible>(
    _ wanted: Codec?, of codecs: [Codec]
  ) throws(CaptureError) -> [Codec] {
    guard let wanted else { return codecs }
    guard codecs.contains(wanted) else {
      let possible = codecs.map(\.description).joined(separator: " or ")
      throw CaptureError(
        .unsupportedFormat, "\(rawValue) cannot contain \(wanted). Use \(possible).")
    }
    return [wanted]
  }

  package var muxer: String {
    switch self {
    case .mp4: "mp4mux"
    case .matroska: "matroskamux"
    case .webm: "webmmux"
    }
  }
}

/// A video codec.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// H.264, also called AVC.
  case h264
  /// VP8.
  case vp8
  /// VP9: smaller files than VP8's, for more work.
  case vp9

  /// The name for people.
  public var description: String {
    switch self {
    case .h264: "H.264"
    case .vp8: "VP8"
    case .vp9: "VP9"
    }
  }

  /// The codec that caps of encoded frames have, nil if it is none of these.
  package init?(mediaType: String) {
    guard let codec = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
    self = codec
  }

  /// The name that caps have for it.
  package var mediaType: String {
    switch self {
    case .h264: "video/x-h264"
    case .vp8: "video/x-vp8"
    case .vp9: "video/x-vp9"
    }
  }
}

/// An audio codec.
public enum AudioCodec: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// AAC.
  case aac
  /// Opus.
  case opus

  /// The name for people.
  public var description: String {
    switch self {
    case .aac: "AAC"
    case .opus: "Opus"
    }
  }
}
