// The stream source delivers the video of a network stream by its address.

import GStreamer

/// The frames of a network stream: RTSP, SRT, HTTP, or whatever else GStreamer plays.
///
/// They come when they are due, as those of a camera.
package actor StreamSource: FrameSource {
  private let address: String

  /// A stream, not opened yet.
  ///
  /// - Parameter address: Its URL.
  package init(_ address: String) { self.address = address }

  /// A decoder of the stream.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  package func makeElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      let decoder = try Element("uridecodebin")
      try decoder.set("uri", to: address)
      let converter = try Element("videoconvert")
      let pace = try Element(pacing: converter, from: PlaybackStart())
      return try Element(decoding: .video, by: [decoder, converter, pace])
    } catch {
      throw explain(error)
    }
  }

  /// The explanation of an error of the stream.
  package nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .resourceNotFound, .resourceOpenRead:
      CaptureError(
        .sourceFailed,
        "\(address) does not answer. Check the address and that the stream is being sent.",
        underlying: error)
    case .missingPlugin where error.message.contains("URI handler"):
      CaptureError(
        .missingElement,
        "No element that reads such addresses is installed. rtsp:// and http:// need gstreamer1.0-plugins-good; "
          + "srt:// and rtmp://, gstreamer1.0-plugins-bad.", underlying: error)
    case .noSuchElement, .missingPlugin, .codecNotFound:
      CaptureError(noDecoderOf: address, error)
    case .noStream:
      CaptureError(.sourceFailed, "\(address) has no video.", underlying: error)
    case .stalled: CaptureError(.sourceFailed, error.message, underlying: error)
    default:
      CaptureError(
        .sourceFailed, "\(address) does not answer, or broke off.", underlying: error)
    }
  }
}
