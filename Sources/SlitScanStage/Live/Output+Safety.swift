// What would end a show.

import GStreamer

extension Output {
  /// Makes sure that what shows the pictures does not take the show with it.
  ///
  /// - Throws: ``StageError/Code/noPictures``, with what to do.
  func requireSafe() throws(StageError) {
    // The sink of 0.3.65, Debian 12's, offers no format that fits, or crashes when somebody watches.
    guard sink.contains("pipewiresink"), let version = Element.version(of: "pipewiresink"),
      let major = Int(version.prefix { $0 != "." }), major < 1
    else { return }
    throw StageError(
      .noPictures,
      "The sink of PipeWire \(version) crashes when somebody watches. Install PipeWire 1.0 or later, or "
        + "use v4l2loopback and --output v4l2:/dev/videoN.")
  }
}
