// The test pattern source delivers generated frames, for tests and for machines without a camera.

import GStreamer

/// A source of test patterns, drawn by `videotestsrc`.
///
/// Frames are I420, unless the elements after it take other formats only.
public actor TestPatternSource: FrameSource {
  private let pattern: String
  private let request: VideoRequest
  private let count: Int?
  private let isLive: Bool

  /// A pattern.
  ///
  /// - Parameters:
  ///   - pattern: One of videotestsrc's, as `smpte` or `ball`.
  ///   - request: Size and frame rate.
  ///   - count: How many frames; nil for no end.
  ///   - isLive: Whether frames come as time goes by, as from a camera.
  public init(
    _ pattern: String = "smpte",
    _ request: VideoRequest = VideoRequest(width: 640, height: 480, frameRate: 30),
    count: Int? = nil, isLive: Bool = true
  ) {
    self.pattern = pattern
    self.request = request
    self.count = count
    self.isLive = isLive
  }

  /// A `videotestsrc` of the size and frame rate.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed`` where there is no such pattern,
  ///   ``CaptureError/Code/badConfiguration`` where no frame can have the size or the rate.
  public func makeElement() throws(CaptureError) -> Element {
    let formats = try [request.caps("video/x-raw,format=I420"), request.caps()]
      .joined(separator: ";")
    let element = try bin("videotestsrc name=pattern ! capsfilter caps=\"\(formats)\"")
    do throws(GStreamerError) {
      let source = try element.element(named: "pattern")
      try source.set("pattern", to: pattern)
      try source.set("is-live", to: isLive)
      if let count { try source.set("num-buffers", to: count) }
    } catch {
      throw explain(error)
    }
    return element
  }

  /// The explanation of an error of the pattern.
  public nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .noSuchElement, .missingPlugin:
      CaptureError(
        .missingElement, "Test patterns are not installed. Install gstreamer1.0-plugins-base.",
        underlying: error)
    default:
      CaptureError(
        .sourceFailed,
        "There is no pattern of this name, or it does not support this size. `gst-inspect-1.0 videotestsrc` lists "
          + "the patterns.", underlying: error)
    }
  }
}
