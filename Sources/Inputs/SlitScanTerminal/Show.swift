// A show runs a stage, its inputs and the live screen together.

import GStreamer
import SlitScanCapture
import SlitScanStage

/// A performance on a stage, with keys and a screen.
///
/// ```swift
/// let show = try await Show(CaptureStage(.camera(.first), outputs: [Output("window")]))
/// try await show.run(keys: terminal.keys) { lines in terminal.show(lines) }
/// ```
public actor Show {
  /// The performance that moves act on.
  public nonisolated let performance: Performance
  /// The capture, for others that show its frames.
  package nonisolated var capture: CapturePipeline { stage.capture }
  /// The content of the live screen.
  public private(set) var screen: Screen

  private let stage: CaptureStage
  private nonisolated let clock: any SteadyClock
  /// The error of the last recording that broke off.
  private var loss: StageError?
  private let isOver: AsyncStream<Void>
  private let over: AsyncStream<Void>.Continuation
  /// When the key that ends the show was last pressed.
  private var lastQuit: ContinuousClock.Instant?
  /// Whether the show ends: keys do nothing any more.
  private var isEnding = false
  private var isClosed = false
  /// The changes while the show ended, when its screen is no longer drawn.
  public private(set) var lastChanges: [Change] = []

  /// The longest time that an end may take.
  private static let patience = Duration.seconds(10)
  /// The time in which stills may still get their frames at the end: a canvas may take minutes.
  private static let patienceForFrames = Duration.seconds(2)
  /// The further time in which the input may be written: some is left for what else there is to close.
  private static let patienceForFilms = Duration.seconds(5)
  /// The time in which the key that ends the show may be pressed for the second time.
  private static let secondThought = Duration.seconds(3)
  /// The beats that glides take, and changes wait for, one key press after the other.
  private static let beats = [0.0, 1, 2, 4, 8, 16, 32]

  /// A show; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - source: What the screen says of where the video comes from.
  ///   - preset: The preset that the effect is as, if it is.
  ///   - folder: Where stills and recordings go that have no names.
  ///   - maps: The images for ``DrawingMove/nextImage`` and the like; nil for none.
  ///   - tempo: How fast its beats are; they count from the first frame.
  public init(
    _ stage: CaptureStage, source: String = "", preset: String? = nil, folder: String = ".",
    maps: MapFolder? = nil, tempo: Tempo = Tempo()
  ) async {
    self.stage = stage
    clock = stage.clock
    performance = await Performance(
      on: stage, preset: preset, folder: folder, maps: maps, tempo: tempo, clock: clock)
    await performance.waitForFirstFrame()
    screen = Screen(await performance.state, parameters: stage.parameters, presets: stage.presets)
    screen.now = clock.now
    screen.source = source
    (isOver, over) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Has something stay on the screen.
  public func note(_ line: String) { screen.notes.append(line) }

  /// Ends the show.
  public nonisolated func end() { over.yield() }

  /// Plays until a user ends it, or the task is cancelled.
  ///
  /// Completes the recording first, then writes the stills that are under way and closes everything, for which
  /// there are ten seconds: a window system that does not answer holds up the end no longer.
  ///
  /// - Parameters:
  ///   - keys: The keys of a terminal; nil without one.
  ///   - room: How many columns and rows there are for ``Screen/lines(columns:rows:)``.
  ///   - draw: Shows the lines, some ten times a second.
  /// - Throws: ``StageError/Code/noVideo`` where the show cannot begin, ``StageError/Code/stuck`` where not
  ///   everything could be closed, ``StageError/Code/notWritten`` where a recording broke off or could not be
  ///   completed.
  public func run(
    keys: AsyncStream<Key>? = nil, room: @escaping @Sendable () -> (columns: Int, rows: Int),
    draw: @escaping @Sendable ([ScreenLine]) -> Void
  ) async throws(StageError) {
    let playing = Task { () async -> StageError? in
      do throws(StageError) {
        try await play(keys: keys, room: room, draw: draw)
        return nil
      } catch {
        // A show that was cancelled before it began has not failed.
        let failure = Task.isCancelled ? nil : error
        over.yield()
        return failure
      }
    }
    let beginning = Task { [events = stage.capture.events] in await begin(events) }
    defer { beginning.cancel() }
    for await _ in isOver { break }
    isEnding = true
    let told = performance.changes
    let listening = Task {
      var changes: [Change] = []
      for await change in told { changes.append(change) }
      return changes
    }
    let incomplete = await completeRecording()
    // A recording that breaks off as the show ends is both.
    let lost = [loss, incomplete?.message == loss?.message ? nil : incomplete]
    let failures = lost.compactMap(\.self) + (await close(playing))
    // What was told before is there all the same.
    listening.cancel()
    lastChanges = await listening.value
    guard let last = failures.last else { return }
    throw StageError(last.code, failures.map(\.message).joined(separator: " "))
  }

  /// - Returns: Why the recording, if there is one, could not be completed.
  private func completeRecording() async -> StageError? {
    do throws(StageError) {
      try await performance.record(.off, nil)
      return nil
    } catch {
      return error
    }
  }

  /// Closes everything, within ten seconds.
  ///
  /// - Returns: What failed meanwhile, or why the show did not begin.
  private func close(_ playing: Task<StageError?, Never>) async -> [StageError] {
    let (outcome, tell) = AsyncStream.makeStream(of: [StageError].self)
    // Waits for windows cannot be cancelled, so these go on by themselves.
    Task {
      await performance.finishFiles(within: Self.patienceForFrames)
      await performance.finishKeeping(within: Self.patienceForFilms)
      // One that was about to begin.
      let loss = await completeRecording()
      playing.cancel()
      let failure = await playing.value
      await look()
      await stage.stop()
      isClosed = true
      await performance.finishFiles()
      tell.yield([loss, failure].compactMap(\.self))
    }
    let limit = Task {
      guard (try? await Deadline(in: Self.patience, on: clock).wait()) != nil else { return }
      tell.yield([
        StageError(
          .stuck,
          isClosed
            ? "A still could not be written in ten seconds."
            : "Not everything could be closed in ten seconds. Most likely, the window system does not answer."
        )
      ])
    }
    defer { limit.cancel() }
    return await Task {
      for await failures in outcome { return failures }
      return []
    }.value
  }

  /// Has beats count from the first frame, once that has come.
  private func begin(_ events: AsyncStream<CaptureEvent>) async {
    for await case .firstFrame(let time) in events {
      await performance.begin(at: clock.now - .nanoseconds(Int64(clamping: time.nanoseconds)))
      return
    }
  }

  /// Plays until the task is cancelled.
  private func play(
    keys: AsyncStream<Key>?, room: @escaping @Sendable () -> (columns: Int, rows: Int),
    draw: @escaping @Sendable ([ScreenLine]) -> Void
  ) async throws(StageError) {
    let (changes, news, windowKeys) = (performance.changes, stage.news, stage.capture.keyPresses)
    try await stage.start()
    await withTaskGroup { group in
      group.addTask { for await change in changes { await self.handle(change) } }
      group.addTask { for await change in news { await self.pass(change) } }
      group.addTask { for await name in windowKeys { await self.press(Key(name), inWindow: true) } }
      if let keys { group.addTask { for await key in keys { await self.press(key) } } }
      group.addTask {
        while !Task.isCancelled {
          await self.look()
          let size = room()
          draw(await self.lines(columns: size.columns, rows: size.rows))
          guard (try? await self.clock.sleep(for: .milliseconds(100))) != nil else { return }
        }
      }
    }
  }

  // MARK: What happens

  private func pass(_ change: Change) async {
    switch change {
    case .recordingLost(let path, let reason):
      loss = StageError(.notWritten, reason)
      await performance.loseRecording(to: path, because: reason)
    case .property(let name, let value): await performance.takeOver(name, value)
    default: performance.tell(change)
    }
  }

  private func handle(_ change: Change) async {
    screen.performance = await performance.state
    screen.now = clock.now
    switch change {
    case .warning(let text): screen.say(text, isWarning: true)
    case .notice(let text): screen.say(text)
    case .presets(let names): screen.presets = names
    case .snapshot(let path): screen.say("Still: \(path)")
    case .recording(let path?): screen.say("Recording: \(path)")
    case .recorded(let path): screen.say("Recorded: \(path)")
    case .source(let number):
      if performance.sources.indices.contains(number - 1) {
        screen.source = "\(number) \(performance.sources[number - 1])"
      }
    case .closeRequested:
      await quit(isCertain: false, again: "Close the window again or press q")
    default: break
    }
  }

  private func lines(columns: Int, rows: Int) -> [ScreenLine] {
    screen.lines(columns: columns, rows: rows)
  }

  private func look() async {
    let status = await stage.capture.status
    let now = clock.now
    screen.now = now
    screen.capture = status
    screen.outputs = await stage.outputs(in: status)
    for recording in status.recordings {
      await performance.loseFrames(recording.dropped, in: recording.path)
    }
  }

  // MARK: Keys

  /// Does what a key asks for.
  ///
  /// - Parameter inWindow: Whether it was pressed over the video, where it takes two to end the show.
  public func press(_ key: Key, inWindow: Bool = false) async {
    guard !isEnding else { return }
    screen.now = clock.now
    // A user who presses a key over the video may not see the screen.
    if !inWindow { screen.acknowledge() }
    switch KeyMap.action(of: key) {
    case .move(let move)?: await performance.play(move)
    case .preset(let number)?:
      guard let preset = screen.preset(number) else {
        screen.say("There is no preset on this key. The banks of presets are changed by , and .")
        return
      }
      await performance.play(.preset(preset, beats: nil))
    case .crossfade(let way)?:
      await performance.play(.crossfade(await performance.state.crossfade + way))
    case .bank(let count)?: screen.changeBank(by: count)
    case .select(let count)?: screen.select(count)
    case .turn(let count)?:
      if let parameter = screen.selected { await performance.play(.step(parameter.name, count)) }
    case .glide?:
      await performance.play(.glide(Self.next(after: await performance.state.glide)))
    case .quantize?:
      await performance.play(.quantize(Self.next(after: await performance.state.quantize)))
    case .learn?: if let move = screen.learning { await performance.play(move) }
    case .unassign?: if let move = screen.unassigning { await performance.play(move) }
    case .assignments?:
      screen.showsAssignments.toggle()
    case .fullScreen?:
      // Other keys do not wait for windows.
      Task {
        if await !stage.toggleFullScreen() {
          screen.say("No window is open for that.", isWarning: true)
        }
      }
    case .reopen?: await reopenOutputs()
    case .escape?:
      if await performance.state.learning != nil { await performance.play(.midiLearn(nil)) }
      Task { await stage.leaveFullScreen() }
    case .help?: screen.showsKeys.toggle()
    case .quit?: await quit(isCertain: !inWindow)
    case nil: break
    }
  }

  /// Opens the outputs that are closed.
  private func reopenOutputs() async {
    let outputs = await stage.outputs(in: stage.capture.status)
    let closed = outputs.filter { $0.shown == nil }.map(\.number)
    guard !closed.isEmpty else { return screen.say("All outputs are open.") }
    // Other keys do not wait for windows.
    Task {
      for number in closed { await performance.play(.reopenOutput(number, display: nil)) }
    }
  }

  /// Ends the show; while it records, or where the key may have been meant for something else, at the second
  /// press.
  ///
  /// - Parameter again: The second press, for people.
  private func quit(isCertain: Bool, again: String = "Press q again") async {
    let isRecording = await performance.state.recording != nil
    let now = clock.now
    let isSecond = lastQuit.map { now - $0 < Self.secondThought } ?? false
    guard isRecording || !isCertain, !isSecond else {
      over.yield()
      return
    }
    lastQuit = now
    screen.say(
      isRecording
        ? "A recording is running. \(again) to complete it and end the show."
        : "\(again) to end the show.")
  }

  private static func next(after beats: Double) -> Double {
    Self.beats.first { $0 > beats } ?? 0
  }
}
