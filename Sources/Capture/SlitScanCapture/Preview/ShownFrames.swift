// Shown frames are the moments at which a preview showed a new frame. A value: no sink, no clock.

/// The moments of the frames that a sink has shown in the last ten seconds.
struct ShownFrames {
  /// The frames since the preview was opened.
  private(set) var count = 0
  /// Those of the last ten seconds, and one before.
  private var moments: [ContinuousClock.Instant] = []
  private var first: ContinuousClock.Instant?
  /// The sink's own count when it was last looked at.
  private var rendered: UInt64?

  /// The time over which gaps are looked for.
  static let memory = Duration.seconds(10)
  /// The time over which frames are counted.
  private static let second = Duration.seconds(1)

  /// Notes that a frame has reached the sink, which has shown the one before by then, or dropped it.
  ///
  /// - Parameter rendered: The frames that the sink has shown so far; nil where it does not count.
  mutating func arrive(at now: ContinuousClock.Instant, rendered: UInt64?) {
    defer { self.rendered = rendered }
    guard rendered == nil || rendered != self.rendered else { return }
    first = first ?? now
    count += 1
    moments.append(now)
    // One is kept from before, for the gap in which the ten seconds begin.
    if let kept = moments.firstIndex(where: { now - $0 <= Self.memory }), kept > 1 {
      moments.removeFirst(kept - 1)
    }
  }

  /// Frames a second, over the last second.
  func rate(at now: ContinuousClock.Instant) -> Double {
    guard let first, first < now else { return 0 }
    let time = min(now - first, Self.second)
    return Double(moments.count { now - $0 < time }) / (time / .seconds(1))
  }

  /// The longest time without a new frame in the last ten seconds, which may still go on.
  func longestGap(at now: ContinuousClock.Instant) -> Duration {
    let recent = moments.firstIndex { now - $0 <= Self.memory } ?? moments.endIndex
    let moments = moments[max(0, recent - 1)...] + [now]
    return zip(moments.dropFirst(), moments).map { $0 - $1 }.max() ?? .zero
  }
}
