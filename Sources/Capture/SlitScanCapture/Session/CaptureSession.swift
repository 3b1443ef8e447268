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
/// configuration; a source that broke off is opened again by the next update.
public actor CaptureSession {
  /// The configuration that holds: the last that was asked for.
  public private(set) var configuration = CaptureConfiguration()

  private(set) var capture: CapturePipeline?
  private var previews: [CaptureConfiguration.PreviewIdentity: PreviewID] = [:]
  private var recordings: [String: ActiveRecording] = [:]
  private let mutex = AsyncMutex()
  /// Counts the calls of ``stop()``: an update from before one goes no further.
  private var stops = 0
  private let broadcast = Broadcast<CaptureEvent>()
  private var listening: Task<Void, Never>?

  /// The clock of its limits.
  let clock: any SteadyClock
  private let streamClock: StreamClock?

  /// A session in which nothing is open.
  public init() { self.init(clock: ContinuousClock()) }

  /// A session on clocks that are given, see ``CapturePipeline``.
  package init(clock: any SteadyClock, streamClock: StreamClock? = nil) {
    self.clock = clock
    self.streamClock = streamClock
  }

  deinit { listening?.cancel() }

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
  ///   ``CaptureError/Code/cancelled`` where ``stop()`` or a cancellation comes before it is done.
  @discardableResult
  public nonisolated(nonsending) func update(
    @CaptureBuilder _ parts: () -> [any CapturePart]
  ) async throws(CaptureError) -> [Recording] {
    try await update(to: CaptureConfiguration(parts()))
  }

  /// Brings the capture to what is wanted.
  ///
  /// - Throws: As ``update(_:)``.
  @discardableResult
  public func update(
    to wanted: CaptureConfiguration
  ) async throws(CaptureError) -> [Recording] {
    let work = Task { try await bring(to: wanted) }
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

  private static let cancelled = CaptureError(
    .cancelled, "The update was cancelled before it was done.")

  /// Stops everything, also in a task that is cancelled.
  ///
  /// - Returns: The recordings that were completed.
  @discardableResult
  public func stop() async -> [Recording] {
    stops += 1
    if mutex.isTaken { await capture?.endChange() }
    return await Task { (try? await bring(to: CaptureConfiguration())) ?? [] }.value
  }

  private func bring(to wanted: CaptureConfiguration) async throws(CaptureError) -> [Recording] {
    let stopsBefore = stops
    return try await mutex.run { () async throws(CaptureError) in
      guard !Task.isCancelled else { throw Self.cancelled }
      return try await transact(wanted, stopsBefore)
    }
  }

  /// The parts that have been prepared and can be given up.
  private struct Preparation {
    var displays: [CaptureConfiguration.PreviewIdentity: PreviewDisplay] = [:]
    var recorders: [CapturePipeline.PreparedRecorder] = []
  }

  /// - Parameter stopsBefore: How often everything had been stopped when this was asked for.
  private func transact(
    _ wanted: CaptureConfiguration, _ stopsBefore: Int
  ) async throws(CaptureError) -> [Recording] {
    guard let video = wanted.video else { return await Task { await close() }.value }
    let difference = CaptureDifference(from: configuration, to: wanted)
    // Known to be right before anything opens.
    let settled = try ValidatedScan(wanted.scan ?? .off)
    let isOpen = await capture?.isOpen ?? false
    if difference.changesScan || !isOpen { try await settled.requireMapImage() }
    // Previews that are prepared use the display that is found.
    _ = try await wanted.gpu?.findDevice(on: clock)
    let capture = capture ?? makeCapture(video)
    // A stop that comes from here on is one of the capture, too.
    let captureStops = await capture.stops
    guard stops == stopsBefore else {
      throw CaptureError(.cancelled, "The session was stopped before the update was done.")
    }
    var preparation = Preparation()
    let begun: [ActiveRecording]
    do throws(CaptureError) {
      try await prepare(difference, wanted, capture, &preparation)
      begun = try await change(
        difference, wanted, video, capture, settled, preparation, captureStops)
    } catch {
      // In any case, also where the task is cancelled.
      await Task { [preparation] in await giveUp(preparation) }.value
      throw error
    }
    return await Task { [preparation] in
      await commit(difference, wanted, capture, preparation, begun)
    }.value
  }

  private func makeCapture(_ video: VideoChoice) -> CapturePipeline {
    let made = CapturePipeline(video.makeSource(), clock: clock, streamClock: streamClock)
    capture = made
    let events = made.events
    listening = Task { [broadcast] in
      for await event in events { broadcast.tell(event) }
    }
    return made
  }

  /// Opens what can be opened beside what there is.
  private func prepare(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration, _ capture: CapturePipeline,
    _ preparation: inout Preparation
  ) async throws(CaptureError) {
    for identity in difference.opened {
      preparation.displays[identity] = try await capture.preparePreview(identity.sink)
    }
    for path in difference.begun {
      guard recordings[path] == nil else {
        throw CaptureError(
          .badConfiguration,
          "\(path) is being recorded with other settings. Remove that recording first, or choose another file."
        )
      }
      let settings =
        wanted.recordings[path]?.settings
        ?? RecorderSettings(audio: wanted.sound == nil ? nil : AudioSettings())
      preparation.recorders.append(
        try await CapturePipeline.PreparedRecorder(to: path, settings))
    }
  }

  /// Changes where video and sound come from, and what is done to them; or nothing of that.
  private func change(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration, _ video: VideoChoice,
    _ capture: CapturePipeline, _ settled: ValidatedScan, _ preparation: Preparation,
    _ stopsBefore: Int
  ) async throws(CaptureError) -> [ActiveRecording] {
    let isOpen = await capture.isOpen
    let changesVideo = difference.changesVideo || !isOpen
    let changesSound = difference.changesSound || !isOpen
    await capture.setSoundDelay(wanted.soundDelay)
    do throws(CaptureError) {
      return try await capture.reconfigure(
        to: changesVideo ? video.makeSource() : nil,
        sound: changesSound ? .some(wanted.sound?.makeSource()) : nil, wanted.scan ?? .off,
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
    for prepared in preparation.recorders { await prepared.recorder.discard() }
  }

  /// Lets the new begin, and what is not wanted any more end, which cannot fail.
  private func commit(
    _ difference: CaptureDifference, _ wanted: CaptureConfiguration, _ capture: CapturePipeline,
    _ preparation: Preparation, _ begun: [ActiveRecording]
  ) async -> [Recording] {
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
    for prepared in preparation.recorders { await prepared.recorder.keep() }
    configuration = wanted
    var results: [Recording] = []
    for recording in ended {
      // One that failed has said so as an event.
      if let result = try? await capture.end(recording) { results.append(result) }
    }
    return results
  }

  private func close() async -> [Recording] {
    configuration = CaptureConfiguration()
    previews = [:]
    recordings = [:]
    return await capture?.stop() ?? []
  }

  // MARK: Actions

  /// The next whole frame, see ``CapturePipeline/photo()``.
  ///
  /// - Throws: As that; ``CaptureError/Code/wrongState`` where nothing is open.
  public func photo() async throws(CaptureError) -> Photo {
    try await opened().photo()
  }

  /// The scanned frames from now on, see ``CapturePipeline/frames(delivery:)``.
  ///
  /// - Throws: ``CaptureError/Code/wrongState`` where nothing has been opened yet.
  public func frames(delivery: Delivery = .latest(1)) async throws(CaptureError) -> ScannedFrames {
    try await opened().frames(delivery: delivery)
  }

  /// A recording that goes on, to pause and resume it; nil where there is none with this path.
  public func recording(to path: String) -> ActiveRecording? { recordings[path] }

  /// The events that happen by themselves, from now on.
  public nonisolated var events: AsyncStream<CaptureEvent> { broadcast.listen(limit: 1000) }

  /// The status at this moment.
  public var status: CaptureStatus {
    get async {
      guard let capture else { return CaptureStatus() }
      return await capture.status
    }
  }

  private func opened() throws(CaptureError) -> CapturePipeline {
    guard let capture else {
      throw CaptureError(.wrongState, "Nothing is open yet. Update the session first.")
    }
    return capture
  }
}
