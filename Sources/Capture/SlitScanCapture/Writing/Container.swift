// The containers of video files, and the codecs that they hold.

/// A container format.
public enum Container: String, Sendable, Hashable, CaseIterable {
  /// MP4: H.264, HEVC or AV1, and AAC.
  ///
  /// A ``Recorder`` writes it in fragments of 200 ms, so that what has been written can always be played.
  case mp4
  /// QuickTime (`.mov`): H.264, HEVC or ProRes, and AAC.
  case quickTime
  /// Matroska: any codec.
  case matroska
  /// WebM: VP8, VP9 or AV1, and Opus.
  case webm

  /// The container of a path's extension, nil if it is none of these:
  /// `mp4`, `m4v`, `m4a`; `mov`; `mkv`, `mka`; `webm`.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "mp4", "m4v", "m4a": self = .mp4
    case "mov": self = .quickTime
    case "mkv", "mka": self = .matroska
    case "webm": self = .webm
    default: return nil
    }
  }

  /// The extension of files of this kind, without a dot.
  package var pathExtension: String {
    switch self {
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .matroska: "mkv"
    case .webm: "webm"
    }
  }

  /// The video codecs that it can hold, those that a ``Recorder`` can choose first, best first.
  package var videoCodecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264, .h265, .av1]
    case .quickTime: [.h264, .h265, .proRes]
    case .matroska: [.h264, .vp8, .vp9, .h265, .av1, .ffv1]
    case .webm: [.vp8, .vp9, .av1]
    }
  }

  /// The codecs of sound that fit, best first.
  package var audioCodecs: [AudioCodec] {
    switch self {
    case .mp4, .quickTime: [.aac]
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
        .unsupportedFormat, "\(pathExtension) cannot contain \(wanted). Use \(possible).")
    }
    return [wanted]
  }

  package var muxer: String {
    switch self {
    case .mp4: "mp4mux"
    case .quickTime: "qtmux"
    case .matroska: "matroskamux"
    case .webm: "webmmux"
    }
  }
}

/// A video codec.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// H.264, also called AVC.
  case h264
  /// H.265, also called HEVC; not in recordings.
  case h265
  /// VP8.
  case vp8
  /// VP9: smaller files than VP8's, for more work.
  case vp9
  /// AV1; not in recordings.
  case av1
  /// ProRes: 422, or 4444 where frames have alpha or chroma of full resolution; not in recordings.
  case proRes = "prores"
  /// FFV1, which is lossless; not in recordings.
  case ffv1

  /// The name for people.
  public var description: String {
    switch self {
    case .h264: "H.264"
    case .h265: "HEVC"
    case .vp8: "VP8"
    case .vp9: "VP9"
    case .av1: "AV1"
    case .proRes: "ProRes"
    case .ffv1: "FFV1"
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
    case .h265: "video/x-h265"
    case .vp8: "video/x-vp8"
    case .vp9: "video/x-vp9"
    case .av1: "video/x-av1"
    case .proRes: "video/x-prores"
    case .ffv1: "video/x-ffv"
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
