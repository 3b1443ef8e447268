// The state machine of an appsrc's senders. A value: no lock, no threads, no buffers.

/// The next step of a sender.
enum SendAction: Equatable {
  /// Pushes, and then says ``SendQueueState/finishPush()``.
  case push
  case wait
  case end(StreamEnding)
  /// Gives up, because its task is cancelled.
  case cancelled
}

/// The state between senders and a streaming thread that requests data.
///
/// One sender pushes at a time, in the order in which they came; the others wait, as they do while the
/// appsrc has enough.
///
/// `Waiter` is what wakes a sender: a continuation, or in tests a number.
struct SendQueueState<Waiter> {
  /// A sender that need not wait any longer, and what it is to do.
  typealias Wakened = (waiter: Waiter, action: SendAction)

  private var isWanted = false
  private var isPushing = false
  private var ending: StreamEnding?
  private var waiting: [(id: UInt64, waiter: Waiter)] = []
  private var nextID: UInt64 = 0

  // MARK: The streaming thread

  /// The appsrc wants data.
  mutating func need() -> Wakened? {
    isWanted = true
    return admit()
  }

  /// The appsrc has enough.
  mutating func enough() { isWanted = false }

  /// The stream is over.
  ///
  /// When it is stopped, later senders wait for the next one.
  ///
  /// - Returns: All senders that wait in vain.
  mutating func end(_ ending: StreamEnding) -> [Wakened] {
    isWanted = false
    let reason: StreamEnding
    switch ending {
    case .stopped:
      reason = self.ending ?? ending
      if self.ending != .disposed { self.ending = nil }
    case .disposed:
      reason = self.ending ?? ending
      self.ending = ending
    case .eos, .failed:
      if self.ending == nil { self.ending = ending }
      reason = self.ending ?? ending
    }
    defer { waiting.removeAll() }
    return waiting.map { ($0.waiter, .end(reason)) }
  }

  /// The element begins anew; what was wrong with it is forgotten.
  mutating func rearm() {
    if ending != .disposed { ending = nil }
  }

  // MARK: Senders

  /// A number for a new sender.
  mutating func makeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// Decides what a sender does next.
  mutating func nextAction() -> SendAction {
    if let ending { return .end(ending) }
    guard isWanted, !isPushing, waiting.isEmpty else { return .wait }
    isPushing = true
    return .push
  }

  /// A sender waits; only after ``nextAction()`` said so.
  mutating func wait(_ waiter: Waiter, id: UInt64) { waiting.append((id, waiter)) }

  /// A sender does not wait any longer.
  ///
  /// - Returns: It, unless its turn has come already.
  mutating func stopWaiting(_ id: UInt64) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).waiter
  }

  /// A sender has pushed; the next one may.
  mutating func finishPush() -> Wakened? {
    isPushing = false
    return admit()
  }

  private mutating func admit() -> Wakened? {
    guard isWanted, !isPushing, ending == nil, !waiting.isEmpty else { return nil }
    isPushing = true
    return (waiting.removeFirst().waiter, .push)
  }
}
