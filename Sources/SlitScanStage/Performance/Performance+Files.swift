// Moves that write files: whoever ends a show waits for those that are under way.

import GStreamer

/// The moves that write files and are not done yet, and those who wait for them.
struct FilesUnderWay {
  private var count = 0
  private var waiting: [AsyncStream<Void>.Continuation] = []

  /// One begins.
  mutating func begin() { count += 1 }

  /// One is done, or has failed.
  mutating func end() {
    count -= 1
    guard count == 0 else { return }
    for waiter in waiting { waiter.finish() }
    waiting = []
  }

  /// A stream that ends once there are none.
  mutating func untilEmpty() -> AsyncStream<Void> {
    let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
    if count == 0 { waiter.finish() } else { waiting.append(waiter) }
    return stream
  }
}

extension Performance {
  /// Returns when all moves that write files are done, or the task is cancelled.
  func finishFiles() async {
    for await _ in files.untilEmpty() {}
  }

  /// As ``finishFiles()``, but waits no longer than a limit.
  func finishFiles(within limit: Duration) async {
    await withTaskGroup { group in
      group.addTask { await self.finishFiles() }
      group.addTask { [clock] in try? await Deadline(in: limit, on: clock).wait() }
      await group.next()
      group.cancelAll()
    }
  }
}
