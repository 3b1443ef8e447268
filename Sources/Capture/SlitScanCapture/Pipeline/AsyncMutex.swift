// AsyncMutex lets one task through at a time, in order of arrival.

import StreamingThread

/// Lets one task through at a time: an actor lets others in wherever it awaits something.
package final class AsyncMutex: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  package init() {}

  package var isTaken: Bool { state.withLock { $0.isTaken } }

  /// Does something alone.
  package func run<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    await take()
    defer { give() }
    return try await body()
  }

  private func take(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { waiter in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(waiter)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { waiter.resume() }
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
