// The source mixer shows one of several sources that all play, and fades from one to another.

import GStreamer

/// Several sources as one: all of them play, one is shown, and another takes its place in a cut or a
/// crossfade.
///
/// GStreamer's `compositor` puts them over black that comes as time goes by, scaled to one size. So frames
/// come whatever becomes of a source: one that ends or fails keeps its last frame until it is opened again.
/// An `input-selector` gives the frames of one of them to the pad `map` of the effect.
///
/// ``CapturePipeline/openInput(_:_:)`` opens the sources, once the capture runs.
package actor SourceMixer: FrameSource {
  package nonisolated let count: Int
  private let width: Int
  private let height: Int
  private let frameRate: Fraction
  private let fade: Shared<SourceFade>
  /// The mixer's element, once it is made.
  private(set) var mixer: Element?
  /// The inputs that play, by their numbers.
  private var inputs: [Element?]
  /// The stand-in for missing sources: it gives no frames, but says that it is live, without which the
  /// compositor would wait.
  private var blanks: [Element?]
  private var hasMap = false

  /// A mixer of sources that are opened later; the first is shown.
  ///
  /// - Parameter request: The size and the rate of the frames that come out; 1280×720 and 30 frames a second where
  ///   nothing is said.
  package init(count: Int, _ request: VideoRequest = VideoRequest()) {
    self.count = max(count, 1)
    // Whole pairs of pixels.
    width = ((request.width ?? 1280) + 1) / 2 * 2
    height = ((request.height ?? 720) + 1) / 2 * 2
    frameRate = request.frameRate ?? 30
    fade = Shared(SourceFade(count: max(count, 1)))
    inputs = Array(repeating: nil, count: max(count, 1))
    blanks = inputs.map { _ in nil }
  }

  /// The mixer, with nothing but black to mix.
  package func makeElement() throws(CaptureError) -> Element {
    // Frames of another range of values would empty the history of the effect.
    let format =
      "video/x-raw,format=I420,width=\(width),height=\(height),pixel-aspect-ratio=1/1,colorimetry=bt709"
    let timed = "capsfilter caps=\"\(format),framerate=\(frameRate)\""
    let ways = (0..<count).map { number in
      """
      appsrc name=blank\(number) is-live=true format=time
        ! videoconvertscale name=in\(number) ! capsfilter caps="\(format)" ! tee name=tee\(number)
      tee\(number). ! queue max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! mix.sink_\(number + 1)
      tee\(number). ! maps.sink_\(number)
      """
    }
    let line =
      """
      compositor name=mix background=black ! \(timed) name=out
      videotestsrc is-live=true pattern=black ! \(timed) name=black ! mix.sink_0
      input-selector name=maps sync-streams=false ! valve name=gate drop=true
        ! queue name=map leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0
      """
    do throws(GStreamerError) {
      let mixer = try Element(
        binOf: ([line] + ways).joined(separator: " ").replacing("\n", with: " "),
        showing: [("src", "out", "src"), ("map", "map", "src")])
      let compositor = try mixer.element(named: "mix")
      var pads: [Pad] = []
      for number in 0..<count { pads.append(try compositor.pad("sink_\(number + 1)")) }
      Self.apply(fade.value, to: pads)
      let fade = fade
      // The signal comes before each frame that is composed, with its time.
      try compositor.set("emit-signals", to: true)
      try compositor.connect("samples-selected") { [pads] arguments in
        guard arguments.count > 1, case .uint(let time) = arguments[1] else { return nil }
        let next = fade.withLock { fade -> SourceFade? in
          guard fade.isMoving else { return nil }
          fade.advance(to: ClockTime(nanoseconds: time))
          return fade
        }
        if let next { Self.apply(next, to: pads) }
        return nil
      }
      self.mixer = mixer
      hasMap = false
      inputs = Array(repeating: nil, count: count)
      for number in 0..<count { blanks[number] = try mixer.element(named: "blank\(number)") }
      return mixer
    } catch {
      throw explain(error)
    }
  }

  /// Sets the layers first, then what appears, then what is hidden by it.
  private static func apply(_ fade: SourceFade, to pads: [Pad]) {
    for (layer, number) in fade.layers.enumerated() {
      try? pads[number].set("zorder", to: layer + 1)
    }
    for number in fade.layers.reversed() { try? pads[number].set("alpha", to: fade.levels[number]) }
  }

  package nonisolated func explain(_ error: GStreamerError) -> CaptureError {
    switch error.code {
    case .noSuchElement, .missingPlugin, .syntax:
      CaptureError(
        .missingElement,
        "Several sources need GStreamer's compositor. Install gstreamer1.0-plugins-base.",
        underlying: error)
    default: CaptureError(.sourceFailed, "The sources cannot be mixed.", underlying: error)
    }
  }

  // MARK: Sources

  /// Shows a source, by its number from 0 on.
  ///
  /// - Parameter duration: How long the crossfade takes; 0 for a cut.
  func show(_ number: Int, over duration: ClockTime) {
    fade.withLock { $0.show(number, over: duration) }
  }

  /// Gives the frames of a source to the pad `map`.
  func showAsMap(_ number: Int) throws(CaptureError) {
    guard let mixer, inputs.indices.contains(number) else { return }
    do throws(GStreamerError) {
      let maps = try mixer.element(named: "maps")
      try maps.set("active-pad", to: try maps.pad("sink_\(number)"))
      hasMap = true
      try setMapPaused(false)
    } catch {
      throw explain(error)
    }
  }

  /// Has no frames come out for the map, or those of the source that is the map, if one is.
  func setMapPaused(_ isPaused: Bool) throws(GStreamerError) {
    try mixer?.element(named: "gate").set("drop", to: isPaused || !hasMap)
  }

  /// Has a source that was opened in the mixer play, in the place of the one before.
  func put(
    _ successor: CaptureStream.Successor, at number: Int, of stream: CaptureStream
  ) async throws(GStreamerError) {
    guard let mixer, inputs.indices.contains(number) else { return }
    let before = [inputs[number], blanks[number]].compactMap(\.self)
    (inputs[number], blanks[number]) = (successor.input.element, nil)
    for element in before { await stream.pipeline.remove(element) }
    try stream.link(successor, to: try mixer.element(named: "in\(number)"))
  }

  /// Stops a source; what it showed last stays.
  func remove(_ number: Int, from pipeline: Pipeline) async {
    guard let mixer, inputs.indices.contains(number), let input = inputs[number] else { return }
    inputs[number] = nil
    await pipeline.remove(input)
    guard let blank = try? Element("appsrc") else { return }
    try? blank.set("is-live", to: true)
    try? blank.set("format", to: "time")
    try? mixer.add(blank)
    try? blank.link(to: try mixer.element(named: "in\(number)"))
    try? await pipeline.syncState(of: blank)
    blanks[number] = blank
  }
}
