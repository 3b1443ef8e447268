// The stream source delivers the video of a network stream by its address.

import GStreamer

/// The frames of a stream that somebody sends: RTSP, SRT, HTTP, or whatever else GStreamer plays.
///
/// They come when they are due, as those of a camera.
public actor StreamSource: FrameSource {
  private let address: String

  /// A stream, not opened yet.
  ///
  /// - Parameter address: Its URL.
  public init(_ address: String) { self.address = address }

  /// A decoder of the stream.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public func makeElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      let decoder = try Element("uridecodebin")
      try decoder.set("uri", to: address)
      try decoder.set("expose-all-streams", to: false)
      try decoder.set("caps", to: Caps("video/x-raw(ANY)"))
      let converter = try Element("videoconvert")
      try decoder.turnsFramesUpright(before: converter)
      let pace = try Element(pacing: converter, from: PlaybackStart())
      return try Element(chaining: [decoder, converter, pace])
    } catch {
      throw explain(error)
    }
  }

  /// The explanation of an error of the stream.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .resourceNotFound, .resourceOpenRead:
      CaptureError(
        .sourceFailed,
        "\(address) does not answer. Check the address and that the stream is being sent.",
        underlying: error)
    case .noSuchElement, .missingPlugin:
      CaptureError(
        .missingElement,
        "No element that plays \(address) is installed. Install gstreamer1.0-plugins-bad and "
          + "gstreamer1.0-libav.", underlying: error)
    default: CaptureError(.sourceFailed, "\(address) broke off.", underlying: error)
    }
  }
}
