// A deadline is the limit of a wait. It counts only time in which the process ran.

/// A limit of time that does not run out while the computer is suspended or the process is stopped.
///
/// ```swift
/// try await Deadline(in: .seconds(10), on: clock).wait()
/// ```
///
/// The time between two looks counts up to a tenth of the limit, unless another number of looks is given: a process
/// that stood still has lost one look, and what it waits for can still come in the others. A value, without tasks:
/// what looks by itself, such as a ping, calls ``isOver()``; what only waits calls ``wait()``.
package struct Deadline: Sendable {
  private let limit: Duration
  private let looks: Int
  private let clock: any SteadyClock
  private var elapsed = Duration.zero
  private var lastLook: ContinuousClock.Instant

  /// The longest time that counts between two looks.
  package var longestTurn: Duration { limit / looks }

  /// A deadline that begins now.
  ///
  /// - Parameter looks: The number of looks that the limit takes at least.
  package init(
    in limit: Duration, looks: Int = 10, on clock: any SteadyClock = ContinuousClock()
  ) {
    self.limit = limit
    self.looks = looks
    self.clock = clock
    lastLook = clock.now
  }

  /// Begins anew, as what was waited for has come.
  package mutating func restart() {
    elapsed = .zero
    lastLook = clock.now
  }

  /// Counts the time since the last look.
  ///
  /// - Returns: Whether the limit is reached.
  package mutating func isOver() -> Bool {
    let now = clock.now
    elapsed += min(max(now - lastLook, .zero), longestTurn)
    lastLook = now
    return elapsed >= limit
  }

  /// Does something until the limit is reached, and cancels it then.
  package func wait(for body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup { group in
      group.addTask { await body() }
      group.addTask { try? await self.wait() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Sleeps until the limit is reached.
  package consuming func wait() async throws {
    while !isOver() { try await clock.sleep(for: min(longestTurn, limit - elapsed)) }
  }
}
