// A manual clock advances only when told to, for rehearsals and tests.

import StreamingThread

/// A clock that stands still until it is put on.
final class ManualClock: Sendable {
  private let moment = Lock(ContinuousClock.now)

  /// What it shows.
  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  /// Puts it on, never back.
  func set(_ later: ContinuousClock.Instant) { moment.withLock { $0 = max($0, later) } }
}
