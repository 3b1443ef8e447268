// Explanations of the errors that reading a file can end with.

import GStreamer
import LibC

extension FileSource {
  /// The explanation of an error of the file.
  package nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    let isURL = path.contains("://")
    switch error.code {
    case .resourceNotFound, .resourceOpenRead:
      if isURL {
        return CaptureError(
          .noSuchFile, "There is nothing at this address, or it does not answer.",
          underlying: error)
      }
      if Contents(path) == .folder {
        return CaptureError(.noSuchFile, "This is a folder. Name a file in it.", underlying: error)
      }
      return CaptureError(
        .noSuchFile, "The file does not exist, or may not be read.", underlying: error)
    case .noSuchElement, .missingPlugin:
      if isURL, error.message.contains("URI handler") {
        return CaptureError(
          .missingElement,
          "No element that reads such addresses is installed. http:// and https:// need "
            + "gstreamer1.0-plugins-good.", underlying: error)
      }
      return CaptureError(noDecoderOf: "the file", error)
    case .codecNotFound: return CaptureError(noDecoderOf: "the file", error)
    case .noStream: return CaptureError(.sourceFailed, error.message, underlying: error)
    case .stalled where isURL || Contents(path) == .data:
      return CaptureError(.sourceFailed, error.message, underlying: error)
    default:
      guard !isURL else {
        return CaptureError(
          .sourceFailed, "This address does not answer, or sends nothing that can be decoded.",
          underlying: error)
      }
      let message =
        switch Contents(path) {
        case .folder: "This is a folder. Name a file in it."
        case .nothing: "The file is empty."
        case .text: "This is a text file, not a video."
        case .data: "The file cannot be decoded."
        }
      return CaptureError(.sourceFailed, message, underlying: error)
    }
  }
}

extension CaptureError {
  /// A source that cannot be decoded, with advice that helps: a package is named only where it is not installed.
  init(noDecoderOf source: String, _ error: GStreamerError) {
    let advice =
      Element.isInstalled("avdec_h264")
      ? "Convert it to H.264, for example with ffmpeg." : "Install gstreamer1.0-libav."
    self.init(
      .missingElement, "No decoder for \(source) is installed. \(advice)", underlying: error)
  }
}

/// The kind of thing at a path, as far as a person can tell without a decoder.
private enum Contents {
  case folder, nothing, text, data

  init(_ path: String) {
    self = .data
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      self = .folder
    } else if status.st_mode & S_IFMT == S_IFREG {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count == 0 { self = .nothing }
      // Text has no control characters but tabs and the ends of lines and pages.
      let isText = bytes.prefix(max(0, count)).allSatisfy { $0 >= 32 || 9...13 ~= $0 }
      if count > 0, isText { self = .text }
    }
  }
}
