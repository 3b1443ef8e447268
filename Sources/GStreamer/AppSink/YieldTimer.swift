// A yield timer measures how long a task has run without yielding.

import LibC

/// The time since a task last yielded, for functions that seldom suspend.
///
/// A loop over such a function keeps its actor to itself: nothing else of the actor runs, not even what
/// would cancel the loop. So the function yields after ten milliseconds. That costs a look at the clock
/// a call, and memory only with the yield.
package struct YieldTimer: Sendable {
  private static let limit: Int = 10_000_000
  private var begin = Self.now

  package init() {}

  /// Begins anew, as the task has just been suspended.
  package mutating func restart() { begin = Self.now }

  /// Whether the task is to yield; the timer begins anew then.
  package mutating func isOver() -> Bool {
    let now = Self.now
    guard now - begin >= Self.limit else { return false }
    begin = now
    return true
  }

  /// Nanoseconds of a clock that is read without a system call, and is a few milliseconds coarse.
  private static var now: Int {
    #if canImport(Darwin)
      let clock = CLOCK_MONOTONIC_RAW_APPROX
    #else
      let clock = CLOCK_MONOTONIC_COARSE
    #endif
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
