// A preview display shows frames in a window by a pipeline of its own.

import FoundationEssentials
import GStreamer

/// Shows what it is given, as soon as it comes.
///
/// A window that is closed or a display that is slow harms nothing but itself: it has its own pipeline.
actor PreviewDisplay {
  /// The objects that GStreamer has made for it.
  struct Parts {
    let pipeline: Pipeline
    let input: AppSrc
    let frames: Element
    let display: Element

    /// The element that draws: the sink itself, where it is in a bin of several.
    var drawn: Element { display.children.first(where: \.drawsIntoWindows) ?? display }

    /// The sink itself, also within bins, some of which have theirs only once they are prepared.
    var sink: Element? { Self.sink(in: display) }

    private static func sink(in element: Element) -> Element? {
      guard !element.hasProperty("stats") else { return element }
      for child in element.children.reversed() { if let sink = sink(in: child) { return sink } }
      return nil
    }
  }

  /// The longest wait for a sink to give everything back.
  private static let patience = Duration.seconds(5)

  /// Nil once it is closed.
  private(set) var parts: Parts?
  private let navigation: AsyncStream<Event>.Continuation
  private let window: (any PreviewWindow)?
  private let clock: any SteadyClock
  private var windowSize: (width: Int, height: Int)?
  private var tasks: [Task<Void, Never>] = []
  /// The messages since it was opened, until frames are shown.
  private var messages: Bus.Messages?
  private let outlet = Shared<Outlet?>(nil)
  /// The frames that have appeared.
  private let shown = Shared(ShownFrames())
  private let sink = Shared<Element?>(nil)

  /// - Parameters:
  ///   - window: What it draws into; nil for a window of its own. It is closed with the display.
  ///   - navigation: Gets what the pointer does over the frame, as long as there is a display.
  init(
    _ sink: String, in window: (any PreviewWindow)? = nil,
    on clock: any SteadyClock = ContinuousClock(), navigation: AsyncStream<Event>.Continuation
  ) throws(CaptureError) {
    guard !sink.hasPrefix("autovideosink") || Self.hasDisplay else {
      navigation.finish()
      throw CaptureError(
        .previewFailed,
        "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set, and there is no screen.")
    }
    do throws(GStreamerError) {
      let input = try AppSrc(queue: 1, isLive: true)
      let output = try Element(binOf: sink, name: "display")
      for element in [output] + output.children {
        // Frames come in time; waiting would be one frame more. So none is late, either.
        for property in ["sync", "qos"] where element.hasProperty(property) {
          try? element.set(property, to: false)
        }
      }
      let bin = try Element(chaining: [input.element, Element("videoconvert")], name: "frames")
      let source = try bin.pad("src")
      source.addProbe(.eventUpstream) { item in
        guard case .event(let event) = item, event.kind == .navigation else { return .pass }
        navigation.yield(event)
        return .drop
      }
      let pipeline = try Pipeline(clock: nil, limits: clock)
      GPU.offerDisplay(to: pipeline.element)
      parts = Parts(pipeline: pipeline, input: input, frames: bin, display: output)
      self.window = window
      self.clock = clock
      self.navigation = navigation
    } catch {
      navigation.finish()
      throw Self.explain(error)
    }
  }

  deinit {
    navigation.finish()
    // They hold elements.
    for task in tasks { task.cancel() }
  }

  /// Opens the display; frames are shown once they come.
  ///
  /// - Throws: ``CaptureError/Code/previewFailed``.
  func open() async throws(CaptureError) {
    do {
      try await prepare()
    } catch {
      await dispose()
      throw Self.explain(error)
    }
  }

  private func prepare() async throws {
    guard let parts else { return }
    let pipeline = parts.pipeline
    try await pipeline.add(chain: [parts.frames, parts.display])
    try await pipeline.prepare()
    // Once the sink has found its display; it draws only later.
    if let window { try parts.drawn.draw(into: window.handle) }
    let sink = parts.sink
    self.sink.value = sink
    (try? sink?.pad("sink"))?.addProbe(.buffer) { [shown, clock] _, pad in
      let (now, count) = (clock.now, pad.element.flatMap { Self.count("rendered", of: $0) })
      shown.withLock { $0.arrive(at: now, rendered: count) }
      return .pass
    }
    messages = pipeline.bus.messages
    // It plays once the first frame is there.
    tasks.append(Task { try? await pipeline.play() })
  }

  /// Shows what an outlet gives, until that ends.
  ///
  /// - Parameters:
  ///   - whenAsked: Told when its window is asked to be closed. It stays open.
  ///   - whenFailed: Gets the reason where frames cannot be shown any longer.
  func show(
    _ outlet: Outlet, whenAsked: @escaping @Sendable () -> Void,
    whenFailed: @escaping @Sendable (CaptureError) -> Void
  ) {
    // From before the first frame: a display may fail with that.
    guard let parts, let messages else { return }
    self.messages = nil
    let input = parts.input
    self.outlet.value = outlet
    let showing = Task {
      // An outlet of the latest frames does not fail.
      while let sample = try? await outlet.next() {
        guard (try? await input.send(sample)) != nil else { break }
      }
      outlet.finish()
    }
    let watching = Task {
      for await message in messages {
        guard message.kind == .error, let error = message.error else { continue }
        return whenFailed(Self.explain(error))
      }
    }
    tasks += [showing, watching]
    guard let window else { return }
    let following = Task { [weak self] in
      for await event in window.events {
        switch event {
        case .closeRequested: whenAsked()
        case .destroyed:
          return whenFailed(
            CaptureError(.previewFailed, "The window system destroyed the window."))
        default: await self?.follow(event)
        }
      }
    }
    tasks.append(following)
  }

  /// The frames that have appeared, counted by the sink after its own drops.
  ///
  /// Not shown were those that newer ones replaced, and those that the sink dropped.
  nonisolated func status(as id: PreviewID) -> CaptureStatus.PreviewStatus {
    let (now, shown) = (clock.now, shown.value)
    let dropped = sink.value.flatMap { Self.count("dropped", of: $0) } ?? 0
    return CaptureStatus.PreviewStatus(
      id: id, frames: shown.count, frameRate: shown.rate(at: now),
      dropped: (outlet.value?.dropped ?? 0) &+ dropped, longestGap: shown.longestGap(at: now))
  }

  private static func count(_ name: String, of sink: Element) -> UInt64? {
    (try? sink.get("stats", as: Structure.self))?.get(name)
  }

  // MARK: The window

  private func follow(_ event: PreviewWindowEvent) async {
    guard let parts else { return }
    switch event {
    case .exposed(let width, let height):
      windowSize = (width, height)
      let drawn = parts.drawn
      // GL has nothing to draw with before its first frame; it looks at the size with each.
      guard drawn.factoryName != "glimagesink" || (try? drawn.pad("sink"))?.caps != nil else {
        return
      }
      await parts.pipeline.redraw(drawn)
    case .pointer(let action, let x, let y):
      guard let windowSize, let caps = (try? parts.frames.pad("src"))?.caps,
        let frame = try? VideoInfo(caps),
        let fit = FrameFit(
          frame: (frame.width, frame.height),
          pixelAspect: frame.pixelAspectRatio.quotient ?? 1, window: windowSize)
      else { return }
      let point = fit.point(x: x, y: y)
      if let event = try? Event.pointer(action, x: point.x, y: point.y) { navigation.yield(event) }
    case .key(let name): if let event = try? Event.keyPress(name) { navigation.yield(event) }
    case .closeRequested, .destroyed: break
    }
  }

  /// Closes the display, and returns once the sink has given everything back.
  func close() async {
    await dispose()
    await window?.close()
  }

  private func dispose() async {
    await stop()?.wait(atMost: Self.patience, on: clock)
  }

  /// Stops, and releases everything.
  ///
  /// - Returns: The disposal of the pipeline; nil where it is closed already.
  private func stop() async -> Disposal? {
    guard let pipeline = parts?.pipeline else { return nil }
    let tasks = tasks
    for task in tasks { task.cancel() }
    await pipeline.stop()
    // They hold elements.
    for task in tasks { await task.value }
    messages = nil
    sink.value = nil
    parts = nil
    return Disposal(of: pipeline.element)
  }

  /// Whether there is anything that a window or a frame could be on.
  ///
  /// Without one, autovideosink tries one sink after the other, and that of DirectFB takes the
  /// process with it.
  private static var hasDisplay: Bool {
    let environment = ProcessInfo.processInfo.environment
    let isSet = { (name: String) in environment[name].map { !$0.isEmpty } ?? false }
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")
      || FileManager.default.fileExists(atPath: "/dev/dri/card0")
      || FileManager.default.fileExists(atPath: "/dev/fb0")
  }

  private static func explain(_ error: any Error) -> CaptureError {
    .of(error, before: "the preview was open") { error in
      switch error.code {
      case .noSuchElement, .missingPlugin:
        CaptureError(
          .missingElement,
          "No element that shows video is installed (\(error.message)). Most are in "
            + "gstreamer1.0-plugins-good and gstreamer1.0-x.",
          underlying: error)
      default:
        CaptureError(
          .previewFailed,
          "The video cannot be shown: the window was closed, or there is no display.",
          underlying: error)
      }
    }
  }
}
