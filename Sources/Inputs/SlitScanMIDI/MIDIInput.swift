// The MIDI input performs the moves that MIDI devices ask for.

import GStreamer
import SlitScanStage

/// Plays a performance by the controls of MIDI devices.
///
/// ```swift
/// let midi = MIDIInput(performance, sources: [.alsa(), .stream(path: "/dev/ttyACM0")])
/// try await midi.start()
/// try await midi.learn("depth")  // the next parameter that is moved is its parameter from now on
/// ```
///
/// Each device has a ``MIDIMap`` in a file of its own, which people may edit; what is learned is written
/// there. Devices may come and go; that is told by the performance's changes. Whatever a device sends,
/// the show goes on: what is no message is left out, and a flood is cut down to where its controls are in
/// the end.
public actor MIDIInput: ControlAssigner {
  /// The time after a tick of the leading clock in which no other is listened to.
  private static let clockPause = Duration.seconds(1)

  private let performance: Performance
  private let folder: String
  private let defaultMap: MIDIMap
  private let intake: MIDIIntake
  private let listeners: [ListenerThread]
  private var reader: Task<Void, Never>?
  private var isListening = false
  /// The tasks that wait until earlier messages are done.
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var devices: [Int: MIDIDevice] = [:]
  private var learner: MIDILearner?
  /// The controls that do nothing any more once one is learned.
  private var replaced: [(device: String, control: MIDIControl)] = []
  /// The control that was last told of as not yet moved far enough.
  private var lastHeard: MIDIControl?
  private var clock = MIDIClock()
  private var leader: (device: Int, last: ContinuousClock.Instant)?
  /// Whether devices are told what their controls should show.
  private let sendsFeedback: Bool
  /// Hears of changes, for feedback.
  private var follower: Task<Void, Never>?
  /// Sends feedback in rounds.
  private var sender: Task<Void, Never>?
  /// Asks for another round; nil where there is no feedback.
  private var rounds: AsyncStream<Void>.Continuation?
  /// The number of presses and ticks lost in floods.
  public private(set) var lostCount = 0

  /// Devices of some sources, which play as soon as they are started.
  ///
  /// - Parameters:
  ///   - folder: Where the maps of devices are.
  ///   - map: What the controls of a device do that has no map of its own.
  ///   - sendsFeedback: Whether devices are told what their controls should show; each map can say otherwise.
  public init(
    _ performance: Performance, sources: [MIDISource] = [.alsa()], folder: String = MIDIMap.folder,
    map: MIDIMap = MIDIMap(), sendsFeedback: Bool = true
  ) {
    self.sendsFeedback = sendsFeedback
    self.performance = performance
    self.folder = folder
    defaultMap = map
    let intake = MIDIIntake(clock: performance.clock)
    self.intake = intake
    listeners = sources.map { $0.makeListener(intake) }
  }

  deinit {
    reader?.cancel()
    follower?.cancel()
    sender?.cancel()
  }

  /// The names of the devices that are there.
  public var deviceNames: [String] { devices.sorted { $0.key < $1.key }.map(\.value.name) }

  /// Begins to listen.
  ///
  /// - Throws: ``StageError/Code/inputFailed`` for the first source that does not open. The others play.
  public func start() async throws(StageError) {
    guard !isListening else { return }
    isListening = true
    await performance.setAssigner(self)
    await announce()
    if reader == nil {
      reader = Task { [weak self, intake] in
        for await _ in intake.calls { await self?.takeAll() }
      }
    }
    if sendsFeedback { startFeedback() }
    var failure: StageError?
    for listener in listeners {
      do throws(StageError) {
        try await listener.start()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Stops listening; what is held is released.
  public func stop() async {
    guard isListening else { return }
    for listener in listeners { await listener.stop() }
    // The last thing that a listener says is that its devices are gone.
    await settle()
    stopLearning()
    await performance.setAssigner(nil)
    follower?.cancel()
    sender?.cancel()
    rounds = nil
    isListening = false
  }

  private func announce() async {
    var seen: Set<String> = []
    let known = devices.sorted { $0.key < $1.key }.map(\.value).filter {
      seen.insert($0.name).inserted
    }
    await performance.show(
      assignments: known.flatMap { device in
        device.map.assignments.map { control, action in
          ControlAssignment(
            device: device.name, control: control.text, action: action.text(for: control),
            property: action.property)
        }
      }, learning: learning)
  }

  /// Returns when everything has been played that came before.
  func settle() async {
    let mark = intake.number()
    await withCheckedContinuation { continuation in
      waiting[mark] = continuation
      intake.add([.mark(mark)])
    }
  }

  // MARK: Learning

  /// The property that looks for its control; nil for none.
  public var learning: String? { learner?.parameter.name }

  /// Has a property moved by the next control that is clearly moved; until then, controls do nothing else.
  ///
  /// The result is told as a notice, and written to the device's map. An endless encoder should be turned
  /// to and fro, so that its kind can be seen.
  ///
  /// - Throws: ``StageError/Code/noSuchProperty``, or ``StageError/Code/badValue`` where it is text.
  public func learn(_ property: String) async throws(StageError) {
    try await learn(property, replacing: nil, of: nil)
  }

  /// As ``learn(_:)``; another control does nothing any more then.
  ///
  /// - Parameters:
  ///   - control: The other control, as its device's map has it.
  ///   - device: The device of the other control; nil for all.
  /// - Throws: As ``learn(_:)``; ``StageError/Code/badMove`` where there is no such control.
  public func learn(
    _ property: String, replacing control: String?, of device: String?
  ) async throws(StageError) {
    let parameter = try performance.parameters.find(property)
    guard parameter.value(at: 0) != nil else {
      throw StageError(.badValue, "\(property) has no fader; it must be \(parameter.description).")
    }
    replaced = try control.map { (text) throws(StageError) in try find(text, of: device) } ?? []
    learner = MIDILearner(parameter)
    lastHeard = nil
    intake.setLearning(true)
    performance.tell(.notice("Move a control of a MIDI device to assign it to \(property)."))
    await announce()
  }

  /// Looks for no control any more, and says so if it did.
  public func cancelLearning() async {
    guard let property = learning else { return }
    stopLearning()
    performance.tell(.notice("No control was assigned to \(property)."))
    await announce()
  }

  private func stopLearning() {
    learner = nil
    intake.setLearning(false)
  }

  private func learn(_ control: MIDIControl, _ action: MIDIAction, on device: Int) async {
    stopLearning()
    guard let name = devices[device]?.name else { return await announce() }
    do throws(StageError) {
      for (other, old) in replaced where other != name { try edit(other) { $0.remove(old) } }
      try edit(name) { map in
        for (other, old) in replaced where other == name && old != control { map.remove(old) }
        map.assign(action, to: control)
      }
      performance.tell(.notice("\(name): \(control.text) = \(action.text(for: control))"))
    } catch {
      performance.tell(.warning(error.message))
    }
    await announce()
  }

  /// Has a control do nothing any more, in the maps of all devices that have it or of one, and in their files.
  ///
  /// - Parameters:
  ///   - control: The control, as the maps have it.
  ///   - device: The name of the device; nil for all.
  /// - Throws: ``StageError/Code/badMove`` where it does nothing, ``StageError/Code/badFile``.
  public func remove(_ control: String, of device: String?) async throws(StageError) {
    let found = try find(control, of: device)
    var failure: StageError?
    for (name, control) in found {
      do throws(StageError) {
        try edit(name) { $0.remove(control) }
        performance.tell(.notice("\(name): \(control.text) does nothing any more."))
      } catch {
        failure = error
      }
    }
    await announce()
    if let failure { throw failure }
  }

  /// The devices that have a control, by their names.
  private func find(
    _ text: String, of device: String?
  ) throws(StageError) -> [(device: String, control: MIDIControl)] {
    guard let control = MIDIControl(text) else {
      throw StageError(.badMove, "`\(text)` is no control. There are: \(MIDIControl.forms).")
    }
    let names = Set(devices.values.filter { $0.map[control] != nil }.map(\.name))
    let found = names.filter { device == nil || $0 == device }.sorted()
    guard !found.isEmpty else {
      throw StageError(
        .badMove, "\(device ?? "No device that is connected"): \(text) does nothing.")
    }
    return found.map { ($0, control) }
  }

  /// Changes the map of a device, and its file.
  private func edit(
    _ name: String, _ body: (inout MIDIMap) -> Void
  ) throws(StageError) {
    let path = MIDIMap.path(for: name, in: folder)
    // The user may have edited it.
    var map =
      try MIDIMap.read(path) ?? devices.values.first { $0.name == name }?.map ?? defaultMap
    body(&map)
    for (number, known) in devices where known.name == name { use(map, for: number) }
    // It plays also where it cannot be written.
    try map.write(path)
  }

  private func use(_ map: MIDIMap, for device: Int) {
    devices[device]?.map = map
    devices[device]?.pickups = [:]
    devices[device]?.feedback.forget()
    intake.use(map, for: device)
    rounds?.yield()
  }

  // MARK: What devices say

  private func takeAll() async {
    let (deliveries, lost) = intake.take()
    if lost > 0 {
      lostCount += lost
      performance.tell(.warning("Too much MIDI at once: \(lost) presses or ticks were lost."))
    }
    for delivery in deliveries { await take(delivery) }
  }

  private func take(_ delivery: MIDIDelivery) async {
    switch delivery {
    case .appeared(let number, let name):
      appear(number, name)
      await announce()
    case .vanished(let number):
      await letGo(number)
      intake.use(nil, for: number)
      guard let device = devices.removeValue(forKey: number) else { return }
      performance.tell(.warning("MIDI: \(device.name) was disconnected."))
      await announce()
    case .mark(let number): waiting.removeValue(forKey: number)?.resume()
    case .restarted(let number): await letGo(number)
    case .listens(let number):
      devices[number]?.listens = true
      devices[number]?.feedback.forget()
      rounds?.yield()
    case .event(let number, let event, let first):
      guard learner == nil else { return await learn(from: event, number) }
      await play(event, after: first, number)
    case .clock(let number, let message, let moment): await follow(message, number, moment)
    }
  }

  private func appear(_ number: Int, _ name: String) {
    let path = MIDIMap.path(for: name, in: folder)
    var map = defaultMap
    do throws(StageError) {
      if let own = try MIDIMap.read(path) {
        map = own
        for problem in own.problems + own.problems(with: performance.parameters) {
          performance.tell(.warning("\(path), line \(problem.line): \(problem.message)"))
        }
      }
    } catch {
      performance.tell(.warning(error.message))
    }
    devices[number] = MIDIDevice(name: name, map: map)
    intake.use(map, for: number)
    performance.tell(.notice("MIDI: \(name) is connected."))
  }

  private func letGo(_ number: Int) async {
    for move in devices[number]?.letGo() ?? [] { await performance.play(move) }
  }

  private func learn(from event: MIDIEvent, _ number: Int) async {
    // Earlier presses must not stay pressed.
    if !event.isPressed, let move = devices[number]?.release(event.control) {
      await performance.play(move)
    }
    if let (control, action) = learner?.handle(event) {
      await learn(control, action, on: number)
      // It is still being moved.
      _ = devices[number]?.feedback.hear(
        event, of: control, doing: action, at: performance.clock.now)
    } else if let learning, event.control != lastHeard {
      lastHeard = event.control
      performance.tell(
        .notice("Heard \(event.control.text). Move it farther to assign it to \(learning)."))
    }
  }

  // MARK: Controls

  /// - Parameter first: Where the control was before, of what has come since it was last played.
  private func play(_ event: MIDIEvent, after first: MIDIEvent?, _ number: Int) async {
    guard let (control, action) = devices[number]?.map.action(for: event.control) else { return }
    guard
      devices[number]?.feedback.hear(event, of: control, doing: action, at: performance.clock.now)
        == true
    else { return }
    // It may light by itself while it is pressed.
    defer { if devices[number]?.listens == true { rounds?.yield() } }
    switch action {
    case .fader(let name, let from, let to, let hasPickup):
      if case .note = control.kind, !event.isPressed { return }
      let place = { (event: MIDIEvent) in from + (to - from) * event.place }
      guard hasPickup else { return await performance.play(.fade(name, place(event))) }
      await pickUp(
        name, with: control, of: number, at: place(event), via: first.map(place),
        on: min(from, to)...max(from, to))
    case .encoder(let name, let encoder, let steps):
      let clicks = encoder.clicks(of: event.value)
      if clicks != 0 { await performance.play(.step(name, clicks * steps)) }
    case .press(let move):
      if devices[number]?.turns(event) == true, event.isPressed { await performance.play(move) }
    case .hold(let press, let release):
      await hold(event, number) { (press, release) }
    case .momentary(let name, let value):
      await hold(event, number) { [performance] in
        (.set(name, value), .set(name, await performance.value(of: name)))
      }
    case .crossfade: await performance.play(.crossfade(event.place))
    case .presets(let beats):
      guard performance.presets.indices.contains(event.value) else {
        let last = performance.presets.count - 1
        performance.tell(.warning("There is no preset \(event.value); the last is \(last)."))
        return
      }
      await performance.play(.preset(performance.presets[event.value], beats: beats))
    }
  }

  /// Moves a property with a fader, if it has that.
  private func pickUp(
    _ name: String, with control: MIDIControl, of number: Int, at place: Double,
    via between: Double?, on reach: ClosedRange<Double>
  ) async {
    guard let parameter = performance.parameters[name], let wish = parameter.value(at: place) else {
      return
    }
    let now = await performance.value(of: name)
    let position = parameter.place(of: now)
    guard
      devices[number]?.pickups[control, default: MIDIPickup()].move(
        to: place, via: between, on: reach, from: now, at: position, wish: wish) == true
    else { return }
    await performance.play(.fade(name, place))
    let after = await performance.value(of: name)
    devices[number]?.pickups[control]?.hasMoved(to: wish, waitingAt: after == now ? now : nil)
  }

  /// Does one move when something is pressed, and another when it is released.
  private func hold(_ event: MIDIEvent, _ number: Int, _ moves: () async -> (Move, Move)) async {
    guard devices[number]?.turns(event) == true else { return }
    guard event.isPressed else {
      if let release = devices[number]?.release(event.control) { await performance.play(release) }
      return
    }
    let (press, release) = await moves()
    devices[number]?.onRelease(of: event.control, do: release)
    await performance.play(press)
  }

  // MARK: Feedback

  private func startFeedback() {
    let changes = performance.changes
    let (wishes, rounds) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.rounds = rounds
    follower = Task { for await _ in changes { rounds.yield() } }
    sender = Task { [weak self, clock = performance.clock] in
      for await _ in wishes where await self?.sendRound() == true {
        guard (try? await clock.sleep(for: MIDIFeedback.interval)) != nil else { return }
      }
    }
  }

  /// Has the controls of all devices show what is so.
  ///
  /// - Returns: Whether a device listens.
  private func sendRound() async -> Bool {
    guard devices.values.contains(where: { $0.listens && $0.map.sendsFeedback }) else {
      return false
    }
    let state = await performance.state
    let moving = await performance.moving
    let listening = devices.filter { $0.value.listens && $0.value.map.sendsFeedback }
    var values = state.values
    var isMore = false
    let shown = listening.values.reduce(into: Set()) { $0.formUnion($1.map.shownProperties) }
    for name in moving.intersection(shown) {
      values[name] = await performance.value(of: name)
      isMore = true
    }
    let parameters = performance.parameters
    for (number, device) in listening {
      // What was heard meanwhile counts.
      guard let feedback = devices[number]?.feedback else { continue }
      let round = feedback.messages(
        for: device.map.wishes(state, values: values, parameters), at: performance.clock.now
      ) { device.map.isRight($0, at: $1, values: values, parameters) }
      isMore = isMore || round.isMore
      guard !round.messages.isEmpty else { continue }
      if intake.send(round.messages.map(\.bytes), to: number) {
        devices[number]?.feedback.sent(round.messages.map(\.wish))
      } else {
        isMore = true
      }
    }
    if isMore { rounds?.yield() }
    return true
  }

  // MARK: Clock

  private func follow(
    _ message: MIDIMessage, _ number: Int, _ moment: ContinuousClock.Instant
  ) async {
    guard devices[number]?.map.followsClock == true else { return }
    if let leader, leader.device != number, moment - leader.last < Self.clockPause { return }
    if leader?.device != number { clock = MIDIClock() }
    leader = (number, moment)
    switch message {
    case .clock: clock.tick(at: moment)
    case .start: clock.start()
    case .resume: clock.resume()
    case .stop: clock.stop()
    case .songPosition(let sixteenths): clock.locate(sixteenths: sixteenths)
    default: return
    }
    guard message == .clock, let tempo = clock.tempo(after: await performance.state.tempo) else {
      return
    }
    do throws(StageError) {
      try await performance.setTempo(tempo)
    } catch {
      performance.tell(.warning(error.message))
    }
  }
}
