// A broadcast sends items to all that listen.

import StreamingThread

/// Sends items to any number of listeners, each of which has a queue of its own.
package final class Broadcast<Item: Sendable>: Sendable {
  private struct State {
    var listeners: [UInt64: AsyncStream<Item>.Continuation] = [:]
    var next: UInt64 = 0
    var isFinished = false
  }

  private let state = Lock(State())

  package init() {}

  deinit { finish() }

  /// The items that are sent from now on.
  ///
  /// - Parameter limit: How much waits for a slow listener; older things go.
  package func listen(limit: Int) -> AsyncStream<Item> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Item.self, bufferingPolicy: .bufferingNewest(limit))
    let (id, isFinished) = state.withLock { state in
      state.next += 1
      if !state.isFinished { state.listeners[state.next] = continuation }
      return (state.next, state.isFinished)
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    if isFinished { continuation.finish() }
    return stream
  }

  package func tell(_ item: Item) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(item) }
  }

  /// Shows ThreadSanitizer that an item was sent before it was read: it does not see all that a continuation orders.
  func synchronize() { state.withLock { _ in } }

  /// There will be no more.
  package func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isFinished = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
