// The video and audio codecs of recordings.

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
