// The interleaver keeps video and sound in step if their source delivers as fast as it can. A value: no lock, no threads.

import GStreamer

/// An interleaver makes the faster of frames and sound wait for the other, where neither is live.
///
/// Nothing else holds the faster one back, and what is recorded needs both.
struct Interleaver: Sendable {
  /// The lead that one may have over the other.
  static let slack = ClockTime.seconds(1)

  /// A stream that can be ahead.
  enum Stream: Int, CaseIterable {
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

  /// A stream has come to a time.
  mutating func advance(_ stream: Stream, to time: ClockTime) {
    progress[stream.rawValue].time = max(progress[stream.rawValue].time, time)
  }

  mutating func end(_ stream: Stream) { progress[stream.rawValue].hasEnded = true }
}
