// The OSC input performs moves from OSC messages and sends changes back to controllers.

import GStreamer
import SlitScanStage

/// Takes moves by OSC, over UDP, and has the faders of controllers follow.
///
/// ```swift
/// let osc = OSCInput(performance)
/// try await osc.start()
/// // oscsend localhost 9000 /slitscan/gain f 2.5
/// await osc.stop()
/// ```
///
/// Every property has an address, as `/slitscan/gain`, and so has everything else that can be done;
/// ``OSCAddresses/list(_:presets:)`` lists them. By itself it hears programs on this machine alone. There is
/// no password in OSC: any client that can reach another address plays along, within the bounds of
/// ``Origin/elsewhere``.
///
/// - **Values** may be of any type that stands for one: `i`, `h`, `f`, `d` for numbers, `T`, `F`, 1 and 0
///   for switches, `s`, `S`, `c` or a choice's number from 0 on for choices, `N` for no text. A property's
///   address without a value asks for it.
/// - **Buttons** that send 1 and 0, as `/slitscan/tap`, count when they are pressed.
/// - **Patterns** match the names of properties, and nothing else: `/slitscan/{gain,offset}`,
///   `/slitscan/center-*/fade`.
/// - **Bundles** are done at once: their values are shown with the same frame, and are one change to undo.
///   A time tag in the future is waited for, up to an hour; one in the past is done at once. A bundle that
///   is malformed somewhere is not done at all.
/// - **`/slitscan/get`** is answered to where it came from.
/// - **`/slitscan/subscribe`** has the sender told of every change, for a minute from the last message it
///   sends, of any kind: with the address that would make the change, and the place of the fader, as
///   `/slitscan/gain` and `/slitscan/gain/fade`. It begins with how everything is. Several changes at once
///   come in bundles of up to 1,200 bytes. A controller that moves a fader gets no feedback for that address
///   until it has been still for half a second, and then once: so feedback never works against the user.
///   Besides, there are `/slitscan/trouble`, `/slitscan/notice`, `/slitscan/snapshot/written` and
///   `/slitscan/record/written`, each with a text.
/// - **What cannot be done** is told as ``Change/warning(_:)``, and what was left out of a flood as
///   ``Change/notice(_:)``, once every two seconds at most. Of values for one property that come faster than
///   they can be set, the last counts.
///
/// - Important: ``stop()`` it. Without, the port is given back only some time after the last reference has
///   gone.
public actor OSCInput {
  /// The port, unless another is asked for.
  public static let standardPort: UInt16 = 9000
  /// The default address, on which only this machine is heard.
  public static let standardHost = "127.0.0.1"

  private let performance: Performance
  private let port: UInt16
  private let host: String
  private var running: Running?

  /// The objects between ``start()`` and ``stop()``.
  private struct Running {
    let socket: OSCSocket
    let intake: OSCIntake
    let files: AsyncStream<Move>.Continuation
    let tasks: [Task<Void, Never>]
    var feedback: OSCFeedback
    var subscribers = OSCSubscribers()
    var alarm: Task<Void, Never>?
  }

  /// An input that is not open yet.
  ///
  /// - Parameters:
  ///   - port: Where it listens; 0 for any port that is free.
  ///   - host: The address that it listens at, in figures: `127.0.0.1` for programs on this machine,
  ///     `0.0.0.0` or `::` for every host that can reach it.
  public init(
    _ performance: Performance, port: UInt16 = OSCInput.standardPort,
    bind host: String = OSCInput.standardHost
  ) {
    self.performance = performance
    self.port = port
    self.host = host
  }

  deinit {
    running?.intake.finish()
    running?.files.finish()
    running?.alarm?.cancel()
    for task in running?.tasks ?? [] { task.cancel() }
  }

  /// The address on which it listens, such as `127.0.0.1:9000`; nil while stopped.
  public var address: String? { running?.socket.endpoint.description }

  /// The port that it listens at; nil where it does not.
  public var boundPort: UInt16? { running?.socket.endpoint.port }

  var counts: OSCIntake.Counts { running?.intake.counts ?? OSCIntake.Counts() }

  private var now: ContinuousClock.Instant { performance.clock.now }

  var subscriberCount: Int { running?.subscribers.targets(at: now).count ?? 0 }

  // MARK: From start to stop

  /// Opens the port, and plays from now on.
  ///
  /// - Throws: ``StageError/Code/inputFailed`` where it cannot be opened, with what to do.
  public func start() async throws(StageError) {
    guard running == nil else { return }
    let socket = try OSCSocket(bind: host, port: port)
    let intake = OSCIntake(clock: performance.clock) { [performance] in
      OSCDialect(parameters: performance.parameters, presets: performance.presets)
    }
    let (files, pen) = AsyncStream.makeStream(
      of: Move.self, bufferingPolicy: .bufferingOldest(Self.fileLimit))
    let changes = performance.changes
    let performance = performance
    let state = await performance.state
    // Another caller may have been faster meanwhile.
    guard running == nil else { return }
    running = Running(
      socket: socket, intake: intake, files: pen,
      tasks: [
        Task { [weak self, wakes = intake.wakes] in
          for await _ in wakes { await self?.work() }
        },
        Task { [weak self] in
          for await change in changes { await self?.handle(change) }
        },
        Task {
          for await move in files {
            do throws(StageError) {
              try await performance.perform(move)
            } catch {
              intake.complain(error.message)
            }
          }
        },
      ],
      feedback: OSCFeedback(state, performance.parameters))
    let own = socket.endpoint
    do throws(StageError) {
      try socket.receive { bytes, sender in
        // Our own messages are not for us.
        if sender != own { intake.take(bytes, from: sender) }
      }
    } catch {
      await stop()
      throw error
    }
  }

  /// Closes the port.
  ///
  /// Waiting requests are not done any more.
  public func stop() async {
    guard let running else { return }
    self.running = nil
    running.alarm?.cancel()
    running.files.finish()
    for task in running.tasks { task.cancel() }
    await running.socket.end()
    running.intake.finish()
    for task in running.tasks { await task.value }
  }

  // MARK: What comes

  /// The most stills and recordings that wait for each other.
  private static let fileLimit = 16

  private func work() async {
    guard let running else { return }
    let now = now
    let work = running.intake.work(at: now)
    for sender in work.senders { self.running?.subscribers.renew(from: sender, at: now) }
    if let warning = work.warning { performance.tell(.warning(warning)) }
    if let loss = work.loss { performance.tell(.notice(loss)) }
    for order in work.orders {
      guard self.running != nil else { return }
      await perform(order)
    }
    tell()
  }

  /// Does all of an order: values that follow each other with the same frame.
  private func perform(_ order: OSCOrder) async {
    var values: [String: Value] = [:]
    for request in order.requests {
      if case .move(let move) = request {
        if let address = move.address {
          running?.subscribers.touch(address, by: order.sender, at: now)
        }
        if let (name, value) = value(of: move, from: order.sender.origin) {
          values[name] = value
          continue
        }
      }
      await set(&values, from: order.sender.origin)
      await perform(request, for: order.sender)
    }
    await set(&values, from: order.sender.origin)
  }

  /// The value that a move sets; nil for a move that does something else, or cannot be done.
  private func value(of move: Move, from origin: Origin) -> (String, Value)? {
    guard (try? performance.check(move, from: origin)) != nil else { return nil }
    return switch move {
    case .set(let name, let value):
      (try? performance.parameters[name]?.fit(value)).map { (name, $0) }
    case .fade(let name, let place):
      performance.parameters[name]?.value(at: place).map { (name, $0) }
    default: nil
    }
  }

  private func set(_ values: inout [String: Value], from origin: Origin) async {
    guard !values.isEmpty else { return }
    defer { values = [:] }
    do throws(StageError) {
      try await performance.set(values, from: origin)
    } catch {
      running?.intake.complain(error.message)
    }
  }

  private func perform(_ request: OSCRequest, for sender: OSCEndpoint) async {
    switch request {
    case .move(let move):
      do throws(StageError) {
        guard move.isSlow else { return try await performance.perform(move, from: sender.origin) }
        // These take as long as the disk does; faders do not wait for them.
        try performance.check(move, from: sender.origin)
        put(move)
      } catch {
        running?.intake.complain("OSC: \(sender): \(error.message)")
      }
    case .get(let names):
      let state = await performance.state
      answer(
        names.compactMap { name in state.values[name].map { OSCFeedback.message(name, $0) } },
        to: sender)
    case .list: answer(performance.parameters.all.map { OSCAddresses.entry(of: $0) }, to: sender)
    case .subscribe(let target): subscribe(target, for: sender)
    case .unsubscribe(let target): running?.subscribers.unsubscribe(target, for: sender)
    }
  }

  private func put(_ move: Move) {
    guard case .dropped = running?.files.yield(move) else { return }
    running?.intake.complain("OSC: `\(move.line)` was dropped; too many moves wait for the disk.")
  }

  // MARK: What is told

  private func subscribe(_ target: OSCEndpoint, for sender: OSCEndpoint) {
    guard let running, !isHere(target, running.socket.endpoint) else { return }
    let isTaken =
      self.running?.subscribers.subscribe(
        target, for: sender, to: running.feedback.addresses, at: now) ?? false
    guard !isTaken else { return }
    running.intake.complain(
      "OSC: \(target) cannot subscribe; there are \(OSCSubscribers.limit) subscribers already.")
  }

  /// Whether it is this input itself.
  private func isHere(_ target: OSCEndpoint, _ own: OSCEndpoint) -> Bool {
    target.port == own.port && (target.isLoopback || target == own)
  }

  private func answer(_ messages: [OSCMessage], to receiver: OSCEndpoint) {
    for bytes in OSCPacket.datagrams(of: messages) {
      _ = running?.socket.send(bytes, to: receiver)
    }
  }

  private func handle(_ change: Change) {
    let now = now
    if let event = OSCFeedback.event(change) {
      for target in running?.subscribers.targets(at: now) ?? [] { answer([event], to: target) }
      return
    }
    for address in self.running?.feedback.note(change) ?? [] {
      self.running?.subscribers.change(address, at: now)
    }
    tell()
  }

  /// Tells subscribers what they are to be told by now, and sees to it that it is called when there is more.
  private func tell() {
    guard let running else { return }
    let now = now
    for (target, addresses) in self.running?.subscribers.take(at: now) ?? [] {
      let messages = addresses.compactMap { running.feedback[$0] }
      let areSent = OSCPacket.datagrams(of: messages).allSatisfy {
        running.socket.send($0, to: target)
      }
      if !areSent { self.running?.subscribers.retry(addresses, to: target, at: now) }
    }
    setAlarm()
  }

  /// Schedules a wakeup for when there is something to do next; waking too early does no harm.
  private func setAlarm() {
    running?.alarm?.cancel()
    guard let running,
      let next = [running.intake.next, running.subscribers.next].compactMap(\.self).min()
    else { return }
    self.running?.alarm = Task { [intake = running.intake, clock = performance.clock] in
      guard (try? await clock.sleep(until: next, tolerance: nil)) != nil else { return }
      intake.wake()
    }
  }
}
