// Films.

import GStreamer

/// The pictures of a file.
public actor FileSource: FrameSource {
  private let path: String
  private let isPaced: Bool

  /// A file, not opened yet.
  ///
  /// - Parameter isPaced: Whether frames come as time goes by, or as fast as they can be decoded.
  public init(_ path: String, isPaced: Bool = false) {
    self.path = path
    self.isPaced = isPaced
  }

  /// A reader with a decoder.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public func makeElement() throws(CaptureError) -> Element {
    do throws(GStreamerError) {
      let file = try Element("filesrc")
      try file.set("location", to: path)
      // Sound has no place to go.
      var elements = try [file, Element("decodebin"), Element("videoconvert")]
      if isPaced {
        let pace = try Element("identity")
        try pace.set("sync", to: true)
        elements.append(pace)
      }
      return try Element(chaining: elements)
    } catch {
      throw explain(error)
    }
  }

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
