// The sound delay keeps sound in step with time-displaced video.

import GStreamer

/// The delay with which sound is recorded.
///
/// A time-displaced frame shows history: a speaker is seen to speak later than heard. Delaying the
/// sound as much as the frame keeps lips and voice in sync.
public enum SoundDelay: Sendable, Hashable {
  /// Not at all.
  case none
  /// As the frame is on average.
  case mean
  /// As the centre of the frame is, where faces most often are.
  case center
  /// By a time of one's own.
  case fixed(ClockTime)

  /// The field of the element's statistics that says how much, nil where that is known without.
  package var statistic: String? {
    switch self {
    case .none, .fixed: nil
    case .mean: "mean-delay"
    case .center: "center-delay"
    }
  }
}

/// Sound of the last while, to be given out with a delay: a value, without lock or threads.
///
/// As the delay grows, sound is heard again, and as it shrinks, some is left out: as it is seen
/// in the frame.
///
/// Times are running times.
struct SoundDelayLine<Block: Sendable>: Sendable {
  /// The longest delay.
  static var reach: ClockTime { .seconds(60) }
  /// Changes of the delay below this are not followed: they are not visible, but a seam is audible.
  static var tolerance: ClockTime { .milliseconds(40) }

  private var blocks: [(block: Block, time: ClockTime, isHeard: Bool)] = []
  private(set) var delay = ClockTime.zero
  /// The end of what has been given out, in the video's time.
  private var end: ClockTime?

  init() {}

  /// Takes in a block that came at a time.
  mutating func append(_ block: Block, at time: ClockTime) {
    blocks.append((block, time, isHeard: false))
    while let first = blocks.first, first.time + Self.reach < time { blocks.removeFirst() }
  }

  /// Follows the video's delay.
  mutating func follow(_ wanted: ClockTime) {
    let difference = wanted > delay ? wanted - delay : delay - wanted
    guard difference >= Self.tolerance || wanted == .zero else { return }
    delay = min(wanted, Self.reach)
    guard let end else { return }
    // Left out, not delayed.
    for index in blocks.indices where blocks[index].time + delay < end {
      blocks[index].isHeard = true
    }
  }

  /// The sound up to a frame, and its times.
  ///
  /// Blocks that came after their frame are given out, too, once.
  mutating func advance(to frame: ClockTime) -> [(block: Block, time: ClockTime)] {
    // With the first frame sound begins, of before that where it is delayed.
    let start = end ?? (frame > .seconds(1) ? frame - .seconds(1) : .zero)
    guard frame >= start else { return [] }
    end = frame
    var heard: [(block: Block, time: ClockTime)] = []
    for index in blocks.indices {
      let due = blocks[index].time + delay
      guard due < frame, due >= start || !blocks[index].isHeard else { continue }
      blocks[index].isHeard = true
      heard.append((blocks[index].block, due))
    }
    return heard
  }
}
