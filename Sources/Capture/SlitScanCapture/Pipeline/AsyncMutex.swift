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
    await taken.wait { isTaken -> Void? in
      guard !isTaken else { return nil }
      isTaken = true
      return ()
    } onCancel: { _ in
      nil
    }
    defer { taken.withLock { $0 = false } }
    return try await body()
  }
}
