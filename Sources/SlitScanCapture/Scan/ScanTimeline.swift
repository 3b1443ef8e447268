// What happens to the effect in the course of a film.

import GStreamer

/// Changes of the effect, each with its picture: a show that was played, without the hands.
///
/// ```swift
/// var timeline = ScanTimeline()
/// timeline.append(.set(["depth": 60]), after: nil)
/// timeline.append(.move("angle", .wave(.saw, period: .seconds(4), from: 0, to: 360)), after: .seconds(8))
/// ```
public struct ScanTimeline: Sendable, Equatable {
  /// Something that happens.
  public enum Change: Sendable, Equatable {
    /// Properties get values, all with the same picture.
    case set([String: Value])
    /// A property moves by itself, by the times since the first picture; nil for one that stays as it is.
    case move(String, Motion?)
    /// Black is shown, or pictures again.
    case black(Bool)
  }

  /// Something that happens, and when.
  public struct Entry: Sendable, Equatable {
    /// It comes with the first picture that is later than this, counted from the first picture; nil for
    /// the first of all.
    public let time: ClockTime?
    /// What happens.
    public let change: Change

    /// Something that happens after a time.
    public init(time: ClockTime?, change: Change) {
      self.time = time
      self.change = change
    }
  }

  /// What happens, in order.
  public private(set) var entries: [Entry] = []

  /// Nothing happens.
  public init() {}

  /// Adds something at the end; it does not come before what is there.
  public mutating func append(_ change: Change, after time: ClockTime?) {
    let last = entries.last?.time
    entries.append(Entry(time: last.map { max($0, time ?? $0) } ?? time, change: change))
  }

  /// Whether nothing happens.
  public var isEmpty: Bool { entries.isEmpty }

  /// Whether black is shown at some time.
  package var hasBlack: Bool { entries.contains { $0.change == .black(true) } }
}
