// The tags that each container can hold.

import GStreamer
import SlitScanCapture

extension FilmFormat {
  /// Tags that describe how a film was encoded, not what it is.
  private static let technical: Set<String> = [
    "audio-codec", "bitrate", "codec", "container-format", "encoder", "encoder-version",
    "extended-comment", "has-crc", "image-orientation", "maximum-bitrate", "minimum-bitrate",
    "nominal-bitrate", "private-qt-tag", "subtitle-codec", "video-codec",
  ]

  /// The tags of a film, or of one of its tracks, that are written.
  func written(_ tags: [String: Value], ofTrack isTrack: Bool) -> [String: Value] {
    tags.filter { name, _ in
      // Players take the title of a track in MP4 for that of the film.
      !Self.technical.contains(name) && !(isTrack && name == "title" && container == .mp4)
    }
  }
}
