// Replays a move script in a live performance.

import GStreamer

extension Performance {
  /// Does the moves of a script when their frames come.
  ///
  /// What cannot be done is told to everybody, and the rest goes on.
  ///
  /// - Throws: `CancellationError`.
  public func play(_ script: MoveScript) async throws {
    for entry in script.entries {
      while true {
        let time = await stageTime
        guard time < entry.time else { break }
        // Not slept through at once: frames may stop, and their time with them.
        let left = Duration.nanoseconds(Int64(clamping: (entry.time - time).nanoseconds))
        try await Task.sleep(for: min(max(left, .milliseconds(1)), .milliseconds(250)))
      }
      await play(entry.move)
    }
  }
}
