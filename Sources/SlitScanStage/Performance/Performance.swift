// A performance performs moves from all inputs on a stage and reports the changes.

import Foundation
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
/// reverts the last change, whoever made it.
public actor Performance {
  /// The properties that can be set.
  public nonisolated let parameters: Parameters
  /// The names of the presets, in the order of their numbers; those that are saved come last.
  public nonisolated var presets: [String] { names.withLock { $0 } }
  /// The names of the sources, in the order of their numbers; empty where there is only one.
  public nonisolated var sources: [String] { stage.sources }
  /// The current state.
  public private(set) var state: PerformanceState

  private let stage: any Stage
  private nonisolated let names: Lock<[String]>
  private let broadcast = Broadcast<Change>()
  private let done = Broadcast<MoveScript.Entry>()
  private let fileNames: FileNames
  private let bounds: MoveBounds
  /// When the newest entry of `done` was, which no later one is before.
  private var lastTime = ClockTime.zero
  /// Recordings begin and end in the order of their moves.
  private let recordings = AsyncMutex()
  /// Presets are saved one after another, as each has a name that no other has.
  private let saves = AsyncMutex()
  private var history = Undo<PerformanceState>()
  private var taps = TapTempo()
  /// The values of the presets at the ends of the crossfader.
  private var decks: [Deck: [String: Value]] = [:]
  /// The moves that wait for their beats, and glides that are to arrive.
  private var agenda = Agenda<DueAction>()
  /// Sleeps until the next of them is due; nil where the clock is somebody else's.
  private var waiter: Task<Void, Never>?
  /// The properties that glide to where they stay.
  private var gliding: Set<String> = []
  /// Nil for the time that it is.
  private let clock: ManualClock?

  private typealias DueAction = @Sendable (isolated Performance) async -> Void

  /// A performance of the effect as it is.
  ///
  /// - Parameters:
  ///   - preset: The preset that the effect is as, if it is.
  ///   - folder: Where stills and recordings go that have no names.
  public init(
    on stage: any Stage, preset: String? = nil, folder: String = ".", tempo: Tempo = Tempo()
  ) async {
    await self.init(on: stage, preset: preset, folder: folder, tempo: tempo, clock: nil)
  }

  /// - Parameter clock: What beats and glides go by, with ``advance(to:)``; nil for the time that it is.
  init(
    on stage: any Stage, preset: String? = nil, folder: String = ".", tempo: Tempo,
    clock: ManualClock?
  ) async {
    self.stage = stage
    self.clock = clock
    parameters = stage.parameters
    names = Lock(stage.presets)
    fileNames = FileNames(folder: folder)
    var values: [String: Value] = [:]
    for parameter in stage.parameters.all {
      values[parameter.name] = await stage.value(of: parameter.name)
    }
    var state = PerformanceState(values: values, tempo: tempo)
    state.preset = preset.map { Spelling($0, in: stage.presets).match ?? $0 }
    self.state = state
    bounds = MoveBounds(parameters, from: values)
  }

  deinit {
    waiter?.cancel()
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

  /// The time of the newest frame, since the first.
  var stageTime: ClockTime { get async { await stage.time } }

  /// The current value of a property, also while it is animated.
  public func value(of name: String) async -> Value {
    let isMoving = state.drives[name] != nil || gliding.contains(name)
    return isMoving ? await stage.value(of: name) : state.values[name] ?? .none
  }

  /// Tells everybody something, for inputs and outputs that have trouble, or news.
  public nonisolated func tell(_ change: Change) { broadcast.tell(change) }

  /// Does a move, the only way to change anything.
  ///
  /// Returns when the next frame shows it; a still when it is written; what waits for a beat, at once.
  ///
  /// - Parameter origin: Where the move comes from. From another machine, not everything can be done, see
  ///   ``Origin/elsewhere``.
  /// - Throws: What is wrong with it; nothing has changed then.
  public func perform(_ move: Move, from origin: Origin = .here) async throws(StageError) {
    let move = try check(move, from: origin)
    let moment = now
    let time = await stage.time
    guard let result = try await act(move, at: moment) else { return }
    switch move {
    // Others go on while these wait for a frame and for the disk.
    case .snapshot, .record: done.tell(MoveScript.Entry(time, result))
    default:
      lastTime = max(lastTime, time)
      done.tell(MoveScript.Entry(lastTime, result))
    }
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
    case .nextPreset(let count): try await nextPreset(count)
    case .source(let number, let beats): try await show(number, beats: beats ?? state.glide)
    case .nextSource(let count):
      let number = (state.source - 1 + count % max(sources.count, 1) + sources.count)
      try await show(number % max(sources.count, 1) + 1, beats: state.glide)
    case .nextClip: try await stage.changeClip(by: 1, ofSource: state.source - 1)
    case .previousClip: try await stage.changeClip(by: -1, ofSource: state.source - 1)
    case .mapSource(let number):
      try await stage.setMapSource(try index(ofSource: number))
      state.mapSource = number
      broadcast.tell(.mapSource(number))
    case .snapshot(let path): try await snapshot(path)
    case .record(let turn, let path): try await record(turn, path)
    case .blackout(let turn): await black(turn)
    case .tap:
      guard let tempo = taps.tap(at: moment) else { return nil }
      try await follow(tempo)
      return .tempo(tempo.beatsPerMinute, beat: tempo.beat(at: moment))
    case .tempo(let beatsPerMinute, let beat?):
      try await follow(Tempo(beatsPerMinute, beat: beat, at: moment))
    case .tempo(let beatsPerMinute, nil):
      try await follow(state.tempo.changed(to: beatsPerMinute, at: moment))
    case .quantize(let beats):
      state.quantize = beats
      broadcast.tell(.quantize(beats))
    case .glide(let beats):
      state.glide = beats
      broadcast.tell(.glide(beats))
    case .drive(let name, let drive): try await self.drive(try parameters.find(name), by: drive)
    case .release(let name): try await release(try parameters.find(name).name)
    case .undo: try await restore(history.undo(state))
    case .redo: try await restore(history.redo(state))
    }
    return move
  }

  private func follow(_ tempo: Tempo) async throws(StageError) {
    state.tempo = tempo
    broadcast.tell(.tempo(tempo))
    for (name, drive) in state.drives.sorted(by: { $0.key < $1.key }) where drive.hasBeats {
      try await stage.drive(name, by: drive, tempo: tempo)
    }
  }

  // MARK: Properties

  /// Sets properties with the same frame, those that wait for a beat each at its own.
  private func change(_ values: [String: Value]) async throws(StageError) {
    var fitting: [String: Value] = [:]
    for (name, value) in values { fitting[name] = try parameters.find(name).fit(value) }
    let quantized = state.quantize > 0 ? fitting.filter { Self.isQuantized($0.key) } : [:]
    for (name, value) in quantized.sorted(by: { $0.key < $1.key }) {
      wait(name, for: Parameter.text(value)) { performance throws(StageError) in
        try await performance.put([name: value])
      }
    }
    try await put(fitting.filter { quantized[$0.key] == nil })
  }

  private func put(_ values: [String: Value]) async throws(StageError) {
    guard !values.isEmpty else { return }
    for name in values.keys.sorted() where state.drives[name] != nil || gliding.contains(name) {
      try await release(name)
    }
    let before = state
    if values.count == 1, let (name, value) = values.first {
      // At once, beside whatever change waits for its turn.
      try await stage.set(name, to: value)
    } else {
      try await stage.set(values)
    }
    history.remember(before, because: values.keys.sorted().joined(separator: " "), at: now)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { note(name, value) }
    leavePreset()
  }

  private func note(_ name: String, _ value: Value) {
    guard state.values[name] != value else { return }
    state.values[name] = value
    broadcast.tell(.property(name, value))
  }

  private func leavePreset() {
    guard state.preset != nil else { return }
    state.preset = nil
    broadcast.tell(.preset(nil))
  }

  private func step(_ parameter: Parameter, by count: Int) async throws(StageError) {
    let now = state.values[parameter.name] ?? parameter.property.defaultValue
    if !parameter.choices.isEmpty {
      let text = Parameter.text(now)
      let index = parameter.choices.firstIndex(of: text) ?? 0
      let next =
        (index + count % parameter.choices.count + parameter.choices.count)
        % parameter.choices.count
      return try await change([parameter.name: .string(parameter.choices[next])])
    }
    guard let place = parameter.place(of: now), let number = Parameter.number(now) else {
      throw noFader(parameter)
    }
    var value = parameter.value(at: place + Double(count) / 100) ?? now
    if value == now, let nearest = parameter.value(near: number + (count < 0 ? -1 : 1)) {
      // A hundredth of the way is less than 1 here.
      value = nearest
    }
    try await change([parameter.name: value])
  }

  private func toggle(_ parameter: Parameter) async throws(StageError) {
    guard case .bool(let isOn) = state.values[parameter.name] else {
      throw StageError(
        .badValue, "\(parameter.name) is not a switch; it must be \(parameter.description).")
    }
    try await change([parameter.name: .bool(!isOn)])
  }

  private func noFader(_ parameter: Parameter) -> StageError {
    StageError(.badValue, "\(parameter.name) has no fader; it must be \(parameter.description).")
  }

  // MARK: Presets

  private func load(_ name: String, beats: Double) async throws(StageError) {
    let name = Spelling(name, in: presets).match ?? name
    let content = try await stage.content(of: name)
    guard state.quantize > 0 else { return try await go(to: content, preset: name, beats: beats) }
    wait("preset", for: name) { performance throws(StageError) in
      try await performance.go(to: content, preset: name, beats: beats)
    }
  }

  /// Saves what is seen as a preset.
  ///
  /// - Parameter name: Nil for a number.
  /// - Returns: The name.
  private func save(_ name: String?) async throws(StageError) -> String {
    let name = try await nameToSave(name)
    try await stage.save(PresetContent(values: look, drives: state.drives), as: name)
    let presets = names.withLock { names in
      if !names.contains(name) { names.append(name) }
      return names
    }
    state.preset = name
    broadcast.tell(.presets(presets))
    broadcast.tell(.preset(name))
    broadcast.tell(
      .notice("Saved as preset \(presets.firstIndex(of: name).map { $0 + 1 } ?? 0), \(name)"))
    return name
  }

  /// A name under which a preset may be saved.
  private func nameToSave(_ name: String?) async throws(StageError) -> String {
    let presets = presets
    guard let name = name?.trimmingSpaces else {
      let free = (1...).lazy.map { "Saved \($0)" }.first { !presets.contains($0) } ?? "Saved"
      return try newName(free)
    }
    // What the file of presets, which has a line `[NAME]` for each, can hold.
    guard (1...64).contains(name.count), !name.hasPrefix("_"),
      !name.unicodeScalars.contains(where: {
        "[]".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
      })
    else {
      throw StageError(
        .badValue, "A preset has a name of 1 to 64 characters, without brackets.")
    }
    guard let match = Spelling(name, in: presets).match else { return try newName(name) }
    // Nobody can undo what is done to a preset of all programs.
    guard try await stage.content(of: match).drives != nil else {
      throw StageError(
        .badValue, "\(match) was not saved by a show, and stays as it is. Choose another name.")
    }
    return match
  }

  /// A name of one more preset.
  private func newName(_ name: String) throws(StageError) -> String {
    guard presets.count < Self.presetLimit else {
      throw StageError(.badValue, "There are \(presets.count) presets already.")
    }
    return name
  }

  /// The most presets; others may save them, too.
  private static let presetLimit = 500

  private func nextPreset(_ count: Int) async throws(StageError) {
    guard !presets.isEmpty else { throw StageError(.noSuchPreset, "There are no presets.") }
    let index = state.preset.flatMap { presets.firstIndex(of: $0) }
    // From no preset, the first comes next, and the last comes before.
    let start = index ?? (count > 0 ? -1 : 0)
    let next = (start + count % presets.count + presets.count) % presets.count
    try await load(presets[next], beats: state.glide)
  }

  /// The properties that presets hold, as they are.
  private var look: [String: Value] {
    let names = Set(parameters.look.map(\.name))
    return state.values.filter { names.contains($0.key) }
  }

  private func put(_ name: String?, on deck: Deck) async throws(StageError) {
    var content = look
    var label = state.preset ?? "what was seen"
    if let name {
      label = Spelling(name, in: presets).match ?? name
      content = try await stage.content(of: label).values
    }
    decks[deck] = content
    state.decks[deck] = label
    broadcast.tell(.deck(deck, label))
  }

  private func crossfade(to place: Double) async throws(StageError) {
    guard let a = decks[.a], let b = decks[.b] else {
      throw StageError(
        .badMove, "The crossfader needs a preset at each end: `deck a NAME` and `deck b NAME`.")
    }
    let place = min(max(place, 0), 1)
    var values: [String: Value] = [:]
    for (name, first) in a where state.drives[name] == nil {
      guard let parameter = parameters[name], let second = b[name] else { continue }
      let value = parameter.value(at: place, from: first, to: second)
      if value != state.values[name] { values[name] = value }
    }
    state.crossfade = place
    broadcast.tell(.crossfade(place))
    guard !values.isEmpty else { return }
    for name in values.keys.sorted() where gliding.contains(name) { try await release(name) }
    let before = state
    try await stage.set(values)
    history.remember(before, because: "crossfade", at: now)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { note(name, value) }
    leavePreset()
  }

  /// Goes to a preset; where that says nothing of drives, those there are go on.
  private func go(
    to content: PresetContent, preset: String?, beats: Double
  ) async throws(StageError) {
    let before = state
    let kept = content.drives == nil ? state.drives : [:]
    for name in gliding.union(state.drives.keys).sorted() where kept[name] == nil {
      try await release(name)
    }
    let different = content.values.filter {
      kept[$0.key] == nil && state.values[$0.key] != $0.value
    }
    var atOnce = different
    if beats > 0 {
      for (name, value) in different.sorted(by: { $0.key < $1.key }) {
        guard let parameter = parameters[name], parameter.property.isControllable,
          parameter.reach != nil,
          let number = Parameter.number(value)
        else { continue }
        try await stage.drive(name, by: .ramp(beats: beats, to: number), tempo: state.tempo)
        atOnce[name] = nil
        glide(name, to: value, beats: beats)
      }
    }
    try await stage.set(atOnce)
    history.remember(before, because: nil, at: now)
    for (name, value) in atOnce.sorted(by: { $0.key < $1.key }) { note(name, value) }
    for (name, drive) in (content.drives ?? [:]).sorted(by: { $0.key < $1.key }) {
      gliding.remove(name)
      agenda.remove("glide \(name)")
      do throws(StageError) {
        try await stage.drive(try parameters.find(name).name, by: drive, tempo: state.tempo)
      } catch {
        // It was saved where there was sound, say. The rest of the preset is there all the same.
        broadcast.tell(.trouble(error.message))
        continue
      }
      state.drives[name] = drive
      broadcast.tell(.driven(name, drive))
    }
    state.preset = preset
    broadcast.tell(.preset(preset))
  }

  // MARK: Sources

  private func index(ofSource number: Int) throws(StageError) -> Int {
    guard number > 0, sources.indices.contains(number - 1) else {
      throw StageError(
        .badMove,
        sources.isEmpty
          ? "There is only one source. Start with several, such as a.mp4 b.mp4."
          : "There is no source \(number). The sources are 1 to \(sources.count).")
    }
    return number - 1
  }

  private func show(_ number: Int, beats: Double) async throws(StageError) {
    let index = try index(ofSource: number)
    guard state.quantize > 0 else { return try await change(to: index, beats: beats) }
    wait("source", for: "\(number)") { performance throws(StageError) in
      try await performance.change(to: index, beats: beats)
    }
  }

  private func change(to index: Int, beats: Double) async throws(StageError) {
    try await stage.showSource(index, over: ClockTime(state.tempo.duration(ofBeats: beats)))
    state.source = index + 1
    broadcast.tell(.source(index + 1))
  }

  // MARK: What moves by itself

  private func drive(_ parameter: Parameter, by drive: Drive) async throws(StageError) {
    guard parameter.reach != nil, parameter.property.isControllable else {
      throw StageError(.badValue, "\(parameter.name) cannot be animated.")
    }
    let before = state
    try await release(parameter.name)
    var ends: [Double] = []
    for number in drive.ends {
      ends.append(Parameter.number(try parameter.fit(.double(number))) ?? number)
    }
    let drive = drive.between(ends)
    try await stage.drive(parameter.name, by: drive, tempo: state.tempo)
    history.remember(before, because: nil, at: now)
    if case .ramp(let beats, let number) = drive, let value = parameter.value(near: number) {
      glide(parameter.name, to: value, beats: beats)
    }
    state.drives[parameter.name] = drive
    broadcast.tell(.driven(parameter.name, drive))
    leavePreset()
  }

  /// Lets a property be where it is going to be, once it is there.
  private func glide(_ name: String, to value: Value, beats: Double) {
    gliding.insert(name)
    later("glide \(name)", at: now + state.tempo.duration(ofBeats: beats)) { performance in
      await performance.arrive(name, at: value)
    }
  }

  private func arrive(_ name: String, at value: Value) async {
    guard gliding.remove(name) != nil else { return }
    try? await stage.drive(name, by: nil, tempo: state.tempo)
    try? await stage.set(name, to: value)
    note(name, value)
    if state.drives.removeValue(forKey: name) != nil { broadcast.tell(.driven(name, nil)) }
  }

  /// Ends what moves a property; it stays where it is.
  private func release(_ name: String) async throws(StageError) {
    let wasGliding = gliding.remove(name) != nil
    agenda.remove("glide \(name)")
    let wasDriven = state.drives.removeValue(forKey: name)
    guard wasGliding || wasDriven != nil else { return }
    try await stage.drive(name, by: nil, tempo: state.tempo)
    note(name, await stage.value(of: name))
    if wasDriven != nil { broadcast.tell(.driven(name, nil)) }
  }

  // MARK: Beats

  /// Whether a change of a property looks wrong beside the beat.
  private static func isQuantized(_ name: String) -> Bool { name == "mode" || name == "map" }

  /// Has a change wait for its beat, in the place of one of the same kind.
  private func wait(
    _ kind: String, for value: String,
    _ change: @escaping @Sendable (isolated Performance) async throws(StageError) -> Void
  ) {
    let moment = state.tempo.next(multipleOf: state.quantize, from: now)
    tellWaiting(kind, WaitingChange(value, at: moment))
    later(kind, at: moment) { performance in
      performance.tellWaiting(kind, nil)
      do throws(StageError) {
        try await change(performance)
      } catch {
        performance.broadcast.tell(.trouble(error.message))
      }
    }
  }

  private func tellWaiting(_ kind: String, _ change: WaitingChange?) {
    state.waiting[kind] = change
    broadcast.tell(.waiting(kind, change))
  }

  /// The moment by the clock that beats and glides go by.
  var now: ContinuousClock.Instant { clock?.now ?? .now }

  private func later(
    _ what: String, at moment: ContinuousClock.Instant, _ action: @escaping DueAction
  ) {
    agenda.put(what, at: moment, action)
    sleep()
  }

  private func sleep() {
    waiter?.cancel()
    guard clock == nil, let moment = agenda.nextMoment else { return }
    waiter = Task { [weak self] in
      guard (try? await Task.sleep(until: moment, clock: .continuous)) != nil else { return }
      await self?.catchUp()
    }
  }

  private func catchUp() async {
    // Whoever calls has slept, and must not be woken.
    waiter = nil
    while let action = agenda.next(by: now) {
      // The next one, while this one may take its time.
      sleep()
      await action(self)
    }
  }

  /// Puts the clock on that was given to it, and does what is due until then, each at its moment.
  func advance(to moment: ContinuousClock.Instant) async {
    while let next = agenda.nextMoment, next <= moment {
      clock?.set(next)
      await catchUp()
    }
    clock?.set(moment)
  }

  /// Does all that waits, each at its moment.
  func advanceToEnd() async {
    while let next = agenda.nextMoment { await advance(to: next) }
  }

  // MARK: Undo

  /// The stage has set a property by itself: there is nothing to undo, and undo leaves it alone.
  func takeOver(_ name: String, _ value: Value) {
    note(name, value)
    history.change { $0.values[name] = value }
  }

  private func restore(_ earlier: PerformanceState?) async throws(StageError) {
    guard let earlier else { throw StageError(.nothingToUndo, "There is nothing to undo.") }
    for name in gliding.union(state.drives.keys).sorted() { try await release(name) }
    let different = earlier.values.filter { state.values[$0.key] != $0.value }
    try await stage.set(different)
    for (name, value) in different.sorted(by: { $0.key < $1.key }) { note(name, value) }
    for (name, drive) in earlier.drives.sorted(by: { $0.key < $1.key }) {
      // A ramp has arrived since, or will never.
      if case .ramp = drive { continue }
      try await stage.drive(name, by: drive, tempo: state.tempo)
      state.drives[name] = drive
      broadcast.tell(.driven(name, drive))
    }
    if state.preset != earlier.preset {
      state.preset = earlier.preset
      broadcast.tell(.preset(earlier.preset))
    }
  }

  // MARK: Files and black

  private func snapshot(_ path: String?) async throws(StageError) {
    let path = path ?? fileNames.next("png")
    try await stage.snapshot(to: path)
    broadcast.tell(.snapshot(path))
  }

  private func record(_ change: Switch, _ path: String?) async throws(StageError) {
    try await recordings.run { () async throws(StageError) in
      try await changeRecording(change, path)
    }
  }

  private func changeRecording(_ change: Switch, _ path: String?) async throws(StageError) {
    let mustRecord = change.applied(to: state.recording != nil)
    guard mustRecord != (state.recording != nil) else { return }
    if mustRecord {
      let path = path ?? fileNames.next("mkv")
      // Whoever asks meanwhile finds it going on.
      state.recording = path
      do throws(StageError) {
        try await stage.startRecording(to: path)
      } catch {
        state.recording = nil
        throw error
      }
      broadcast.tell(.recording(path))
    } else {
      state.recording = nil
      broadcast.tell(.recording(nil))
      broadcast.tell(.recorded(try await stage.stopRecording()))
    }
  }

  /// A recording broke off by itself.
  public func loseRecording(because reason: String) {
    guard state.recording != nil else { return }
    state.recording = nil
    broadcast.tell(.recording(nil))
    broadcast.tell(.trouble(reason))
  }

  private func black(_ change: Switch) async {
    let isBlack = change.applied(to: state.isBlack)
    guard isBlack != state.isBlack else { return }
    state.isBlack = isBlack
    await stage.setBlack(isBlack)
    broadcast.tell(.blackout(isBlack))
  }
}

extension Drive {
  /// Whether the tempo matters while it goes on.
  fileprivate var hasBeats: Bool {
    if case .wave = self { return true }
    return false
  }
}
