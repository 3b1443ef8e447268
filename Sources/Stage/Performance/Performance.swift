// A performance performs moves from all inputs on a stage and reports the changes.

import GStreamer
import SlitScanCapture
import StreamingThread

/// A performance: moves in, changes out.
///
/// ```swift
/// let performance = await Performance(on: stage)
/// for await change in performance.changes { print(change) }
/// // and meanwhile
/// try await performance.perform(.set("depth", 60))
/// try await performance.perform(Move("preset Vortex 4"))
/// ```
///
/// Keys, MIDI, OSC, phones and scripts all do ``perform(_:from:)``. Nothing else changes a performance, so
/// ``performed`` has every change. They share one state: what one of them moves, the others see, and undo
/// reverts the last change, no matter which of them made it.
public actor Performance {
  /// The properties that can be set.
  public nonisolated let parameters: Parameters
  /// The names of the presets, in the order of their numbers; those that are saved come last.
  public nonisolated var presets: [String] { names.withLock { $0 } }
  /// The names of the sources, in the order of their numbers; empty where there is only one.
  public nonisolated var sources: [String] { stage.sources }
  /// The current state.
  public internal(set) var state: PerformanceState

  let stage: any Stage
  nonisolated let names: Lock<[String]>
  let broadcast = Broadcast<Change>()
  private let done = Broadcast<MoveScript.Entry>()
  var fileNames: FileNames
  /// The images that can be the map `image`.
  let maps: MapFolder?
  /// The input of MIDI, if there is one.
  weak var assigner: (any ControlAssigner)?
  /// The images that could not be read.
  var unreadable: Set<MapFolder.Image> = []
  /// They change one after another.
  let mapTurns = AsyncMutex()
  private let bounds: MoveBounds
  /// When the newest entry of `done` was, which no later one is before.
  private(set) var lastTime = ClockTime.zero
  /// The moves of the last time, for ``Move/keep(_:)``.
  var recent = RecentMoves()
  /// The films of the input that are being written, one at a time.
  var films = PendingFiles()
  /// Recordings begin and end in the order of their moves.
  let recordings = AsyncMutex()
  /// The moves that write files and are under way.
  var files = PendingFiles()
  /// The number of files that moves have written, or are about to.
  var written: [WrittenFile: Int] = [:]
  /// Presets are saved one after another, as each has a name that no other has.
  private let saves = AsyncMutex()
  var history = Undo<PerformanceState>()
  private var taps = TapTempo()
  /// The strokes that may be gone on with.
  var strokes = OpenStrokes()
  var drawingVersion = 0
  /// The changes of the drawing in a rehearsal.
  var drawn: [DrawingEntry] = []
  var warnings: [Warning] = []
  /// The drawing gets to the stage in order.
  let drawingTurns = AsyncMutex()
  var fading: Task<Void, Never>?
  /// The values of the presets at the ends of the crossfader.
  var decks: [Deck: [String: Value]] = [:]
  /// The moves that wait for their beats, and glides that are to arrive.
  var agenda = Agenda<DueAction>()
  /// Sleeps until the next of them is due; nil in a rehearsal.
  var waiter: Task<Void, Never>?
  /// The number of values of each property that were noted in the state.
  var notes: [String: Int] = [:]
  /// The properties that glide, and the values at which they stay.
  var gliding: [String: Value] = [:]
  /// The drives that begin once the stage has the values of their preset.
  var coming: [String: Drive] = [:]
  /// The clock of beats, glides and fades, and of the inputs.
  package nonisolated let clock: any SteadyClock
  /// Whether nothing happens by itself: a ``Rehearsal`` does what is due, and collects what cannot be done.
  let isRehearsal: Bool
  var startClock = StartClock.running

  typealias DueAction = @Sendable (isolated Performance) async -> Void

  /// A performance of the effect as it is.
  ///
  /// - Parameters:
  ///   - preset: The preset that the effect is as, if it is.
  ///   - folder: Where stills and recordings go that have no names.
  ///   - maps: The images for ``DrawingMove/nextImage`` and the like; nil for none.
  public init(
    on stage: any Stage, preset: String? = nil, folder: String = ".", maps: MapFolder? = nil,
    tempo: Tempo = Tempo()
  ) async {
    await self.init(
      on: stage, preset: preset, folder: folder, maps: maps, tempo: tempo, clock: ContinuousClock())
  }

  /// - Parameter clock: The clock of beats, glides and fades, and of the inputs.
  package init(
    on stage: any Stage, preset: String? = nil, folder: String = ".", maps: MapFolder? = nil,
    tempo: Tempo = Tempo(), clock: any SteadyClock, isRehearsal: Bool = false
  ) async {
    self.stage = stage
    self.clock = clock
    self.isRehearsal = isRehearsal
    parameters = stage.parameters
    names = Lock(stage.presets)
    fileNames = FileNames(folder: folder)
    self.maps = maps
    var values: [String: Value] = [:]
    for parameter in stage.parameters.all {
      values[parameter.name] = await stage.value(of: parameter.name)
    }
    var state = PerformanceState(values: values, tempo: tempo)
    state.mapImages = maps?.names ?? []
    state.preset = preset.map { Spelling($0, in: stage.presets).match ?? $0 }
    self.state = state
    bounds = MoveBounds(parameters, from: values)
    await beginChapter(at: .zero)
  }

  deinit {
    waiter?.cancel()
    fading?.cancel()
    broadcast.finish()
    done.finish()
  }

  /// The changes from now on, for any number of readers.
  public nonisolated var changes: AsyncStream<Change> { broadcast.listen(limit: 10_000) }

  /// The moves that are done from now on, with the times of their frames, in the order in which they took
  /// effect.
  ///
  /// Played again, they come to the same. Beats by hand are there as the tempo that they came to.
  public nonisolated var performed: AsyncStream<MoveScript.Entry> { done.listen(limit: 100_000) }

  /// The current value of a property, also while it is animated.
  public func value(of name: String) async -> Value {
    let isMoving = state.drives[name] != nil || gliding[name] != nil
    return isMoving ? await stage.value(of: name) : state.values[name] ?? .none
  }

  /// The properties that move by themselves, or glide to where they stay.
  package var moving: Set<String> { Set(gliding.keys).union(state.drives.keys) }

  /// The state once the preset has arrived to which it glides: what undo comes back to, and what a preset keeps.
  var goal: PerformanceState {
    var goal = state
    for (name, target) in gliding where state.drives[name] == nil { goal.values[name] = target }
    goal.drives.merge(coming) { $1 }
    return goal
  }

  /// Announces a change, as inputs and outputs do for warnings and notices.
  public nonisolated func tell(_ change: Change) { broadcast.tell(change) }

  /// Does a move, the only way to change anything.
  ///
  /// Returns when the next frame shows it; a still when it is written; what waits for a beat, at once.
  ///
  /// - Parameter origin: Where the move comes from. From another machine, not everything can be done, see
  ///   ``Origin/elsewhere``.
  /// - Throws: What is wrong with it; nothing has changed then.
  public func perform(_ move: Move, from origin: Origin = .here) async throws(StageError) {
    if move.saysBeat { startExternalClock() }
    try await performAtItsTime(move, from: origin)
  }

  /// As ``perform(_:from:)``, but what says which beat it is says so of the first frame where that has not come.
  func performAtItsTime(_ move: Move, from origin: Origin = .here) async throws(StageError) {
    let move = try check(move, from: origin)
    if move.writesFile { files.begin() }
    defer { if move.writesFile { files.end() } }
    let moment = now
    let time = await stage.time
    guard let result = try await act(move, at: moment) else { return }
    // Before the first frame there is no time to say it of; it is told with that.
    if startClock == .external, result.saysBeat { return }
    // Others go on while a move waits for a frame and for the disk.
    if move.isSlow { done.tell(MoveScript.Entry(time, result)) } else { tellDone(result, at: time) }
    await remember(result, at: time)
  }

  /// Says what was done, never before what was done before it.
  func tellDone(_ move: Move, at time: ClockTime) {
    lastTime = max(lastTime, time)
    done.tell(MoveScript.Entry(lastTime, move))
  }

  /// Sees whether a move may come from somewhere, without doing it.
  ///
  /// - Returns: The move, with numbers brought within the bounds that there are for its origin.
  /// - Throws: ``StageError/Code/badMove`` where it may not.
  @discardableResult
  public nonisolated func check(_ move: Move, from origin: Origin) throws(StageError) -> Move {
    origin == .elsewhere ? try bounds.confine(move) : move
  }

  /// - Parameter moment: When the move came.
  /// - Returns: The move that comes to the same at another time; nil where nothing has changed.
  private func act(
    _ move: Move, at moment: ContinuousClock.Instant
  ) async throws(StageError) -> Move? {
    switch move {
    case .set(let name, let value): try await change([name: value])
    case .setAll(let values): try await change(values)
    case .fade(let name, let place):
      let parameter = try parameters.find(name)
      guard let value = parameter.value(at: place) else { throw noFader(parameter) }
      try await change([name: value])
    case .step(let name, let count): try await step(try parameters.find(name), by: count)
    case .toggle(let name): try await toggle(try parameters.find(name))
    case .reset(let name?):
      try await change([name: try parameters.find(name).property.defaultValue])
    case .reset(nil):
      let defaults = parameters.look.map { ($0.name, $0.property.defaultValue) }
      let values = Dictionary(uniqueKeysWithValues: defaults)
      try await go(to: PresetContent(values: values, drives: [:]), preset: nil, beats: 0)
    case .preset(let name, let beats): try await load(name, beats: beats ?? state.glide)
    case .save(let name):
      return .save(
        try await saves.run { () async throws(StageError) in try await save(name) })
    case .deck(let deck, let name): try await put(name, on: deck)
    case .crossfade(let place): try await crossfade(to: place)
    case .nextPreset(let count): return try await nextPreset(count)
    case .source(let number, let beats): try await show(number, beats: beats ?? state.glide)
    case .nextSource(let count):
      let number = (state.source - 1 + count % max(sources.count, 1) + sources.count)
      try await show(number % max(sources.count, 1) + 1, beats: state.glide)
    case .nextClip: try await stage.changeClip(by: 1, ofSource: state.source - 1)
    case .previousClip: try await stage.changeClip(by: -1, ofSource: state.source - 1)
    case .mapSource(let number):
      try await showAsMap(number, at: try index(ofSource: number))
    case .snapshot(let path): try await snapshot(path)
    case .record(let turn, let path): try await record(turn, path)
    case .keep(let path): try await keep(path)
    case .blackout(let turn): await black(turn)
    case .reopenOutput(let number, let display):
      try await stage.reopenOutput(number, on: display)
    case .tap:
      guard let tempo = taps.tap(at: moment) else { return nil }
      leaveSound()
      try await follow(tempo)
      return .tempo(tempo.beatsPerMinute, beat: tempo.beat(at: moment))
    case .tempo(let beatsPerMinute, let beat?):
      leaveSound()
      try await follow(Tempo(beatsPerMinute, beat: beat, at: moment))
    case .tempo(let beatsPerMinute, nil):
      leaveSound()
      try await follow(state.tempo.changed(to: beatsPerMinute, at: moment))
    case .followSound(let turn): try followSound(turn)
    case .quantize(let beats):
      state.quantize = beats
      broadcast.tell(.quantize(beats))
    case .glide(let beats):
      state.glide = beats
      broadcast.tell(.glide(beats))
    case .drive(let name, let drive): try await self.drive(try parameters.find(name), by: drive)
    case .release(let name): try await release(try parameters.find(name).name)
    case .drawing(let move): return try await draw(move)
    case .midiLearn(let name?, let control, let device):
      try await requireAssigner().learn(name, replacing: control, of: device)
      return nil
    case .midiLearn(nil, _, _):
      await (try requireAssigner()).cancelLearning()
      return nil
    case .midiRemove(let control, let device):
      try await requireAssigner().remove(control, of: device)
      return nil
    case .undo:
      advanceDrawing(to: now)
      try await restore(history.undo(goal))
    case .redo:
      advanceDrawing(to: now)
      try await restore(history.redo(goal))
    }
    return move
  }

  func follow(_ tempo: Tempo) async throws(StageError) {
    state.tempo = tempo
    broadcast.tell(.tempo(tempo))
    for (name, drive) in state.drives.sorted(by: { $0.key < $1.key }) {
      // The others do not go by it once they have begun; one may have ended meanwhile.
      guard case .wave = drive, state.drives[name] == drive else { continue }
      try await stage.drive(name, by: drive, tempo: state.tempo)
    }
  }
}
