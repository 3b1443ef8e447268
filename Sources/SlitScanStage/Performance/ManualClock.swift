// Time for performances that nobody waits for.

import StreamingThread

/// A clock that stands still until it is put on.
final class ManualClock: Sendable {
  private let moment = Lock(ContinuousClock.now)

  /// What it shows.
  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  /// Puts it on, never back.
  func set(_ later: ContinuousClock.Instant) { moment.withLock { $0 = max($0, later) } }
}
