// A capture stream is one run of a source through the effect, until the source ends or fails.

import GStreamer

/// The GStreamer pipeline of a capture: source → effect → appsink, and beside it sound → appsink.
///
/// Video and sound are in one pipeline so that their running times are of one clock. Who shows or
/// records them has a pipeline of their own, and cannot harm this one.
struct CaptureStream: Sendable {
  struct Input: Sendable {
    let source: any FrameSource
    let element: Element
  }

  /// Sound on its way to an appsink: a branch that may fail while the video goes on.
  struct Sound: Sendable {
    let source: any SoundSource
    let branch: Element
    let sink: AppSink

    /// Whether it comes as time goes by; nil before that is known.
    var isLive: Bool? { try? sink.element.pad("sink").peer?.isLive }
  }

  /// Whether frames come as time goes by: then nothing may hold them up.
  var isLive: Bool { (try? input.element.pad("src").isLive) ?? true }

  let pipeline: Pipeline
  /// The clock of its limits.
  let clock: any SteadyClock
  let effect: Effect
  let frames: AppSink
  var input: Input
  var sound: Sound?
  /// Gives images in memory to the pad `map`; nil where none are given.
  var mapFeed: MapFeed?
  let reached: Shared<ReachedFrame>
  /// Its time in what is played, which is what properties that move by themselves go by.
  let streamTime: Shared<ClockTime>

  /// The element that has the properties of the effect at the moment.
  var scan: Element { effect.scan }

  /// Makes the pipeline; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - tap: Gets frames that reach the effect.
  ///   - onFormat: Called on the streaming thread before the first frame of a format.
  init(
    _ source: any FrameSource, _ sound: (any SoundSource)?, _ settled: ValidatedScan,
    on device: EffectDevice, clock: any SteadyClock, streamClock: StreamClock?, tap: Handoff,
    onFormat: @escaping @Sendable (VideoInfo) -> Void
  ) async throws(CaptureError) {
    let element = try await source.makeElement()
    element.keepsState = true
    self.clock = clock
    let effect = try Effect(on: device)
    settled.apply(to: effect.scan)
    do throws(GStreamerError) {
      let frames = try AppSink(name: "frames", isSynchronized: false)
      let pipeline = try Pipeline(clock: streamClock, limits: clock)
      try await pipeline.add(chain: [element, effect.element, frames.element])
      if source is SourceMixer {
        try element.pad("map").link(to: try effect.element.requestPad("map"))
      }
      let reached = Shared(ReachedFrame(on: clock))
      let streamTime = Shared(ClockTime.zero)
      let hasNewCaps = Shared(false)
      try effect.element.pad("sink").addProbe([.buffer, .eventDownstream]) { item, sink in
        switch item {
        case .event(let event) where event.kind == .caps: hasNewCaps.value = true
        case .buffer(let buffer):
          let start = sink.runningTime(of: buffer)
          if let start, !reached.withLock({ $0.follow(with: buffer, at: start) }) { return .drop }
          if hasNewCaps.exchange(false), let caps = sink.caps, let info = try? VideoInfo(caps) {
            onFormat(info)
          }
          tap.pass { sink.caps.map { Sample(buffer, caps: $0.inMemory) } }
          if start != nil, let time = sink.streamTime(of: buffer) { streamTime.value = time }
        default: break
        }
        return .pass
      }
      self.pipeline = pipeline
      self.effect = effect
      self.frames = frames
      self.reached = reached
      self.streamTime = streamTime
      input = Input(source: source, element: element)
    } catch {
      throw source.explain(error)
    }
    if let sound { try await add(sound) }
  }

  // MARK: Sound

  /// Puts sound in; where the pipeline plays, ``startSound()`` lets that play, too.
  mutating func add(_ source: any SoundSource) async throws(CaptureError) {
    let element = try await source.makeSoundElement()
    do throws(GStreamerError) {
      let sink = try AppSink(delivery: .lossless(queue: 64), isSynchronized: false)
      // No state of the pipeline waits for sound.
      try sink.element.set("async", to: false)
      // Recorded sound must be interleaved.
      let format = try Element(filter: Caps("audio/x-raw,layout=interleaved"))
      let branch = try Element(
        chaining: [element, Element("audioconvert"), format, sink.element])
      branch.keepsErrors = true
      branch.keepsState = true
      try await pipeline.add(branch)
      sound = Sound(source: source, branch: branch, sink: sink)
    } catch {
      throw source.explainSound(error)
    }
  }

  /// Lets sound play that came later than the rest.
  func startSound() async throws(CaptureError) {
    guard let sound else { return }
    do throws(GStreamerError) {
      try await pipeline.syncState(of: sound.branch)
    } catch {
      throw sound.source.explainSound(error)
    }
  }

  mutating func removeSound() async {
    guard let sound else { return }
    self.sound = nil
    await pipeline.remove(sound.branch)
  }
}
