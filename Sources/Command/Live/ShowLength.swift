// The length of a show is counted from its first frame.

import GStreamer

struct ShowLength: Sendable {
  private let duration: Duration
  private let clock: any SteadyClock

  /// The time between two looks whether there is a first frame.
  private static let pause = Duration.milliseconds(10)
  /// The time that a source has at least for its first frame.
  private static let patience = Duration.seconds(10)

  init(_ duration: Duration, on clock: any SteadyClock) {
    self.duration = duration
    self.clock = clock
  }

  /// Waits until the show is over.
  ///
  /// - Returns: False where no frame has come, for which there is as much time, and ten seconds at least.
  /// - Throws: `CancellationError`.
  func wait(_ hasBegun: () async -> Bool) async throws -> Bool {
    var limit = Deadline(in: max(duration, Self.patience), on: clock)
    while await !hasBegun() {
      guard !limit.isOver() else { return false }
      try await clock.sleep(for: Self.pause)
    }
    try await clock.sleep(for: duration)
    return true
  }
}
