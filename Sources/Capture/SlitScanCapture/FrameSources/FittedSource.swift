// Sources that take the place of another: in its format, so that the effect keeps its history.

import GStreamer

/// A source whose frames are brought to the format and size of others, with black at the sides where its
/// shape is another.
actor FittedSource: FrameSource {
  private let source: any FrameSource
  private let format: String?

  /// - Parameter caps: Those of the frames that it follows; nil leaves them as they come.
  init(_ source: any FrameSource, like caps: Caps?) {
    self.source = source
    // In full, as what is left out has a meaning, too.
    let frame = (try? caps.map { try VideoInfo($0).caps() })?.structures.first
    guard let frame, let format = frame.get("format", as: String.self),
      let width = frame.get("width", as: Int.self), let height = frame.get("height", as: Int.self)
    else {
      self.format = nil
      return
    }
    let shape = frame.get("pixel-aspect-ratio", as: Fraction.self) ?? 1
    self.format =
      "video/x-raw,format=\(format),width=\(width),height=\(height),pixel-aspect-ratio=\(shape)"
      // Frames of another range of values would empty the history.
      + (frame.get("colorimetry", as: String.self).map { ",colorimetry=\($0)" } ?? "")
  }

  func makeElement() async throws(CaptureError) -> Element {
    let element = try await source.makeElement()
    guard let format else { return element }
    do throws(GStreamerError) {
      return try Element(
        chaining: [element, Element("videoconvertscale"), Element(filter: Caps(format))])
    } catch {
      throw source.explain(error)
    }
  }

  nonisolated func explain(_ error: GStreamerError) -> CaptureError { source.explain(error) }
}

/// One frame, again and again as time goes by.
actor StillSource: FrameSource {
  private let frame: InMemorySource
  private let frameRate: Fraction

  /// - Parameter sample: A frame, with caps that say how many there are a second.
  init(_ sample: Sample) {
    frame = InMemorySource([sample])
    let rate = sample.caps?.structures.first?.get("framerate", as: Fraction.self)
    frameRate = rate.flatMap { $0.numerator > 0 ? $0 : nil } ?? 30
  }

  func makeElement() async throws(CaptureError) -> Element {
    let frame = try await frame.makeElement()
    do throws(GStreamerError) {
      let still = try Element("imagefreeze")
      try still.set("is-live", to: true)
      let rate = try Element(filter: Caps("video/x-raw,framerate=\(frameRate)"))
      return try Element(chaining: [frame, still, rate])
    } catch {
      throw explain(error)
    }
  }
}
