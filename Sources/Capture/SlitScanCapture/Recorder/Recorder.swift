// A recorder writes video and sound to a file.

import GStreamer

/// Records samples into a file.
///
/// ```swift
/// let recorder = try Recorder(to: "out.mp4", audio: AudioSettings())
/// try await recorder.start()
/// for try await sample in camera { try await recorder.append(video: sample) }
/// let recording = try await recorder.finish()
/// ```
///
/// A recorder makes one file: idle → recording → finishing → finished or failed. A sample's time is its
/// running time, or where it has none its buffer's; video and sound must have times of one clock.
/// The recording begins with the first frame, or where there are none, with the first sound. Sound
/// from before is cut off, and missing sound becomes silence, so both stay together whatever is late,
/// lost or paused.
///
/// Whatever happens, to the disk, to an encoder, to the process, what has been written can be played.
/// A recorder that is released stops, without an end to its file.
public actor Recorder {
  /// The state of a recorder.
  package enum State: Sendable, Hashable {
    /// It has not been started.
    case idle
    /// It takes samples.
    case recording
    /// It writes the rest.
    case finishing
    /// The file is complete.
    case finished(RecordedFile)
    /// It broke off; what has been written can be played. If that is nothing, the path is as it was.
    case failed(CaptureError)
  }

  /// The file.
  package nonisolated let path: String
  /// The kind of file.
  package nonisolated var container: Container { plan.container }
  /// Its state.
  package private(set) var state = State.idle

  nonisolated let plan: RecordingPlan
  nonisolated let settings: RecorderSettings
  var timeline: RecordingTimeline
  var streams: RecordingStreams?
  /// Sound that waits for the first frame.
  var heldSound = HeldSound()
  /// Sound on its way into the pipeline, in order.
  var soundToSend: [Sample] = []
  /// One task at a time sends sound.
  let sending = AsyncMutex()
  var hasSentSound = false
  var audioCaps: Caps?
  var videoShape: VideoShape?
  /// The format of raw frames as they are written, before they are turned.
  var written: VideoInfo?
  /// Their differences from that.
  var changes: [FormatChange] = []
  /// When encoded frames came that none could be decoded without.
  var keyFrameWait: (since: ClockTime, count: Int)?
  var skippedFrames = 0
  /// The speed of x264; nil before the first frame, and for other encoders.
  var encoderSpeed: EncoderSpeed?
  /// The steps by which quality has given way.
  var relief = EncoderRelief()
  /// The steps that the encoder is set to.
  var encoderLevel = 0
  /// Sets up the encoder anew as soon as nothing passes.
  var reset: Task<Void, Never>?
  /// The number of frames that were encoded with less than the quality that was asked for.
  var loweredFrames = 0
  /// Whether the previous file may go, once there is something in the new one.
  private var keepsFile = false
  private var watch: Task<Void, Never>?
  private var finishing: Task<Void, Never>?

  /// A recorder for a file, which is not touched before ``start()``.
  ///
  /// A file that is there then is replaced once the first frame or sound is written. Until then, and
  /// where nothing is recorded, it stays.
  ///
  /// - Parameters:
  ///   - path: Ends in `.mp4`, `.mov`, `.mkv` or `.webm`, unless `container` is named.
  ///   - container: The kind of file; nil for the one that the end of the path stands for.
  ///   - video: The video; nil for none.
  ///   - audio: The sound; nil for none.
  /// - Throws: ``CaptureError/Code/unknownContainer``, ``CaptureError/Code/unsupportedFormat``,
  ///   ``CaptureError/Code/missingEncoder``, ``CaptureError/Code/missingElement``.
  public init(
    to path: String, container: Container? = nil, video: VideoSettings? = VideoSettings(),
    audio: AudioSettings? = nil
  ) throws(CaptureError) {
    try self.init(to: path, RecorderSettings(container: container, video: video, audio: audio))
  }

  /// A recorder with settings that are made already.
  package init(to path: String, _ settings: RecorderSettings) throws(CaptureError) {
    self.init(to: path, settings, plan: try RecordingPlan(path: path, settings))
  }

  /// A recorder with a plan that is made already.
  init(to path: String, _ settings: RecorderSettings, plan: RecordingPlan) {
    self.path = path
    self.settings = settings
    self.plan = plan
    let delay = Double(plan.audio?.encoder?.delay ?? 0) / Double(settings.audio?.sampleRate ?? 1)
    timeline = RecordingTimeline(
      isLedBySound: settings.video == nil, soundDelay: ClockTime.seconds(delay).nanoseconds)
  }

  deinit {
    watch?.cancel()
    reset?.cancel()
    streams?.closeFile()
  }

  /// Creates the file, and takes samples from then on.
  ///
  /// - Throws: ``CaptureError/Code/fileBusy`` where another recording writes the file;
  ///   ``CaptureError/Code/notWritable``; ``CaptureError/Code/wrongState`` where it has been started
  ///   before; ``CaptureError/Code/cancelled``.
  public func start() async throws(CaptureError) {
    try await begin()
    keepsFile = true
  }

  /// As ``start()``, but the previous file stays until ``keep()``.
  func begin() async throws(CaptureError) {
    guard state == .idle else { throw wrongState("be started") }
    do {
      let streams = try RecordingStreams(plan, OutputFile(path))
      self.streams = streams
      watch(streams.pipeline.bus)
    } catch let error as CaptureError {
      throw fail(error)
    } catch {
      throw fail(error, of: nil)
    }
    state = .recording
    do {
      guard let pipeline = streams?.pipeline else { throw failure }
      try await pipeline.prepare()
      try await pipeline.play()
    } catch let error as GStreamerError where error.code != .cancelled {
      throw fail(error, of: streams)
    } catch {
      throw fail(.ended(before: "the recording began"))
    }
    // Meanwhile the disk may have become full.
    if case .failed(let error) = state { throw error }
  }

  /// Throws away samples until ``resume()``; the file goes on from there without a gap.
  ///
  /// The span ends with the last frame; sound of before that still counts, however late it comes.
  public func pause() { timeline.pause() }

  /// Takes samples again, from the next frame on.
  public func resume() { timeline.resume() }

  /// Completes the file.
  ///
  /// Can be called again, also meanwhile: all get the same. Is not cut short by cancellation.
  ///
  /// - Returns: What has been written.
  /// - Throws: Why the recording failed; ``CaptureError/Code/nothingRecorded``,
  ///   ``CaptureError/Code/noKeyFrame``; ``CaptureError/Code/wrongState`` before ``start()``.
  @discardableResult
  public func finish() async throws(CaptureError) -> RecordedFile { try await finish(missing: 0) }

  /// As ``finish()``, but the file says how many frames are missing in it, where it can.
  func finish(missing: UInt64) async throws(CaptureError) -> RecordedFile {
    if case .recording = state {
      state = .finishing
      if missing > 0 { noteMissing(missing) }
      finishing = Task { await complete() }
    }
    await finishing?.value
    switch state {
    case .finished(let recording): return recording
    case .failed(let error): throw error
    case .idle, .recording, .finishing: throw wrongState("be finished")
    }
  }

  /// Gives up: the file ends with what has been written.
  ///
  /// A recording that is finishing already is finished.
  public func cancel() async {
    switch state {
    case .recording:
      let pipeline = streams?.pipeline
      fail(.stopped(before: "the recording was complete"))
      await pipeline?.stop()
    case .finishing: await finishing?.value
    case .idle: fail(.stopped(before: "the recording began"))
    case .finished, .failed: break
    }
  }

  // MARK: The file

  /// Replaces the previous file as soon as something is written.
  func keep() {
    keepsFile = true
    keepFile()
  }

  /// Releases the previous file once there is something in the new one.
  func keepFile() {
    if keepsFile, let streams, streams.hasContent {
      streams.file.keep()
      keepsFile = false
    }
  }

  /// Gives up, and brings back the previous file whatever has been written.
  func discard() async {
    streams?.file.discard()
    await cancel()
  }

  // MARK: The end

  /// Why it does not record any more.
  var failure: CaptureError {
    if case .failed(let error) = state { return error }
    return wrongState("go on")
  }

  func wrongState(_ action: String) -> CaptureError {
    CaptureError(.wrongState, "The recorder cannot \(action) now: it is \(state.name).")
  }

  /// Breaks off, unless it has ended before.
  ///
  /// - Returns: Why it ended.
  @discardableResult
  func fail(_ error: CaptureError) -> CaptureError {
    switch state {
    case .finished, .failed: break
    case .idle, .recording, .finishing:
      state = .failed(error)
      release()
    }
    return failure
  }

  /// Releases the pipeline, which stops on its own thread, and ends what waits for it.
  private func release() {
    watch?.cancel()
    watch = nil
    reset?.cancel()
    streams?.closeFile()
    streams = nil
    heldSound = HeldSound()
    soundToSend = []
    finishing?.cancel()
  }

  private func complete() async {
    guard let streams else { return }
    guard timeline.hasBegun else {
      await streams.pipeline.stop()
      fail(
        keyFrameWait == nil
          ? CaptureError(
            .nothingRecorded, "No frame and no sound arrived: nothing was recorded in \(path).")
          : missingKeyFrame)
      return
    }
    do {
      // Together: sound that is ahead may wait in the muxer for frames, or for their end.
      async let video: Void? = streams.video?.finish()
      try await sendLastSound()
      try await streams.audio?.finish()
      _ = try await video
      try await streams.pipeline.waitForEnd()
    } catch {
      fail(error, of: streams)
    }
    await streams.pipeline.stop()
    guard case .finishing = state else { return }
    streams.file.keep()
    state = .finished(
      RecordedFile(
        path: path, duration: ClockTime(nanoseconds: timeline.end), frames: streams.written.frames,
        skippedFrames: skippedFrames, byteCount: streams.file.byteCount ?? 0,
        encoder: plan.video?.encoder?.factory, encoderSpeed: encoderSpeed,
        loweredFrames: loweredFrames, changes: changes.map(\.description)))
    release()
  }

  /// Breaks off because a stream did.
  @discardableResult
  func fail(_ error: any Error, of streams: RecordingStreams?) -> CaptureError {
    switch error {
    case let error as CaptureError: return fail(error)
    case let error as GStreamerError where error.code != .cancelled:
      let rest =
        streams?.hasContent == true
        ? "What was recorded before is in \(path) and can be played."
        : "Nothing was recorded; \(path) is as it was before."
      return fail(
        CaptureError(writing: error, path, rest: rest)
          ?? CaptureError(.encoderFailed, "The recording failed. \(rest)", underlying: error))
    default: return fail(.ended(before: "the recording was complete"))
    }
  }

  /// Learns of errors from the bus: also of those that come between two samples.
  private func watch(_ bus: Bus) {
    let messages = bus.messages
    watch = Task { [weak self] in
      for await message in messages where message.kind == .error {
        if let error = message.error { await self?.breakOff(error) }
      }
    }
  }

  private func breakOff(_ error: GStreamerError) { fail(error, of: streams) }
}

extension Recorder.State {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .recording: "recording"
    case .finishing: "finishing"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}
