// The interleaver keeps video and sound in step if their source delivers as fast as it can. A value: no lock, no threads.

import GStreamer

/// An interleaver makes the faster of frames and sound wait for the other, where neither is live.
///
/// Nothing else holds the faster one back, and what is recorded needs both.
struct Interleaver<Waiter: Sendable>: Sendable {
  /// The lead that one may have over the other.
  static var slack: ClockTime { .seconds(1) }

  /// A stream that can be ahead.
  enum Stream: Int, Sendable {
    case frames
    case sound

    fileprivate var other: Stream { self == .frames ? .sound : .frames }
  }

  private struct Progress {
    var time = ClockTime.zero
    var hasEnded = false
  }

  private let isKept: Bool
  private var progress = [Progress(), Progress()]
  private var waiting: [Waiter] = []

  /// - Parameter isKept: Whether anybody waits at all.
  init(isKept: Bool) { self.isKept = isKept }

  /// Whether something of this time has to wait for the other stream.
  func mustWait(_ stream: Stream, at time: ClockTime) -> Bool {
    let other = progress[stream.other.rawValue]
    return isKept && !other.hasEnded && time > other.time + Self.slack
  }

  /// Whether the other stream has not come as far as this one.
  func isAhead(_ stream: Stream) -> Bool {
    let other = progress[stream.other.rawValue]
    return isKept && !other.hasEnded && progress[stream.rawValue].time > other.time
  }

  mutating func wait(_ waiter: Waiter) { waiting.append(waiter) }

  /// A stream has come to a time.
  ///
  /// - Returns: All who wait; they look again.
  mutating func advance(_ stream: Stream, to time: ClockTime) -> [Waiter] {
    progress[stream.rawValue].time = max(progress[stream.rawValue].time, time)
    return takeWaiting()
  }

  mutating func end(_ stream: Stream) -> [Waiter] {
    progress[stream.rawValue].hasEnded = true
    return takeWaiting()
  }

  private mutating func takeWaiting() -> [Waiter] {
    defer { waiting = [] }
    return waiting
  }
}
