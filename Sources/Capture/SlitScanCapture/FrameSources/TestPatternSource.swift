// The test pattern source delivers generated frames, for tests and for machines without a camera.

import GStreamer

/// A source of test patterns, drawn by `videotestsrc`; and ``demo``, made of several.
///
/// Frames are I420, unless the elements after it take other formats only.
package actor TestPatternSource: FrameSource {
  private let pattern: String
  private let request: VideoRequest
  private let count: Int?
  private let isLive: Bool

  /// The name of a pattern that shows what the effect does: a ball flies before colour bars that scroll.
  package static let demo = "demo"

  /// A pattern.
  ///
  /// - Parameters:
  ///   - pattern: One of videotestsrc's, as `smpte` or `ball`, or ``demo``.
  ///   - request: Size and frame rate.
  ///   - count: How many frames; nil for no end.
  ///   - isLive: Whether frames come as time goes by, as from a camera.
  package init(
    _ pattern: String = "smpte",
    _ request: VideoRequest = VideoRequest(width: 640, height: 480, frameRate: 30),
    count: Int? = nil, isLive: Bool = true
  ) {
    self.pattern = pattern
    self.request = request
    self.count = count
    self.isLive = isLive
  }

  /// The pattern, in the size and frame rate.
  ///
  /// - Throws: ``CaptureError/Code/sourceFailed`` where there is no such pattern,
  ///   ``CaptureError/Code/badConfiguration`` where no frame can have the size or the rate.
  package func makeElement() throws(CaptureError) -> Element {
    let formats = try [request.caps("video/x-raw,format=I420"), request.caps()]
      .joined(separator: ";")
    guard pattern != Self.demo else { return try makeDemo(formats) }
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

  private func makeDemo(_ formats: String) throws(CaptureError) -> Element {
    let (width, height) = (request.width ?? 1280, request.height ?? 720)
    let caps = "video/x-raw,format=BGRA,framerate=\(request.frameRate ?? 30)"
    let pattern = "videotestsrc is-live=\(isLive) num-buffers=\(count ?? -1) pattern"
    return try bin(
      "compositor name=mix sink_1::width=\(width) sink_1::height=\(height) ! videoconvert "
        + "! capsfilter caps=\"\(formats)\" "
        + "\(pattern)=smpte100 horizontal-speed=\(max(width / 200, 1)) "
        + "! \(caps),width=\(width),height=\(height) ! mix.sink_0 "
        // A small frame, as the size of the ball is fixed.
        + "\(pattern)=ball foreground-color=0xffffffff background-color=0 "
        + "! \(caps),width=160,height=90 ! mix.sink_1")
  }

  /// The explanation of an error of the pattern.
  package nonisolated func explain(_ error: GStreamerError) -> CaptureError {
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
