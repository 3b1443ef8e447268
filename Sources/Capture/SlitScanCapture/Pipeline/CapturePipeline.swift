// The capture pipeline runs a source through the effect and hands the frames to previews, recordings and readers.

import GStreamer

/// A source and sound through the effect, to previews, recordings, stills and readers.
///
/// Everything comes and goes while frames flow. Previews and recordings have pipelines of their own,
/// so one that is slow, full or closed takes nothing from the others. ``CaptureSession`` is the public way to
/// all of this, by what is wanted instead of by what is to be done.
package actor CapturePipeline {
  package internal(set) var state = CaptureStatus.State.stopped
  package internal(set) var scan: Scan
  package internal(set) var soundDelay: SoundDelay
  /// Whether the effect is to run on the GPU, from the next time that a source is opened from the start.
  package internal(set) var gpu: GPUUse
  /// The device that the effect runs on, or ran on last.
  package internal(set) var device = EffectDevice.processor(because: nil)

  /// Nil before the first one.
  var source: (any FrameSource)?
  var sound: (any SoundSource)?
  var stream: CaptureStream?
  var frames = Distribution()
  var sounds = Distribution()
  /// The newest frame of the stream.
  var lastFrame: Sample?
  var photos = PhotoRequests<Sample, CheckedContinuation<Sample?, Never>>()
  var nextPhoto: UInt64 = 0
  var previews: [PreviewID: PreviewDisplay] = [:]
  var nextPreview: UInt64 = 0
  /// Those that go on, and some that are over.
  var recordings: [ActiveRecording] = []
  let mutex = AsyncMutex()
  /// The number of times that single properties were set, and what it was when each was set last.
  var (setCount, lastSets): (UInt64, [String: UInt64]) = (0, [:])
  /// Properties that wait for the next moment between two frames.
  var pendingChange: PropertyChange?
  /// The pipeline that has been opened, and has not given a frame yet.
  var opening: Pipeline?
  /// Counts the calls of ``stop()``: what is being opened goes no further.
  var stops = 0
  let broadcast = Broadcast<CaptureEvent>()
  let keys = Broadcast<String>()
  let closing = Broadcast<PreviewID>()
  let losses = Broadcast<LostInput>()
  let levels = Broadcast<SoundLevel>()
  /// Properties that move by themselves.
  var motions: [String: Motion] = [:]
  var blackout = Blackout()
  /// The image that is the map `live`; nil where none is.
  var mapImage: Sample?
  /// The sources that the capture outlives, by their numbers.
  var inputs: [Int: InputWatch] = [:]
  let outlivesSource: Bool
  nonisolated let taps = FrameTaps()
  /// The clock of its limits.
  let clock: any SteadyClock
  /// The clock that frames come by; nil for the one that the elements choose.
  private let streamClock: StreamClock?
  /// The past that a file begins with.
  let past: Past?
  private var delayLine = SoundDelayLine<Sample>()
  private let interleaver = Shared(Interleaver(isKept: false))
  private(set) var readers: [Task<Void, Never>] = []
  private var soundReader: Task<Void, Never>?
  /// The time that is added to running times, as those of each stream begin at 0.
  private(set) var timeBase = ClockTime.zero
  /// The end of the last frame, counted from the first.
  package private(set) var time = ClockTime.zero
  /// The number of frames that have left the effect.
  private(set) var frameCount = 0
  /// The duration of the newest frame.
  private(set) var frameInterval = ClockTime.zero
  /// The caps of frames as they came last, and as bytes.
  private var frameCaps: (came: Caps, bytes: Caps)?

  /// A capture; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - outlivesSource: Whether the effect keeps its history when the source ends or breaks off after its
  ///     first frame, until ``openInput(_:_:)`` opens it again.
  ///   - past: The past that the effect has before the first frame of a file; nil for none.
  package init(
    _ source: (any FrameSource)? = nil, sound: (any SoundSource)? = nil, scan: Scan = [:],
    soundDelay: SoundDelay = .none, gpu: GPUUse = .off, outlivesSource: Bool = false,
    past: Past? = nil, clock: any SteadyClock = ContinuousClock(), streamClock: StreamClock? = nil
  ) {
    self.clock = clock
    self.streamClock = streamClock
    self.past = past
    self.outlivesSource = outlivesSource
    self.source = source
    self.sound = sound
    self.scan = scan
    self.soundDelay = soundDelay
    self.gpu = gpu
  }

  deinit {
    for reader in readers { reader.cancel() }
    soundReader?.cancel()
    for waiter in photos.end() { waiter.resume(returning: nil) }
    frames.finish()
    sounds.finish()
    broadcast.finish()
    keys.finish()
    closing.finish()
    losses.finish()
    levels.finish()
  }

  static let nothingIsOpen = CaptureError(
    .wrongState, "Nothing is open yet. Update the session first.")

  // MARK: Start and stop

  /// Opens source and sound, and lets frames flow.
  ///
  /// - Throws: Why the source or the sound cannot be opened, ``CaptureError/Code/badScan``,
  ///   ``CaptureError/Code/badMapImage``; ``CaptureError/Code/noGPU`` where the effect is to run on the GPU
  ///   and cannot.
  package func start() async throws(CaptureError) {
    try await changing { stopsBefore throws(CaptureError) in
      guard state != .running else { return }
      guard let source else { throw Self.nothingIsOpen }
      let settled = try ValidatedScan(scan)
      try await settled.requireMapImage()
      _ = try await open(source, sound, settled, since: stopsBefore)
    }
  }

  /// Completes all recordings, closes the previews and the source.
  ///
  /// The previews have given back windows, connections and threads then: the program may exit.
  ///
  /// - Returns: What has been recorded; of those that failed, nothing.
  @discardableResult
  package func stop() async -> [RecordedFile] {
    await endChange()
    return await mutex.run { () async in
      var results: [RecordedFile] = []
      // One may begin while others end.
      while !recordings.isEmpty {
        let recording = recordings.removeFirst()
        guard !recording.isOver else { continue }
        if let result = try? await recording.finish() { results.append(result) }
      }
      // One may be opened while others close.
      while let (_, preview) = previews.popFirst() { await preview.close() }
      await close()
      frames.endSource()
      state = .stopped
      return results
    }
  }

  /// Ends a change that is under way, before a stop: it may wait for a first frame that never comes, or for a
  /// reader who never reads.
  func endChange() async {
    stops += 1
    guard mutex.isTaken else { return }
    // The end of the stream is not one of the source.
    cancelReaders()
    await (opening ?? stream?.pipeline)?.stop()
  }

  /// Opens a stream in the place of the one before.
  ///
  /// - Parameters:
  ///   - gpu: Whether the effect runs on the GPU from now on; nil for as before.
  ///   - recorders: Begin with the first frame.
  ///   - stopsBefore: The stops that there had been when it was asked for.
  func open(
    _ source: any FrameSource, _ sound: (any SoundSource)?, _ settled: ValidatedScan,
    gpu: GPUUse? = nil, _ recorders: [Recorder] = [], since stopsBefore: Int
  ) async throws(CaptureError) -> [ActiveRecording] {
    let gpu = gpu ?? self.gpu
    let before = scan
    let device = try await gpu.findDevice(for: settled, on: clock)
    try requireNoStop(since: stopsBefore)
    await close()
    let stream = try await CaptureStream(
      source, sound, settled, on: device, clock: clock, streamClock: streamClock, tap: taps.effect
    ) {
      [broadcast] info in
      broadcast.tell(
        .formatChanged(
          width: info.width, height: info.height, frameRate: info.frameRate,
          byteCount: info.byteCount))
    }
    timeBase = time
    self.stream = stream
    self.device = device
    watch(stream.input, of: stream.pipeline)
    catchUp(stream.scan, since: before)
    for (property, motion) in motions { try? stream.scan.move(property, motion) }
    state = .stopped
    follow(stream)
    let pipeline = stream.pipeline
    opening = pipeline
    defer { opening = nil }
    let stall = StallWatch(stream.input.element, in: pipeline)
    var begun: [ActiveRecording] = []
    do {
      if mapImage != nil { try await settleMapFeed() }
      // A stop that comes before the pipeline begins to open has to end that, too.
      let stopCount = await pipeline.stopCount
      try requireNoStop(since: stopsBefore)
      let (past, hold) = (past, try holdFirstFrame(of: stream))
      async let filling: Void = stream.fill(past, hold)
      try await stall.during { () throws(GStreamerError) in
        try await pipeline.change(to: .paused, ifStoppedOnly: stopCount)
      }
      await filling
      // From here on it is known whether frames come as time goes by.
      keepStep(of: stream)
      begun = recorders.map { begin($0) }
      try requireNoStop(since: stopsBefore)
      try await stall.during { () throws(GStreamerError) in
        try await pipeline.change(to: .playing, ifStoppedOnly: stopCount)
      }
      if let failure = soundFailure { throw failure }
    } catch {
      recordings.removeAll { recording in begun.contains { $0 === recording } }
      await close()
      throw .of(error, before: "the capture began") {
        CaptureError(ofEffect: $0) ?? source.explain($0)
      }
    }
    self.source = source
    self.sound = sound
    self.gpu = gpu
    // It may have ended or failed since.
    if state == .stopped { state = .running }
    self.opening = nil
    if case .failed(let error) = state { fail(error) }
    return begun
  }

  /// Sets what has been set of the effect while nothing was open.
  private func catchUp(_ element: Element, since before: Scan) {
    let changed = scan.properties.filter { before.properties[$0.key] != $0.value }
    guard !changed.isEmpty, let settled = try? ValidatedScan(scan) else { return }
    for name in changed.keys {
      if let value = settled.value(of: name) { try? element.set(name, to: value) }
    }
  }

  private var soundFailure: CaptureError?

  /// Ends what is heard of the stream: what the readers call does nothing once they are cancelled, also where it has
  /// waited meanwhile.
  private func cancelReaders() {
    for reader in readers { reader.cancel() }
    readers = []
    soundReader?.cancel()
    soundReader = nil
  }

  private func close() async {
    cancelReaders()
    soundFailure = nil
    delayLine = SoundDelayLine()
    if let stream { await stream.pipeline.stop() }
    stream = nil
    inputs = [:]
    lastFrame = nil
    for waiter in photos.end() { waiter.resume(returning: nil) }
    if state == .ended || state == .running { state = .stopped }
  }

  // MARK: What comes

  /// The events that happen by themselves, from now on.
  package nonisolated var events: AsyncStream<CaptureEvent> { broadcast.listen(limit: 1000) }

  private func follow(_ stream: CaptureStream) {
    let (samples, messages) = (stream.frames.samples, stream.pipeline.bus.messages)
    readers = [
      Task { [weak self] in
        do {
          for try await sample in samples { await self?.handleVideo(sample) }
          await self?.end(nil)
        } catch {
          await self?.end(error as? GStreamerError)
        }
      },
      Task { [weak self] in
        for await message in messages { await self?.receive(message) }
      },
    ]
    followSound(stream)
  }

  /// Listens to the sound of a stream, if it has any.
  func followSound(_ stream: CaptureStream) {
    soundReader?.cancel()
    soundReader = nil
    guard let samples = stream.sound?.sink.samples else { return }
    soundReader = Task { [weak self] in
      do {
        for try await sample in samples { await self?.handleAudio(sample) }
        await self?.loseSound(nil)
      } catch {
        await self?.loseSound(error as? GStreamerError)
      }
    }
  }

  private func handleVideo(_ sample: Sample) async {
    guard !Task.isCancelled, let buffer = sample.buffer else { return }
    // One that says no time follows the one before.
    let start = sample.runningTime ?? buffer.presentationTime ?? time - timeBase
    let duration = buffer.duration ?? interval(of: sample)
    frameInterval = duration
    let sample = inMemory(sample)
    await keepStep { $0.mustWait(.frames, at: start) }
    guard !Task.isCancelled else { return }
    frameCount += 1
    lastFrame = sample
    let photos = photos.handle(sample, at: start)
    let place = timeBase + start
    if frameCount == 1 { broadcast.tell(.firstFrame(place)) }
    time = max(time, place + duration)
    if let frame = retimed(blackout.cover(sample), to: place) {
      await frames.pass(frame, of: stream)
    }
    // A photo that was taken before the stop has its frame in the recording.
    for photo in photos { photo.waiter.resume(returning: photo.frame) }
    await playSound(upTo: place)
    guard !Task.isCancelled else { return }
    interleaver.withLock { $0.advance(.frames, to: start) }
  }

  /// The time from one frame to the next, as the caps say.
  private func interval(of sample: Sample) -> ClockTime {
    guard let caps = sample.caps, let rate = try? VideoInfo(caps).frameRate.quotient, rate > 0
    else { return .zero }
    return .seconds(1 / rate)
  }

  private func handleAudio(_ sample: Sample) async {
    guard !Task.isCancelled, let buffer = sample.buffer,
      let start = sample.runningTime ?? buffer.presentationTime
    else { return }
    await keepStep { $0.mustWait(.sound, at: start) }
    guard !Task.isCancelled else { return }
    let place = timeBase + start
    if let sound = retimed(sample, to: place) {
      if soundDelay == .none {
        await sounds.pass(sound, of: stream)
      } else {
        delayLine.append(sound, at: place)
      }
    }
    guard !Task.isCancelled else { return }
    interleaver.withLock { $0.advance(.sound, to: start) }
  }

  /// Has video and sound wait for each other, where neither comes as time goes by.
  func keepStep(of stream: CaptureStream) {
    let isKept = !stream.isLive && stream.sound?.isLive == false
    interleaver.withLock { $0 = Interleaver(isKept: isKept) }
  }

  /// Waits as long as one is ahead of the other, and its reader is not cancelled.
  private func keepStep(while isAhead: @escaping @Sendable (Interleaver) -> Bool) async {
    await interleaver.wait {
      isAhead($0) ? nil : ()
    } onCancel: { _ in
      ()
    }
  }

  /// Gives out what is heard up to a frame.
  private func playSound(upTo place: ClockTime) async {
    guard soundDelay != .none, sound != nil else { return }
    delayLine.follow(wantedDelay)
    for (sound, due) in delayLine.advance(to: place) {
      guard let delayed = try? sound.buffer?.moved(to: due, duration: sound.buffer?.duration),
        let caps = sound.caps
      else { continue }
      await sounds.pass(Sample(delayed, caps: caps), of: stream)
    }
  }

  private var wantedDelay: ClockTime {
    if case .fixed(let delay) = soundDelay { return delay }
    guard let field = soundDelay.statistic,
      let statistics = try? stream?.scan.get("stats", as: Structure.self)
    else { return .zero }
    return statistics.get(field) ?? .zero
  }

  /// The sample as every element can read it: textures are downloaded when one maps them, and stay on the GPU
  /// for elements of OpenGL.
  ///
  /// Its caps say what the samples mean, for elements that scale or turn it.
  private func inMemory(_ sample: Sample) -> Sample {
    guard let caps = sample.caps, let buffer = sample.buffer else { return sample }
    if frameCaps?.came != caps { frameCaps = (caps, caps.inMemory.statingColorimetry) }
    guard let bytes = frameCaps?.bytes, bytes != caps else { return sample }
    return Sample(buffer, caps: bytes)
  }

  /// A sample whose timestamp is its time in the capture.
  ///
  /// Previews and readers go by the timestamps of buffers alone, and those of a source that replaces another,
  /// such as the next pass of a clip, begin anew.
  private func retimed(_ sample: Sample, to place: ClockTime) -> Sample? {
    guard let buffer = sample.buffer, let caps = sample.caps else { return nil }
    guard buffer.presentationTime != place || sample.runningTime != place else { return sample }
    return (try? buffer.moved(to: place, duration: buffer.duration)).map { Sample($0, caps: caps) }
  }

  // MARK: What ends

  private func end(_ error: GStreamerError?) async {
    guard !Task.isCancelled, let stream else { return }
    // The sound of the last frames belongs to them.
    if error == nil { await keepStep { $0.isAhead(.frames) } }
    if !Task.isCancelled { await playSound(upTo: time) }
    guard !Task.isCancelled else { return }
    interleaver.withLock { $0.end(.frames) }
    if let error {
      fail(CaptureError(ofEffect: error) ?? stream.input.source.explain(error))
    } else {
      for waiter in photos.end() { waiter.resume(returning: lastFrame) }
      state = .ended
      frames.endSource()
      broadcast.tell(.sourceEnded)
    }
  }

  /// The source broke off; while it is being opened, the caller gets the error.
  func fail(_ error: CaptureError) {
    state = .failed(error)
    guard opening == nil else { return }
    for waiter in photos.end() { waiter.resume(returning: nil) }
    frames.endSource(error)
    broadcast.tell(.sourceFailed(error))
  }

  /// Sound has ended, or broke off.
  private func loseSound(_ error: GStreamerError?) {
    guard !Task.isCancelled else { return }
    interleaver.withLock { $0.end(.sound) }
    guard let error, let source = stream?.sound?.source else { return }
    let failure = source.explainSound(error)
    soundFailure = failure
    broadcast.tell(.soundFailed(failure))
  }

  /// The effect goes on on the processor, with the properties that it had.
  private func loseGPU(_ reason: String) {
    device = .processor(because: reason)
    guard let stream else { return }
    for (property, motion) in motions { try? stream.scan.move(property, motion) }
    broadcast.tell(
      .gpuLost(
        CaptureError(
          .noGPU, "The effect is no longer on the GPU: \(reason) It goes on on the processor.")))
  }

  private func receive(_ message: Message) {
    guard !Task.isCancelled else { return }
    if let error = message.error, message.kind == .error, let element = message.source {
      failInput(error, of: element)
    }
    if let error = message.mapImageWarning {
      broadcast.tell(.mapImageFailed(CaptureError(.badMapImage, error.message, underlying: error)))
    }
    if let error = message.historyWarning {
      broadcast.tell(.historyFailed(CaptureError(.historyFailed, error.message, underlying: error)))
    }
    guard message.kind == .element, let structure = message.structure else { return }
    switch structure.name {
    case "slitscan-complete":
      guard let start: ClockTime = structure.get("running-time") else { return }
      for answer in photos.complete(at: start) {
        answer.waiter.resume(returning: answer.frame)
      }
      broadcast.tell(.completed(timeBase + start))
    case "slitscan-depth-limited":
      guard let depth: Int = structure.get("depth"), let wanted: Int = structure.get("wanted")
      else { return }
      broadcast.tell(.depthLimited(depth: depth, wanted: wanted))
    case "slitscan-canvas-limited":
      guard let lines: Int = structure.get("lines"), let wanted: Int = structure.get("wanted")
      else { return }
      broadcast.tell(.canvasLimited(lines: lines, wanted: wanted))
    case "slitscan-fallback": loseGPU(structure.get("reason") ?? "")
    case "spectrum": if let level = SoundLevel(structure) { levels.tell(level) }
    default: break
    }
  }
}
