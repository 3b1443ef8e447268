// AsyncMutex lets one task through at a time, in order of arrival.

import GStreamer

/// Lets one task through at a time: an actor lets others in wherever it awaits something.
package final class AsyncMutex: Sendable {
  private let taken = Shared(false)

  package init() {}

  package var isTaken: Bool { taken.withLock { $0 } }

  /// Does something alone.
  package func run<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    _ = await take(isCancellable: false)
    defer { taken.value = false }
    return try await body()
  }

  /// Does something alone; nothing where the task is cancelled before its turn, and returns nil then.
  package func runUnlessCancelled<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    guard await take(isCancellable: true) else { return nil }
    defer { taken.value = false }
    return try await body()
  }

  /// - Returns: Whether it is taken now.
  private func take(
    isCancellable: Bool, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    await taken.wait { isTaken in
      guard !isTaken else { return nil }
      isTaken = true
      return true
    } onCancel: { _ in
      isCancellable ? false : nil
    }
  }
}
