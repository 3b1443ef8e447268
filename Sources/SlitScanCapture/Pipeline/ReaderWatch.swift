// The reader watch reports a reader that holds up a capture.

import StreamingThread

/// Tells once when a wait for a reader has become long.
///
/// A wait costs a look at the clock. A task that sleeps is made for many of them.
final class ReaderWatch: Sendable {
  private struct State {
    /// When the wait that goes on began, nil where there is none, or it has been told of.
    var began: ContinuousClock.Instant?
    var isWatched = false
  }

  private let state = Lock(State())
  private let patience: Duration
  private let tell: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - patience: How long a wait may take.
  ///   - tell: Gets `patience` each time that a wait takes longer.
  init(patience: Duration, tell: @escaping @Sendable (Duration) -> Void) {
    self.patience = patience
    self.tell = tell
  }

  /// The capture begins to wait.
  func begin() {
    let mustWatch = state.withLock { state in
      state.began = .now
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard mustWatch else { return }
    Task { [weak self, patience] in
      var pause: Duration? = patience
      while let time = pause {
        try? await Task.sleep(for: time)
        pause = self?.look()
      }
    }
  }

  /// The reader has read, or is gone.
  func end() { state.withLock { $0.began = nil } }

  /// - Returns: When to look again, nil for not.
  private func look() -> Duration? {
    let (isLate, pause) = state.withLock { state -> (Bool, Duration?) in
      let waited = state.began.map { ContinuousClock.now - $0 }
      if let waited, waited < patience { return (false, patience - waited) }
      state.isWatched = false
      state.began = nil
      return (waited != nil, nil)
    }
    if isLate { tell(patience) }
    return pause
  }
}
