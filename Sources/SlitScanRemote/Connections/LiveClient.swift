// A phone that plays along.

import FlyingFox
import FlyingSocks
import Foundation
import GStreamer
import SlitScanStage
import StreamingThread

/// A client at the other end of a WebSocket.
///
/// One task reads, one writes, one does what is wanted, one asks whether the client is there. They share
/// two bounded queues, ``Inbox`` and ``Outbox``: a client that floods is read from no further, and one that
/// is slow is told less often.
final class LiveClient: Sendable {
  /// Does a move.
  typealias Perform = @Sendable (Move) async throws(StageError) -> Void

  private struct State {
    var outbox: Outbox
    var inbox = Inbox()
    var heard = ContinuousClock.now
    var writingSince: ContinuousClock.Instant?
    var looks = false
    var hasLeft = false
  }

  private let state: Lock<State>
  private let limits: Limits
  private let knobs: Knobs
  private let surface: JSON
  private let perform: Perform
  private let whenLooking: @Sendable () -> Void
  private let toWrite = Signal()
  private let work = Signal()
  private let room = Signal()

  /// - Parameters:
  ///   - update: How things are.
  ///   - surface: What there is to be moved.
  ///   - whenLooking: It looks at pictures from now on, or no longer.
  init(
    _ update: Update, _ knobs: Knobs, _ surface: JSON, _ limits: Limits,
    perform: @escaping Perform, whenLooking: @escaping @Sendable () -> Void
  ) {
    state = Lock(State(outbox: Outbox(update)))
    self.limits = limits
    self.knobs = knobs
    self.surface = surface
    self.perform = perform
    self.whenLooking = whenLooking
  }

  // MARK: What it is told

  /// Something has changed.
  func tell(_ body: (inout Update) -> Void) { send { $0.note(body) } }

  /// A picture, for those who have shown the last one.
  func show(_ jpeg: Data) { send { $0.show(jpeg) } }

  /// Whether it waits for a picture.
  var wantsPicture: Bool { state.withLock { $0.outbox.wantsPicture } }

  /// Whether somebody looks at pictures.
  var looks: Bool { state.withLock { $0.looks && !$0.hasLeft } }

  /// Closes the connection.
  func close(_ code: WSCloseCode) { send { $0.close(code) } }

  /// It is gone.
  func leave() {
    state.withLock { $0.hasLeft = true }
    whenLooking()
  }

  private func send(_ body: (inout Outbox) -> Void) {
    state.withLock { body(&$0.outbox) }
    toWrite.raise()
  }

  // MARK: While it is there

  /// Stays until the connection is over.
  ///
  /// - Parameter rest: What has come already.
  func run(on socket: AsyncSocket, _ rest: [UInt8]) async {
    // Not waited for at the end: a still may take as long as it likes.
    let performer = Task { await performAll() }
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await self.read(from: socket, rest) }
      group.addTask { await self.write(to: socket) }
      group.addTask { await self.watch() }
      while let isOver = await group.next(), !isOver {}
      group.cancelAll()
    }
    performer.cancel()
    leave()
  }

  /// - Returns: Whether the connection is gone; if not, a close is on its way.
  private func read(from socket: AsyncSocket, _ rest: [UInt8]) async -> Bool {
    var reader = FrameReader()
    var nonsense = 0
    var window = (start: ContinuousClock.now, count: 0)
    var room = room.stream.makeAsyncIterator()
    do {
      var bytes = rest
      while true {
        for frame in try reader.take(bytes) {
          switch frame {
          case .ping(let payload): send { $0.answer(payload) }
          case .pong: break
          case .close:
            close(.normalClosure)
            return false
          case .text(let text):
            nonsense = take(text) ? 0 : nonsense + 1
            guard nonsense < limits.nonsense else {
              throw Violation(.policyViolation, "Too many messages that are no moves.")
            }
          }
          window.count += 1
        }
        while state.withLock({ $0.inbox.isFull }) {
          guard await room.next() != nil else { return true }
        }
        if window.count >= limits.messages {
          try await Task.sleep(until: window.start + .milliseconds(100), clock: .continuous)
          window = (.now, 0)
        } else if ContinuousClock.now - window.start > .milliseconds(100) {
          window = (.now, 0)
        }
        bytes = try await socket.read(atMost: 4096)
        state.withLock { $0.heard = .now }
      }
    } catch let violation as Violation {
      close(violation.code)
      return false
    } catch {
      return true
    }
  }

  /// - Returns: Whether it made sense.
  private func take(_ text: String) -> Bool {
    do throws(StageError) {
      switch try ClientMessage(text) {
      case .move(let move):
        state.withLock { $0.inbox.put(move) }
        work.raise()
      case .look(let looks):
        state.withLock { $0.looks = looks }
        send { $0.look(looks) }
        whenLooking()
      case .seen: send { $0.seen() }
      case .here: send { $0.sayHere() }
      }
      return true
    } catch {
      complain(error)
      return false
    }
  }

  private func complain(_ error: StageError) {
    // What somebody sent is not sent back at any length.
    let text = String(error.message.prefix(300))
    tell { $0.add(Update.Note(kind: "trouble", text: text)) }
  }

  private func write(to socket: AsyncSocket) async -> Bool {
    var signals = toWrite.stream.makeAsyncIterator()
    while true {
      while let item = state.withLock({ $0.outbox.next() }) {
        state.withLock { $0.writingSince = .now }
        guard (try? await socket.write(frame(of: item).encoded)) != nil else { return true }
        state.withLock { $0.writingSince = nil }
        switch item {
        case .control(let frame) where frame.opcode == .close: return true
        case .update: try? await Task.sleep(for: limits.pace)
        default: break
        }
      }
      guard await signals.next() != nil else { return true }
    }
  }

  private func frame(of item: Outbox.Item) -> WSFrame {
    switch item {
    case .control(let frame): frame
    case .here: WSFrame(.text, (["here": .bool(true)] as JSON).data)
    case .surface: WSFrame(.text, (["surface": surface] as JSON).data)
    case .update(let update, let isWhole):
      WSFrame(
        .text, JSON.object([isWhole ? "state" : "change": update.json(knobs, at: .now)]).data)
    case .picture(let jpeg): WSFrame(.binary, jpeg)
    }
  }

  private func performAll() async {
    for await _ in work.stream {
      while !Task.isCancelled, let move = state.withLock({ $0.inbox.next() }) {
        room.raise()
        if case .snapshot = move {
          // Comes with the next whole picture, which may be some time away.
          Task { await performOne(move) }
        } else {
          await performOne(move)
        }
      }
    }
  }

  private func performOne(_ move: Move) async {
    do throws(StageError) {
      try await perform(move)
    } catch {
      complain(error)
    }
  }

  /// - Returns: True, when nobody seems to be there.
  private func watch() async -> Bool {
    while (try? await Task.sleep(for: limits.ping)) != nil {
      let limit = ContinuousClock.now - limits.silence
      let isGone = state.withLock {
        $0.heard < limit || $0.writingSince.map { $0 < limit } ?? false
      }
      if isGone { return true }
      send { $0.ping() }
    }
    return true
  }
}
