// An actor that reads, sends and cancels, one step at a time.

import SeededGenerator
import StreamingThread

@testable import GStreamer

/// An actor whose loops may keep it from everything else.
actor SampleActor {
  /// Items that have been read or sent.
  private nonisolated let items = Lock(0)

  /// Reads until the end or until it is cancelled.
  ///
  /// - Parameter work: Done with each sample; keeps the actor.
  /// - Returns: How many samples it got.
  func read(_ sink: AppSink, work: @Sendable () -> Void) async throws -> Int {
    for try await _ in sink.samples {
      items.withLock { $0 += 1 }
      work()
    }
    return items.withLock { $0 }
  }

  /// Sends frames, unless it is cancelled.
  func send(_ count: Int, to source: AppSrc, work: @Sendable () -> Void) async throws {
    for number in 0..<count {
      try await source.send(NumberedFrames.make(number))
      items.withLock { $0 += 1 }
      work()
    }
  }

  /// Keeps a thread busy for about so many microseconds.
  static func work(_ microseconds: Int) {
    var random = SeededGenerator(seed: 0)
    for _ in 0..<50 * microseconds { withExtendedLifetime(random.next()) {} }
  }

  /// Cancels a task of this actor once it has read or sent so many items, when the actor lets it.
  nonisolated func cancel<Result>(_ task: Task<Result, any Error>, afterItems count: Int) async {
    while items.withLock({ $0 }) < count { await Task.yield() }
    await cancel(task)
  }

  private func cancel<Result>(_ task: Task<Result, any Error>) { task.cancel() }
}
