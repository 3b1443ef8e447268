// Moves that write files: the end of a show waits for those that are under way.

import GStreamer

struct PendingFiles {
  private var count = 0
  private var waiting: [AsyncStream<Void>.Continuation] = []

  var isEmpty: Bool { count == 0 }

  mutating func begin() { count += 1 }

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

enum WrittenFile: String {
  case still, recording, film, preset
  /// A preset that is named by a number.
  case numberedPreset

  /// The most of them that the moves of a show write.
  var limit: Int {
    switch self {
    case .still: 2000
    case .recording, .film: 500
    case .preset: 100
    case .numberedPreset: 30
    }
  }

  fileprivate var refusal: StageError {
    let count = "This show has written \(limit)"
    return StageError(
      .notWritten,
      self == .numberedPreset
        ? "\(count) presets without a name. Give this one a name, as `save NAME`."
        : "\(count) \(rawValue)s; start it anew to write more.")
  }
}

extension Performance {
  /// Writes a file that moves have asked for, if there may be another one; one that fails does not count.
  func write(
    _ kind: WrittenFile, _ body: () async throws(StageError) -> Void
  ) async throws(StageError) {
    guard written[kind, default: 0] < kind.limit else { throw kind.refusal }
    written[kind, default: 0] += 1
    do throws(StageError) {
      try await body()
    } catch {
      written[kind, default: 0] -= 1
      throw error
    }
  }

  /// Returns when all moves that write files are done, or the task is cancelled.
  package func finishFiles() async {
    for await _ in files.untilEmpty() {}
  }

  /// As ``finishFiles()``, but waits no longer than a limit.
  package func finishFiles(within limit: Duration) async {
    await Deadline(in: limit, on: clock).wait { await self.finishFiles() }
  }
}
