// The capture stage connects a performance to a camera, the effect, windows and files.

import GStreamer
import SlitScanCapture
import SlitScanWindow
import StreamingThread

/// A stage with frames: a capture that goes on whatever happens to its source.
///
/// The last frame of a source that is gone stays until it is back; a clip begins again at its end, without a
/// break for the effect.
public actor CaptureStage: Stage {
  /// The properties that can be set.
  public nonisolated let parameters: Parameters
  /// The names of the presets.
  public nonisolated let presets: [String]
  /// The sources in a few words, where there are several or cameras may join.
  public nonisolated var sources: [String] { names.withLock { $0 } }
  /// The capture, for what a stage does not show: previews, events.
  package nonisolated let capture: CapturePipeline

  nonisolated let names: Lock<[String]>
  var inputs: [LiveSource]
  /// Whether they come by a ``SourceMixer``.
  let isMixing: Bool
  /// The most sources.
  let capacity: Int
  let request: VideoRequest
  /// A pattern, or ``lastFrame``.
  let fallback: String
  /// The outputs, in the order of their numbers.
  var outputs: [Output]
  let sound: LiveSound?
  private let reserve: HistoryReserve
  /// The clock of its waits and drives.
  package nonisolated let clock: any SteadyClock
  /// The values of the parameters before the first frame.
  private let begin: [String: Value]
  let broadcast = Broadcast<Change>()
  private(set) var tasks: [Task<Void, Never>] = []
  private var recording: ActiveRecording?
  /// The previews of the outputs that are open, by their places in `outputs`.
  var previews: [Int: PreviewID] = [:]
  /// The windows of outputs, by their places in `outputs`; of those that are closed, the last ones.
  var windows: [Int: StageWindow] = [:]
  var keptWindows: KeptWindows
  /// Outputs are opened one after another.
  let openings = AsyncMutex()
  var playlists: [Int: PlaylistSource]
  /// The tasks that bring back lost sources, by their places.
  var comebacks: [Int: Task<Void, Never>] = [:]
  /// The sentences about the sources that are gone, and whether they were said.
  var absences: [Int: (text: String, isTold: Bool)] = [:]
  /// The places of the sources whose absence was told.
  var everLost: Set<Int> = []
  /// The sources that the audience sees.
  let used = UsedInputs()
  /// The places of sources that were lost meanwhile.
  var lostAgain: Set<Int> = []
  private var drives: [String: DriveMotion] = [:]
  private var followers: [String: SoundFollower] = [:]

  /// Whether there is sound that the tempo can follow.
  public nonisolated var hasSound: Bool { sound != nil }

  /// A stage; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - source: Where the video comes from.
  ///   - others: Other sources, which play as well; one of all is shown. The frames of all have the size and
  ///     the rate that the request asks for.
  ///   - sound: The sound, for recordings and for properties that follow it; nil for none.
  ///   - request: What a camera or a pattern should give.
  ///   - outputs: Where the video goes.
  ///   - fallback: The pattern to show while a source is gone, or ``lastFrame``.
  ///   - reserve: How much of the past is kept, whatever the look.
  ///   - gpu: Whether the effect runs on the GPU.
  ///   - hotplug: How many cameras may become sources when they are connected.
  ///   - windows: The file in which the places of windows are kept; nil for none.
  /// - Throws: ``StageError/Code/noVideo`` where GStreamer does not start;
  ///   ``StageError/Code/badValue`` or ``StageError/Code/noSuchPreset`` where `scan` makes no sense.
  public init(
    _ source: LiveSource, and others: [LiveSource] = [], sound: LiveSound? = nil,
    _ request: VideoRequest = VideoRequest(), outputs: [Output] = [], scan: Scan = [:],
    fallback: String = CaptureStage.lastFrame, reserve: HistoryReserve = .standard,
    gpu: GPUUse = .off, hotplug: Int = 0, windows: String? = nil
  ) throws(StageError) {
    try self.init(
      source, and: others, sound: sound, request, outputs: outputs, scan: scan, fallback: fallback,
      reserve: reserve, gpu: gpu, hotplug: hotplug, windows: windows, clock: ContinuousClock())
  }

  /// - Parameters:
  ///   - clock: What its waits and drives go by.
  ///   - streamClock: What frames come by; nil for the clock that the elements choose.
  package init(
    _ source: LiveSource, and others: [LiveSource] = [], sound: LiveSound? = nil,
    _ request: VideoRequest = VideoRequest(), outputs: [Output] = [], scan: Scan = [:],
    fallback: String = CaptureStage.lastFrame, reserve: HistoryReserve = .standard,
    gpu: GPUUse = .off, hotplug: Int = 0, windows: String? = nil, clock: any SteadyClock,
    streamClock: StreamClock? = nil
  ) throws(StageError) {
    self.clock = clock
    keptWindows = KeptWindows(path: windows)
    let element = try Presets.makeElement()
    let parameters = Parameters(of: element)
    self.parameters = parameters
    let scan = scan.interactive
    try scan.apply(to: element)
    begin = Dictionary(
      parameters.all.map { ($0.name, (try? element.get($0.name)) ?? $0.property.defaultValue) },
      uniquingKeysWith: { first, _ in first })
    presets = element.presets
    let inputs = [source] + others
    self.inputs = inputs
    let isMixing = !others.isEmpty || hotplug > 0
    self.isMixing = isMixing
    capacity = inputs.count + max(hotplug, 0)
    names = Lock(isMixing ? inputs.map(\.name) : [])
    self.request = request
    self.outputs = outputs
    self.fallback = fallback
    self.reserve = reserve
    if case .clip? = sound, source.clipPath == nil || isMixing {
      self.sound = nil
    } else {
      self.sound = sound
    }
    let start = PlaybackStart()
    let broadcast = broadcast
    let first = source.makeSource(request, from: start, clock: clock) { event in
      Self.tell(event, of: "", isUsed: true, broadcast)
    }
    playlists = (first as? PlaylistSource).map { [0: $0] } ?? [:]
    let memory = Self.memoryLimit(begin["max-memory"], location: begin["history-location"])
    let past = CapturePipeline.Past(Self.past) { info in
      Self.frames(of: reserve, info.frameRate, info.byteCount, parameters, maximumMemory: memory)
    }
    capture = CapturePipeline(
      isMixing ? SourceMixer(count: capacity, request) : first,
      sound: Self.makeSound(self.sound, of: source, from: start), scan: scan, gpu: gpu,
      outlivesSource: true, past: past, clock: clock, streamClock: streamClock)
  }

  deinit {
    for task in tasks + comebacks.values { task.cancel() }
    broadcast.finish()
  }

  /// Events of the capture from now on: errors and notices.
  public nonisolated var news: AsyncStream<Change> { broadcast.listen(limit: 1000) }

  /// The scanned frames from now on.
  public func frames(delivery: Delivery = .latest(1)) async -> ScannedFrames {
    await capture.frames(delivery: delivery)
  }

  func tell(_ change: Change) { broadcast.tell(change) }

  // MARK: Start and stop

  /// Opens the source and the outputs.
  ///
  /// - Throws: ``StageError/Code/noVideo`` where one of them does not open; nothing is open then.
  public func start() async throws(StageError) {
    guard tasks.isEmpty else { return }
    for output in outputs { try output.requireSafe() }
    let (events, losses, levels, requests) = (
      capture.events, capture.lostInputs, capture.soundLevels, capture.closeRequests
    )
    do throws(CaptureError) {
      try await capture.start()
    } catch {
      await capture.stop()
      throw inputs[0].explain(error)
    }
    if isMixing, let failure = await openInputs() {
      await capture.stop()
      throw failure
    }
    for (index, output) in outputs.enumerated() {
      do throws(CaptureError) {
        previews[index] = try await open(output, at: index)
      } catch {
        await capture.stop()
        throw output.explain(error)
      }
    }
    tasks = [
      Task { [weak self] in for await event in events { await self?.handle(event) } },
      Task { [weak self] in for await input in losses { await self?.bringBack(input.number) } },
      Self.watchForSilence(self),
      Task { [weak self] in for await level in levels { await self?.follow(level) } },
      Task { [weak self] in for await id in requests { await self?.closeIfAnotherIsOpen(id) } },
    ]
    if keptWindows.path != nil, !windows.isEmpty { tasks.append(Self.watchWindows(of: self)) }
    if capacity > inputs.count { tasks.append(Self.watchForCameras(self)) }
  }

  /// Completes the recording, and closes everything.
  public func stop() async {
    for task in tasks + comebacks.values { task.cancel() }
    tasks = []
    comebacks = [:]
    keepWindows()
    await capture.stop()
  }

  // MARK: What happens by itself

  private func handle(_ event: CaptureEvent) async {
    switch event {
    case .sourceFailed(let error) where isMixing: broadcast.tell(.warning(error.message))
    case .sourceFailed, .sourceEnded: bringBack(0)
    case .soundFailed(let error), .mapImageFailed(let error), .historyFailed(let error):
      broadcast.tell(.warning(error.message))
    case .gpuLost(let error):
      await driveAgain()
      broadcast.tell(.warning(error.message))
    case .previewFailed(let id, let error):
      // One that is just being opened has its number only then.
      Task { await openings.run { lose(id, because: error.message) } }
    case .recordingFailed(let path, let error):
      // It stays until the next one: a stop at this moment reports why the recording broke off.
      broadcast.tell(.recordingLost(path, error.message))
    case .recordingLate(let path):
      broadcast.tell(
        .warning(
          "\(path): the encoder or the disk is too slow, also with less quality. Frames are missing in the "
            + "recording."))
    case .formatChanged(_, _, let rate, let byteCount):
      await keepReserve(rate: rate, byteCount: byteCount)
    case .depthLimited(let depth, let wanted):
      broadcast.tell(
        .notice(
          "There is room for only \(depth) of the \(wanted) frames of history that are wanted."))
    case .canvasLimited(let lines, let wanted):
      broadcast.tell(.notice("Memory allows only \(lines) of the \(wanted) lines of the canvas."))
    case .readerStalled(let time):
      broadcast.tell(
        .warning("A reader of frames has held up the video for \(time.components.seconds) s."))
    case .firstFrame, .completed: break
    }
  }

  /// Has the history keep as many frames of the new format as the show's reserve is.
  private func keepReserve(rate: Fraction, byteCount: Int) async {
    let memory = Self.memoryLimit(
      await value(of: "max-memory"), location: await value(of: "history-location"))
    guard
      let value = Self.frames(of: reserve, rate, byteCount, parameters, maximumMemory: memory)
    else { return }
    do throws(CaptureError) {
      try await capture.set("reserve", to: value)
      broadcast.tell(.property("reserve", value))
    } catch {
      broadcast.tell(.warning(error.message))
    }
  }

  private static func frames(
    of reserve: HistoryReserve, _ rate: Fraction, _ byteCount: Int, _ parameters: Parameters,
    maximumMemory: UInt64?
  ) -> Value? {
    reserve.frames(rate: rate, byteCount: byteCount, maximumMemory: maximumMemory)
      .flatMap { parameters["reserve"]?.value(near: $0) }
  }

  /// The effect's limit of history in memory; nil where history is on disk.
  private static func memoryLimit(_ maximum: Value?, location: Value?) -> UInt64? {
    guard location.map(Parameter.text)?.isEmpty ?? true else { return nil }
    return UInt64(maximum.flatMap(Parameter.number) ?? 0)
  }

  /// The past of a clip's first frame: as much as the longest delay of a preset.
  private static let past = ClockTime.seconds(4)

  // MARK: An image as the map

  /// Has an image be the map `live`.
  public func setMapImage(_ image: MapImage?) async throws(StageError) {
    do throws(CaptureError) {
      try await capture.setMapImage(image)
    } catch {
      throw StageError(.badMove, error.message)
    }
  }

  /// The width of the frames over their height; nil before the first.
  public var frameAspect: Double? {
    get async { await capture.frameSize.map { Double($0.width) / Double($0.height) } }
  }

  /// The sound, measured for properties that follow it.
  static func makeSound(
    _ sound: LiveSound?, of source: LiveSource, from start: PlaybackStart
  ) -> (any SoundSource)? {
    switch sound {
    case nil: nil
    case .microphone: MeteredSound(MicrophoneSource())
    case .tone: MeteredSound(TestToneSource())
    case .clip: source.clipPath.map { MeteredSound(FileSource($0, from: start)) }
    }
  }

  // MARK: The effect

  /// The time of the newest frame, since the first.
  public var time: ClockTime { get async { await capture.time } }

  /// The content of a preset.
  public nonisolated func content(of preset: String) throws(StageError) -> PresetContent {
    try Presets.content(of: preset, parameters)
  }

  /// Saves a preset for this show, for later ones and for every other program.
  public nonisolated func save(_ content: PresetContent, as preset: String) throws(StageError) {
    try Presets.save(content, as: preset)
  }

  /// Sets a parameter with the next frame.
  public func set(_ name: String, to value: Value) async throws(StageError) {
    do throws(CaptureError) {
      try await capture.set(name, to: value)
    } catch {
      throw StageError(.badValue, error.message)
    }
  }

  /// Sets several parameters between two frames.
  public func set(_ values: [String: Value]) async throws(StageError) {
    guard !values.isEmpty else { return }
    do throws(CaptureError) {
      try await capture.set(values)
    } catch {
      throw StageError(.badValue, error.message)
    }
  }

  /// The current value of a property.
  public func value(of name: String) async -> Value {
    let isOpen = await capture.state == .running
    if isOpen, let value = await capture.value(of: name) { return value }
    return begin[name] ?? .none
  }

  // MARK: What moves by itself

  /// Has a parameter move by itself, or ends that.
  public func drive(_ name: String, by drive: Drive?, tempo: Tempo) async throws(StageError) {
    followers[name] = nil
    drives[name] = nil
    switch drive {
    case nil: try await move(name, nil)
    case .sound(let band, let from, let to):
      guard sound != nil else {
        throw StageError(
          .badValue, "There is no sound to follow. Start with a sound source, such as --sound auto."
        )
      }
      followers[name] = SoundFollower(band: band, from: from, to: to)
      try await move(name, nil)
    case let drive?:
      drives[name] = DriveMotion(drive: drive, value: nil, tempo: tempo, begin: clock.now)
      try await startDrive(name)
    }
  }

  private func startDrive(_ name: String) async throws(StageError) {
    let (value, time) = (Parameter.number(await value(of: name)), await capture.streamTime)
    // It may have been ended meanwhile, or another one may be in its place.
    guard var driven = drives[name] else { return }
    driven.value = driven.value ?? value
    drives[name] = driven
    try await move(name, driven.motion(from: time, at: clock.now))
  }

  private func move(_ name: String, _ motion: Motion?) async throws(StageError) {
    do throws(CaptureError) {
      try await capture.move(name, motion)
    } catch {
      throw StageError(.badValue, error.message)
    }
  }

  /// The times of another source may be others: what moves goes on from where it is.
  func driveAgain() async {
    for name in drives.keys { try? await startDrive(name) }
  }

  private func follow(_ level: SoundLevel) async {
    for (name, follower) in followers {
      // While another one is set, this one may come to its end.
      guard let number = followers[name]?.number(at: level.loudness(in: follower.band)),
        let value = parameters[name]?.value(near: number)
      else { continue }
      try? await capture.set(name, to: value)
    }
  }

  // MARK: Files and black

  /// Writes the next whole frame.
  public func snapshot(to path: String) async throws(StageError) {
    do throws(CaptureError) {
      try await capture.photo().write(to: path)
    } catch {
      throw StageError(.notWritten, error.message)
    }
  }

  /// Records from the next frame on.
  public func startRecording(to path: String) async throws(StageError) {
    guard recording?.isOver ?? true else {
      throw StageError(.notWritten, "A recording is running already.")
    }
    do throws(CaptureError) {
      recording = try await capture.record(to: path)
    } catch {
      throw StageError(.notWritten, error.message)
    }
  }

  /// Completes the recording.
  public func stopRecording() async throws(StageError) -> String {
    guard let recording else { throw StageError(.notWritten, "Nothing is being recorded.") }
    self.recording = nil
    do throws(CaptureError) {
      let recorded = try await recording.finish()
      tell(recorded)
      return recorded.path
    } catch {
      throw StageError(.notWritten, error.message)
    }
  }

  /// Writes the input that the history holds whole.
  ///
  /// - Returns: The middle of its first frame: the time of a move is the end of a frame, the next one shows it, and files
  ///   round times.
  public func keep(
    to path: String, from earliest: ClockTime
  ) async throws(StageError) -> (begin: ClockTime, isWhole: Bool) {
    do throws(CaptureError) {
      let kept = try await capture.keepInput(to: path, from: earliest)
      for change in kept.changes { broadcast.tell(.notice("\(path): \(change)")) }
      return (
        kept.begin + ClockTime(nanoseconds: kept.frameInterval.nanoseconds / 2), kept.isWhole
      )
    } catch {
      throw StageError(.notWritten, error.message)
    }
  }

  /// Writes a text file.
  public nonisolated func write(_ text: String, to path: String) throws(StageError) {
    try text.write(toFile: path)
  }

  private func tell(_ recorded: RecordedFile) {
    for change in recorded.changes { broadcast.tell(.notice("\(recorded.path): \(change)")) }
    let total = UInt64(recorded.frames) + recorded.droppedFrames
    if recorded.droppedFrames > 0 {
      broadcast.tell(
        .warning(
          "\(recorded.path): \(recorded.droppedFrames) of \(total) frames are missing, as the encoder or the "
            + "disk was too slow. Record smaller frames, or fewer a second."))
    } else if recorded.loweredFrames > 0 {
      broadcast.tell(
        .notice(
          "\(recorded.path): \(recorded.loweredFrames) of \(total) frames have less quality, as the encoder or "
            + "the disk was too slow for more. None is missing."))
    }
  }

  /// Shows black, or the video again.
  public func setBlack(_ isBlack: Bool) async { await capture.setBlack(isBlack) }
}
