// The state machine of an appsrc's senders. A value: no lock, no threads, no buffers.

/// The next step of a sender.
enum SendAction: Equatable {
  /// Pushes, and then says ``SendQueueState/finishPush()``.
  case push
  case end(StreamEnding)
  /// Gives up, because its task is cancelled.
  case cancelled
}

/// The state between senders and a streaming thread that requests data.
///
/// One sender pushes at a time, in the order in which they came; the others wait, as they do while the
/// appsrc has enough.
struct SendQueueState {
  private var isWanted = false
  private var isPushing = false
  private var ending: StreamEnding?
  /// The number of streams that were stopped.
  private(set) var stops: UInt64 = 0

  // MARK: The streaming thread

  /// The appsrc wants data.
  mutating func need() { isWanted = true }

  /// The appsrc has enough.
  mutating func enough() { isWanted = false }

  /// The stream is over, and all that wait do so in vain.
  ///
  /// When it is stopped, later senders wait for the next one.
  mutating func end(_ ending: StreamEnding) {
    isWanted = false
    switch ending {
    case .stopped:
      stops &+= 1
      if self.ending != .disposed { self.ending = nil }
    case .disposed: self.ending = ending
    case .eos, .failed: if self.ending == nil { self.ending = ending }
    }
  }

  /// The element begins anew; what was wrong with it is forgotten.
  mutating func rearm() {
    if ending != .disposed { ending = nil }
  }

  // MARK: Senders

  /// The next step of a sender; nil where it waits.
  ///
  /// - Parameter stops: The streams that had been stopped when it came.
  mutating func nextAction(after stops: UInt64) -> SendAction? {
    guard stops == self.stops else { return .end(.stopped) }
    if let ending { return .end(ending) }
    guard isWanted, !isPushing else { return nil }
    isPushing = true
    return .push
  }

  /// A sender has pushed; the next one may.
  mutating func finishPush() { isPushing = false }
}
