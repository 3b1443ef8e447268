// A manual clock stands still until it is advanced, and knows what sleeps on it.

import StreamingThread

/// A clock that is advanced by hand, for rehearsals and tests.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(2)) }
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(2))
/// try await task.value
/// ```
///
/// Nothing sleeps longer than ``advance(to:)`` says, and nothing wakes by itself.
public final class ManualClock: SteadyClock {
  /// An instant of the continuous clock.
  public typealias Instant = ContinuousClock.Instant

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let wake: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now: Instant
    var sleepers: [Sleeper] = []
    var lastID: UInt64 = 0
  }

  private let state: Shared<State>

  /// A clock that shows an instant, and stands still.
  public init(_ now: Instant = ContinuousClock.now) { state = Shared(State(now: now)) }

  /// The instant that it shows.
  public var now: Instant { state.withLock { $0.now } }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The deadlines of all sleeps that go on, the earliest first.
  package var deadlines: [Instant] { state.withLock { $0.sleepers.map(\.deadline).sorted() } }

  // MARK: Sleeping

  /// Sleeps until the clock is advanced to an instant.
  ///
  /// - Throws: `CancellationError`, as every `Clock` does.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isOver = await withCancellableContinuation { wake in
      let isOver = state.withLock { state -> Bool? in
        if Task.isCancelled { return false }
        if deadline <= state.now { return true }
        state.sleepers.append(Sleeper(id: id, deadline: deadline, wake: wake))
        return nil
      }
      if let isOver { wake.resume(returning: isOver) }
    } onCancel: {
      state.withLock { state -> Sleeper? in
        let index = state.sleepers.firstIndex { $0.id == id }
        return index.map { state.sleepers.remove(at: $0) }
      }?.wake.resume(returning: false)
    }
    guard isOver else { throw CancellationError() }
  }

  // MARK: Advancing

  /// Shows a later time, never an earlier one, and wakes what is due by then, the earliest first.
  public func advance(to moment: Instant) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in due.sorted(by: { ($0.deadline, $0.id) < ($1.deadline, $1.id) }) {
      sleeper.wake.resume(returning: true)
    }
  }

  /// Shows a time that is later by so much, as ``advance(to:)``.
  public func advance(by duration: Duration) { advance(to: now + duration) }

  /// Waits until something sleeps, advances to the earliest deadline, and wakes it.
  package func crank() async {
    await sleepers(1)
    if let next = deadlines.first { advance(to: next) }
  }

  /// Goes on, from deadline to deadline, until it shows `moment`; waits for the next sleep where there is none.
  package func crank(until moment: Instant) async {
    while now < moment {
      await sleepers(1)
      if let next = deadlines.first { advance(to: min(next, moment)) }
    }
  }

  // MARK: Knowing the sleepers

  /// Waits until so many sleeps go on at once.
  public func sleepers(_ count: Int) async { await sleepers { $0.count >= count } }

  /// Waits until something sleeps until exactly `moment`.
  package func sleeper(until moment: Instant) async { await sleepers { $0.contains(moment) } }

  /// Waits until the deadlines of all sleeps, in no order, meet a condition, or the task is cancelled.
  package func sleepers(where isMet: @escaping @Sendable ([Instant]) -> Bool) async {
    await state.wait {
      isMet($0.sleepers.map(\.deadline)) ? () : nil
    } onCancel: { _ in
      ()
    }
  }
}
