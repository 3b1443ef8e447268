// A capture session brings a running capture to the configuration that is asked for.

import GStreamer

/// Brings a capture to what is wanted, changing only what differs.
///
/// ```swift
/// let session = CaptureSession()
/// try await session.update {
///   Camera()
///   Microphone(delay: .center)
///   Scan(map: .radial)
///   Preview()
///   if isRecording { Record(to: "out.mp4") }
/// }
/// try await session.photo().write(to: "still.png")
/// ```
///
/// An update is a transaction: all of it is done, between two frames where frames flow, or nothing,
/// and the error says why. What stays as it was does not notice: no preview loses a frame because a
/// recording begins, and no recording because the camera changes.
///
/// A preview or a recording that breaks off by itself stays so until it is taken out of the
/// configuration; a source that broke off is opened again by the next update, and one that has ended by
/// ``restart()``.
public actor CaptureSession {
  /// The configuration that holds: the last that was asked for.
  package private(set) var configuration = CaptureConfiguration()

  let capture: CapturePipeline
  /// Whether anything has been opened, or tried to.
  private var hasBegun = false
  private var previews: [CaptureConfiguration.PreviewIdentity: PreviewID] = [:]
  private(set) var recordings: [String: ActiveRecording] = [:]
  private let mutex = AsyncMutex()
  /// Counts the calls of ``stop()``: an update from before one goes no further.
  private var stops = 0

  /// The clock of its limits.
  let clock: any SteadyClock

  /// A session in which nothing is open.
  ///
  /// - Parameter clock: What its limits go by. In tests, on a `ManualClock`, none runs out on a slow machine.
  public init(clock: any SteadyClock = ContinuousClock()) {
    self.init(clock: clock, streamClock: nil)
  }

  /// A session whose pipelines play by a clock that is given, too.
  package init(clock: any SteadyClock, streamClock: StreamClock?) {
    self.clock = clock
    capture = CapturePipeline(clock: clock, streamClock: streamClock)
  }

  // MARK: Changes

  /// Brings the capture to what is wanted.
  ///
  /// Updates of several tasks follow each other. Cancellation ends one that waits, for its turn or for a first
  /// frame.
  ///
  /// - Parameter parts: What is wanted from now on; nothing stops everything. It runs here, so it may
  ///   look at whatever the caller may.
  /// - Returns: The recordings that were completed, because they are not wanted any more.
  /// - Throws: ``CaptureError/Code/badConfiguration``, ``CaptureError/Code/badScan``,
  ///   ``CaptureError/Code/badMapImage``, or why something does not open; everything is as before then.
  ///   ``CaptureError/Code/stopped`` or ``CaptureError/Code/cancelled`` where ``stop()`` or a cancellation comes before
  ///   it is done.
  @discardableResult
  public nonisolated(nonsending) func update(
    @CaptureBuilder _ parts: () -> [any CapturePart]
  ) async throws(CaptureError) -> [RecordedFile] {
    try await update(to: CaptureConfiguration(parts()))
  }

  /// Brings the capture to what is wanted.
  ///
  /// - Throws: As ``update(_:)``.
  @discardableResult
  package func update(
    to wanted: CaptureConfiguration
  ) async throws(CaptureError) -> [RecordedFile] {
    try await inTurn { session, stopsBefore throws(CaptureError) in
      try await session.transact(wanted, stopsBefore)
    }
  }

  /// Plays the source and its sound again from the start.
  ///
  /// A clip that has ended or still plays, or a camera that broke off. Previews and recordings go on, and so do the readers of
  /// ``frames(delivery:)``, but for those that ended with the source.
  ///
  /// - Throws: ``CaptureError/Code/wrongState`` where nothing has been opened yet; else as ``update(_:)``.
  public func restart() async throws(CaptureError) {
    try await inTurn { session, stopsBefore throws(CaptureError) in
      try await session.reopen(stopsBefore)
    }
  }

  private func reopen(_ stopsBefore: Int) async throws(CaptureError) {
    guard let video = configuration.video else { throw CapturePipeline.nothingIsOpen }
    let captureStops = await capture.stops
    guard stops == stopsBefore else { throw Self.stopped }
    _ = try await capture.reconfigure(
      to: video.makeSource(), sound: .some(configuration.sound?.makeSource()), capture.scan, nil,
      gpu: nil, recorders: [], stopsBefore: captureStops)
  }

  /// Stops everything, also in a task that is cancelled.
  ///
  /// - Returns: The recordings that were completed.
  @discardableResult
  public func stop() async -> [RecordedFile] {
    stops += 1
    if mutex.isTaken { await capture.endChange() }
    return await Task {
      let results = try? await turn { session, _ in await session.close() }
      return results ?? []
    }.value
  }

  /// Does something after what was asked for before, unless the caller is cancelled meanwhile.
  ///
  /// - Parameter body: Gets how often everything had been stopped when this was asked for.
  private func inTurn<Result: Sendable>(
    _ body: @escaping @Sendable (isolated CaptureSession, Int) async throws(CaptureError) -> Result
  ) async throws(CaptureError) -> Result {
    let work = Task { try await turn(body) }
    let outcome = await withTaskCancellationHandler {
      await work.result
    } onCancel: {
      work.cancel()
    }
    do {
      return try outcome.get()
    } catch {
      throw error as? CaptureError ?? Self.cancelled
    }
  }

  private func turn<Result: Sendable>(
    _ body: (isolated CaptureSession, Int) async throws(CaptureError) -> Result
  ) async throws(CaptureError) -> Result {
    let stopsBefore = stops
    let result = try await mutex.runUnlessCancelled { () async throws(CaptureError) in
      try await body(self, stopsBefore)
    }
    guard let result else { throw Self.cancelled }
    return result
  }

  private static let cancelled = CaptureError.cancelled(before: "the update was done")
  private static let stopped = CaptureError.stopped(before: "the update was done")

  /// The parts that have been prepared and can be given up.
  private struct Preparation {
    var displays: [CaptureConfiguration.PreviewIdentity: PreviewDisplay] = [:]
    var recorders: [Recorder] = []
  }

  /// - Parameter stopsBefore: How often everything had been stopped when this was asked for.
  private func transact(
    _ wanted: CaptureConfiguration, _ stopsBefore: Int
  ) async throws(CaptureError) -> [RecordedFile] {
    guard let video = wanted.video else { return await Task { await close() }.value }
    let difference = CaptureDifference(from: configuration, to: wanted)
    // Known to be right before anything opens.
    let settled = try ValidatedScan(wanted.scan ?? .off)
    let isOpen = await capture.isOpen
    if difference.changesScan || !isOpen { try await settled.requireMapImage() }
    // Previews that are prepared use the display that is found.
    _ = try await wanted.gpu?.findDevice(for: settled, on: clock)
    hasBegun = true
    // A stop that comes from here on is one of the capture, too.
    let captureStops = await capture.stops
    guard stops == stopsBefore else { throw Self.stopped }
    var preparation = Preparation()
    let begun: [ActiveRecording]
    do throws(CaptureError) {
      try await prepare(difference, wanted, &preparation)
      begun = try await change(difference, wanted, video, settled, preparation, captureStops)
    } catch {
      // In any case, also where the task is cancelled.
      await Task { [preparation] in await giveUp(preparation) }.value
      throw error
    }
    return await Task { [preparation] in
      await commit(difference, wanted, preparation, begun)
    }.value
  }

  /// Opens what can be opened beside what there is.
  private func prepare(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration,
    _ preparation: inout Preparation
  ) async throws(CaptureError) {
    for identity in difference.opened {
      preparation.displays[identity] = try await capture.preparePreview(identity.sink)
    }
    for path in difference.begun {
      guard let record = wanted.recordings[path], recordings[path] == nil else {
        throw CaptureError(
          .badConfiguration,
          "\(path) is being recorded with other settings. Remove that recording first, or choose another file."
        )
      }
      let recorder = try Recorder(to: path, record.settings(hasSound: wanted.sound != nil))
      try await recorder.begin()
      if record.isPaused { await recorder.pause() }
      preparation.recorders.append(recorder)
    }
  }

  /// Changes where video and sound come from, and what is done to them; or nothing of that.
  private func change(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration, _ video: VideoChoice,
    _ settled: ValidatedScan, _ preparation: Preparation, _ stopsBefore: Int
  ) async throws(CaptureError) -> [ActiveRecording] {
    let isOpen = await capture.isOpen
    let changesVideo = difference.changesVideo || !isOpen
    let changesSound = difference.changesSound || !isOpen
    // With what was set since, unless another scan is wanted.
    let keepsScan = configuration.video != nil && !difference.changesScan
    let scan = keepsScan ? await capture.scan : wanted.scan ?? .off
    await capture.setSoundDelay(wanted.soundDelay)
    do throws(CaptureError) {
      return try await capture.reconfigure(
        to: changesVideo ? video.makeSource() : nil,
        sound: changesSound ? .some(wanted.sound?.makeSource()) : nil, scan,
        difference.changesScan || !isOpen ? settled : nil,
        gpu: difference.changesGPU || !isOpen ? wanted.gpu ?? .off : nil,
        recorders: preparation.recorders, stopsBefore: stopsBefore)
    } catch {
      await capture.setSoundDelay(configuration.soundDelay)
      throw error
    }
  }

  private func giveUp(_ preparation: Preparation) async {
    for display in preparation.displays.values { await display.close() }
    for recorder in preparation.recorders { await recorder.discard() }
  }

  /// Lets the new begin, and what is not wanted any more end, which cannot fail.
  private func commit(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration, _ preparation: Preparation,
    _ begun: [ActiveRecording]
  ) async -> [RecordedFile] {
    for (identity, display) in preparation.displays {
      previews[identity] = await capture.show(display)
    }
    var ended: [ActiveRecording] = []
    for path in difference.ended {
      if let recording = recordings.removeValue(forKey: path) { ended.append(recording) }
    }
    for recording in begun { recordings[recording.path] = recording }
    for identity in difference.closed {
      if let preview = previews.removeValue(forKey: identity) {
        await capture.closePreview(preview)
      }
    }
    for recorder in preparation.recorders { await recorder.keep() }
    for (path, record) in wanted.recordings
    where record.isPaused != configuration.recordings[path]?.isPaused {
      await recordings[path]?.setPaused(record.isPaused)
    }
    configuration = wanted
    var results: [RecordedFile] = []
    for recording in ended {
      // One that failed has said so as an event.
      if let result = try? await capture.end(recording) { results.append(result) }
    }
    return results
  }

  private func close() async -> [RecordedFile] {
    configuration = CaptureConfiguration()
    previews = [:]
    recordings = [:]
    return await capture.stop()
  }

  // MARK: Actions

  /// Sets one property of the effect with the next frame, as a slider does.
  ///
  /// It stays so until an update wants another ``Scan`` than the one before.
  ///
  /// - Throws: ``CaptureError/Code/badScan``, and the effect goes on as before then;
  ///   ``CaptureError/Code/wrongState`` where nothing has been opened yet.
  public func set(_ property: String, to value: Value) async throws(CaptureError) {
    try await opened().set(property, to: value)
  }

  /// Sets several properties of the effect with the same frame; all others stay what they are at that moment.
  ///
  /// - Throws: As ``set(_:to:)``.
  public func set(_ properties: [String: Value]) async throws(CaptureError) {
    try await opened().set(properties)
  }

  /// The value of a property of the effect at this moment; nil where nothing is open, or there is no such property.
  public func value(of property: String) async -> Value? { await capture.value(of: property) }

  /// Lets a property move by itself, by the times of what is played, or ends that: it stays what it is then.
  ///
  /// It goes on with another source, whose times may begin anew.
  ///
  /// - Throws: As ``set(_:to:)``.
  public func move(_ property: String, _ motion: Motion?) async throws(CaptureError) {
    try await opened().move(property, motion)
  }

  /// Has an image in memory be the map `live`, from the next frame on.
  ///
  /// It stays until another one comes, also with another source of the video. Nothing waits: an image that comes
  /// faster than frames do takes the place of the one before, and the threads that carry frames are not held up.
  /// Whether the map is seen is for the property `map` to say: `Scan(map: .live)`.
  ///
  /// - Parameter image: Nil for none: the map `live` is 0 everywhere from the next frame on.
  /// - Throws: ``CaptureError/Code/badMapImage`` where there is no memory for the image,
  ///   ``CaptureError/Code/missingElement`` where GStreamer's base plugins are missing,
  ///   ``CaptureError/Code/wrongState`` where nothing has been opened yet.
  public func setMapImage(_ image: MapImage?) async throws(CaptureError) {
    try await opened().setMapImage(image)
  }

  /// Shows black instead of the video, in previews and recordings, or the video again.
  ///
  /// Stills are what the effect makes, all the same.
  ///
  /// - Throws: ``CaptureError/Code/wrongState`` where nothing has been opened yet.
  public func setBlack(_ isBlack: Bool) async throws(CaptureError) {
    try await opened().setBlack(isBlack)
  }

  /// The next whole frame.
  ///
  /// For `strip` and `sweep`, that is the next canvas or sweep that is complete; for a sweep that
  /// stands complete already, the next frame. Where the source ends before, or has ended, it is the last frame.
  ///
  /// - Throws: ``CaptureError/Code/cancelled``; ``CaptureError/Code/wrongState`` where nothing is open, no frames come
  ///   or the source breaks off before.
  public func photo() async throws(CaptureError) -> Photo {
    try await opened().photo()
  }

  /// The scanned frames from now on, until the source ends, breaks off or is stopped.
  ///
  /// Asked for before the first update, or between the end of a source and the next one, they begin with the first
  /// frame of what is opened next:
  ///
  /// ```swift
  /// let frames = await session.frames(delivery: .lossless)
  /// try await session.update { VideoFile("clip.mp4", isPaced: false); Scan(map: .radial) }
  /// for try await frame in frames { try await encode(frame) }
  /// ```
  ///
  /// Where another source takes over while one plays, they go on with that. A lossless reader gets every frame, or an
  /// error:
  ///
  /// - A live source, such as a camera or a clip that plays in real time, waits for nothing, and neither do
  ///   previews, recordings and stills. At most 60 frames wait for the reader, of at most 256 MB. A reader that
  ///   falls behind further gets these, and then ``CaptureError/Code/slowReader`` is thrown.
  /// - A source that can wait does so, and everything with it, until the reader has read or goes: stills
  ///   and a change of source wait, previews stand, recordings get nothing, and nothing is lost. After five
  ///   seconds ``events`` say so. ``ScannedFrames/stop()`` and ``stop()`` go through at once.
  ///
  /// - Parameter delivery: What happens when they come faster than they are read. The length of a lossless
  ///   queue counts for nothing here.
  public func frames(delivery: Delivery = .latest(1)) async -> ScannedFrames {
    await capture.frames(delivery: delivery)
  }

  /// The events that happen by themselves, from now on.
  public nonisolated var events: AsyncStream<CaptureEvent> { capture.events }

  /// The keys that are pressed in windows of previews, by X's names, as `space`, `Left` or `a`; from now
  /// on.
  public nonisolated var keyPresses: AsyncStream<String> { capture.keyPresses }

  /// The loudness of the sound, some 30 times a second, where its source is a ``MeteredSound``; from now on.
  package nonisolated var soundLevels: AsyncStream<SoundLevel> { capture.soundLevels }

  /// The status at this moment.
  public var status: CaptureStatus { get async { await capture.status } }

  /// The next frame that reaches the effect, as ``CapturePipeline/nextInput()``.
  package func nextInput() async -> Sample? { try? await opened().nextInput() }

  private func opened() throws(CaptureError) -> CapturePipeline {
    guard hasBegun else { throw CapturePipeline.nothingIsOpen }
    return capture
  }
}
