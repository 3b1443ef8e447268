// The check that the elements of an output are installed and known not to crash.

import GStreamer
import SlitScanCapture

extension Output {
  /// Makes sure that what shows the frames does not take the show with it.
  ///
  /// - Throws: ``StageError/Code/noVideo``, with what to do.
  func requireSafe() throws(StageError) {
    try requireInstalled()
    // The sink of 0.3.65, Debian 12's, offers no format that fits, or crashes when a reader connects.
    guard sink.contains("pipewiresink"), let version = Element.version(of: "pipewiresink"),
      let major = Int(version.prefix { $0 != "." }), major < 1
    else { return }
    throw StageError(
      .noVideo,
      "The sink of PipeWire \(version) crashes when a reader connects. Install PipeWire 1.0 or later, or "
        + "use v4l2loopback and --output v4l2:/dev/videoN.")
  }

  private func requireInstalled() throws(StageError) {
    // Exclamation marks within quotes are no links.
    for part in sink.split(separator: "!") {
      let name = String(part.drop { $0 == " " }.prefix { $0 != " " })
      guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
        !sink.contains("\"") || Self.packages[name] != nil, Element.rank(of: name) == nil
      else { continue }
      if let package = Self.packages[name] {
        throw StageError(
          .noVideo, "\(word): There is no GStreamer element \(name). Install \(package).")
      }
      do throws(GStreamerError) {
        _ = try Element(name)
      } catch {
        throw StageError(.noVideo, "\(word): \(error.message)")
      }
    }
  }

  /// The Debian packages of what shows and sends frames.
  private static let packages = [
    "autovideosink": "gstreamer1.0-plugins-good", "fakevideosink": "gstreamer1.0-plugins-bad",
    "glimagesink": "gstreamer1.0-gl", "gtksink": "gstreamer1.0-gtk3",
    "mpegtsmux": "gstreamer1.0-plugins-bad", "pipewiresink": "gstreamer1.0-pipewire",
    "rtmpsink": "gstreamer1.0-plugins-bad", "rtph264pay": "gstreamer1.0-plugins-good",
    "shmsink": "gstreamer1.0-plugins-bad", "srtsink": "gstreamer1.0-plugins-bad",
    "udpsink": "gstreamer1.0-plugins-good", "v4l2sink": "gstreamer1.0-plugins-good",
    "waylandsink": "gstreamer1.0-plugins-bad", "x264enc": "gstreamer1.0-plugins-ugly",
    "ximagesink": "gstreamer1.0-x", "xvimagesink": "gstreamer1.0-x",
  ]

  /// An error of the output as one of the show.
  func explain(_ error: CaptureError) -> StageError {
    guard window == nil, error.code == .previewFailed, let reason = error.underlying?.message else {
      return StageError(.noVideo, error.message)
    }
    return StageError(.noVideo, "\(word) cannot be opened: \(reason)")
  }
}
