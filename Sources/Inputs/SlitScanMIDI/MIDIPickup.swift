// MIDI pickup (soft takeover): a fader takes a property over when it passes the property's value. A value.

import GStreamer

/// The takeover of a property by a fader: only from where the property is.
///
/// A fader that stands somewhere else does nothing until it comes past the property. Then it has it, until
/// something else moves the property.
struct MIDIPickup: Sendable, Equatable {
  /// The distance that counts as there, as a part of the whole way: one step of 7 bits.
  static let nearness = 1.0 / 127

  /// The value of the property if only this fader has moved it; empty if it has lost it.
  private var own: [Value] = []
  private var last: Double?

  var isHeld: Bool { !own.isEmpty }

  /// - Parameters:
  ///   - place: Where it is, as a place of the property.
  ///   - between: Where it was since it was last asked for; nil for nowhere else.
  ///   - reach: The places that it reaches.
  ///   - value: What the property is, and where that is; nil where it has no place.
  ///   - wish: What it would make of the property.
  /// - Returns: Whether it may.
  mutating func move(
    to place: Double, via between: Double? = nil, on reach: ClosedRange<Double>,
    from value: Value, at position: Double?,
    wish: Value
  ) -> Bool {
    defer { last = place }
    if own.contains(value) { return true }
    own = []
    // A value beyond its end is picked up at that end.
    let target = position.map { min(max($0, reach.lowerBound), reach.upperBound) } ?? place
    let distance = place - target
    let way = [last, between, place].compactMap { $0.map { $0 - target } }
    let isPast = zip(way, way.dropFirst()).contains { $0 * $1 <= 0 }
    guard wish == value || abs(distance) <= Self.nearness || isPast else { return false }
    own = [value]
    return true
  }

  /// - Parameters:
  ///   - wish: What it was moved to.
  ///   - before: What it still is where the move waits for a beat; nil where it does not.
  mutating func hasMoved(to wish: Value, waitingAt before: Value?) {
    own = [wish] + [before].compactMap(\.self)
  }
}
