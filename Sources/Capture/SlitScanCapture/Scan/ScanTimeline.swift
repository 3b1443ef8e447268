// A scan timeline lists property changes by the time in the video at which they apply.

import GStreamer

/// Changes of the effect, each with its frame: a recorded show.
///
/// ```swift
/// var timeline = ScanTimeline()
/// timeline.add(.set(["depth": 60]), after: nil)
/// timeline.add(.move("angle", .wave(.saw, period: .seconds(4), from: 0, to: 360)), after: .seconds(8))
/// ```
package struct ScanTimeline: Sendable, Equatable {
  /// Something that happens.
  package enum Change: Sendable, Equatable {
    /// Properties get values, all with the same frame.
    case set([String: Value])
    /// A property moves by itself, by the times since the first frame; nil for one that stays as it is.
    case move(String, Motion?)
    /// Black is shown, or the video again.
    case black(Bool)
  }

  /// Something that happens, and when.
  package struct Entry: Sendable, Equatable {
    /// It comes with the first frame that is later than this, counted from the first frame; nil for
    /// the first of all.
    package let time: ClockTime?
    /// The change.
    package let change: Change

    /// Something that happens after a time.
    package init(time: ClockTime?, change: Change) {
      self.time = time
      self.change = change
    }
  }

  /// The changes, in the order of time.
  package private(set) var entries: [Entry] = []

  /// The images that are the map `live`; nil for none.
  package var mapImages: MapImageSequence?

  /// Nothing happens.
  package init() {}

  /// Adds something, behind what happens at the same time already.
  package mutating func add(_ change: Change, after time: ClockTime?) {
    let index = entries.lastIndex { entry in
      guard let earlier = entry.time else { return true }
      return time.map { earlier <= $0 } ?? false
    }
    let place = index.map { $0 + 1 } ?? entries.startIndex
    entries.insert(Entry(time: time, change: change), at: place)
  }

  /// Whether nothing happens.
  package var isEmpty: Bool { entries.isEmpty && mapImages == nil }

  /// Whether black is shown at some time.
  package var hasBlack: Bool { entries.contains { $0.change == .black(true) } }
}
