// Films and their sound.

import GStreamer

/// The pictures of a file, and its sound.
///
/// As a ``FrameSource``, it gives the pictures, and as a ``SoundSource``, the sound: each reads the file
/// by itself, and both have the times that the file says.
public actor FileSource: FrameSource, SoundSource {
  private let path: String
  private let pacing: Pacing

  /// A file, not opened yet.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isPaced: Whether frames come as time goes by, or as fast as they can be decoded.
  public init(_ path: String, isPaced: Bool = false) {
    self.path = path
    pacing = isPaced ? .alone : .none
  }

  /// One playback of a file in real time, whose video and sound begin together.
  package init(_ path: String, from start: PlaybackStart) {
    self.path = path
    pacing = .from(start)
  }

  /// A reader with a decoder.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public func makeElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      return try chain("video/x-raw(ANY)", [Element("videoconvert")])
    } catch {
      throw explain(error)
    }
  }

  /// A reader with a decoder.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public func makeSoundElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      return try chain("audio/x-raw(ANY)", [Element("audioconvert")])
    } catch {
      throw explain(error)
    }
  }

  private func chain(
    _ mediaType: String, _ converters: [Element]
  ) throws(GStreamerError) -> Element {
    let file = try Element("filesrc")
    try file.set("location", to: path)
    try file.endsRepeatedReads(behindEndOf: path)
    let decoder = try Element("decodebin")
    // Other streams are not decoded at all.
    try decoder.set("expose-all-streams", to: false)
    try decoder.set("caps", to: Caps(mediaType))
    var elements = [file, decoder] + converters
    if let last = converters.last, let start = pacing.start {
      elements.append(try Element(pacing: last, from: start))
    }
    return try Element(chaining: elements)
  }

  /// What an error of the file means.
  public nonisolated func explainSound(_ error: GStreamerError) -> CaptureError { explain(error) }

  /// What an error of the file means.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .resourceNotFound, .resourceOpenRead:
      CaptureError(.noSuchFile, "The file is not there, or may not be read.", underlying: error)
    case .noSuchElement, .missingPlugin:
      CaptureError(
        .missingElement, "What decodes the file is not installed. Install gstreamer1.0-libav.",
        underlying: error)
    default:
      CaptureError(.sourceFailed, "The file cannot be decoded.", underlying: error)
    }
  }
}
