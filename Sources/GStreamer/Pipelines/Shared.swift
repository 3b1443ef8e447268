// A shared value is reached by several threads, and waited for by tasks.

import StreamingThread

/// A value behind a lock, and the tasks that wait for it to change: for tasks, the condition variable of threads.
///
/// Where the value was reached, each wait looks at it again, in the order in which they began. The tasks whose waits
/// are over go on once the lock is released.
package final class Shared<Value: Sendable>: Sendable {
  private typealias Resumption = @Sendable () -> Void
  private typealias Look = @Sendable (inout Value) -> Resumption?

  private struct Waiter: Sendable {
    let id: UInt64
    let look: Look
    let giveUp: Look
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0

    /// Takes out the waits that are over.
    mutating func settle() -> [Resumption] {
      var resumptions: [Resumption] = []
      var index = 0
      while index < waiters.count {
        if let resumption = waiters[index].look(&value) {
          waiters.remove(at: index)
          resumptions.append(resumption)
          // It may have changed the value for those before it.
          index = 0
        } else {
          index += 1
        }
      }
      return resumptions
    }
  }

  private let state: Lock<State>

  package init(_ value: Value) { state = Lock(State(value: value)) }

  /// Waits for the lock, then gives `body` the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, resumptions) = try state.withLock { state throws(Failure) in
      (try body(&state.value), state.settle())
    }
    resume(resumptions)
    return result
  }

  package var value: Value {
    get { withLock { $0 } }
    set { withLock { $0 = newValue } }
  }

  /// Sets the value, and returns the one before.
  package func exchange(_ new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }

  /// Waits until a look at the value has an outcome.
  ///
  /// The caller's actor does nothing else before the wait has its place among the others.
  ///
  /// - Parameters:
  ///   - look: May change the value; on any thread, with the lock held.
  ///   - giveUp: Looks once the task is cancelled; without an outcome, the wait goes on.
  package func wait<Outcome: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    for look: @escaping @Sendable (inout Value) -> Outcome?,
    onCancel giveUp: @escaping @Sendable (inout Value) -> Outcome?
  ) async -> Outcome {
    if !Task.isCancelled, let outcome = withLock(look) { return outcome }
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let outcome = await withCancellableContinuation { (task: CheckedContinuation<Outcome, Never>) in
      let waiter = Waiter(
        id: id, look: Self.resuming(task, look), giveUp: Self.resuming(task, giveUp))
      resume(
        state.withLock { state -> [Resumption] in
          // Once it is among the others, cancellation finds it.
          if Task.isCancelled, let resumption = waiter.giveUp(&state.value) {
            return [resumption] + state.settle()
          }
          state.waiters.append(waiter)
          return state.settle()
        })
    } onCancel: {
      resume(
        state.withLock { state -> [Resumption] in
          guard let index = state.waiters.firstIndex(where: { $0.id == id }),
            let resumption = state.waiters[index].giveUp(&state.value)
          else { return [] }
          state.waiters.remove(at: index)
          return [resumption] + state.settle()
        })
    }
    // ThreadSanitizer does not see all that a continuation orders.
    state.withLock { _ in }
    return outcome
  }

  private func resume(_ resumptions: [Resumption]) {
    for resumption in resumptions { resumption() }
  }

  private static func resuming<Outcome: Sendable>(
    _ task: CheckedContinuation<Outcome, Never>,
    _ look: @escaping @Sendable (inout Value) -> Outcome?
  ) -> Look {
    { value in
      guard let outcome = look(&value) else { return nil }
      return { task.resume(returning: outcome) }
    }
  }
}
