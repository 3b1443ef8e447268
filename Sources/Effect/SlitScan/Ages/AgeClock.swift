// The age clock counts the steps by which ages grow. A value, tested without frames.

/// The steps that have passed since the first frame.
package struct AgeClock {
  /// A step, in nanoseconds.
  package let unit: UInt64
  /// The steps from the first frame to the last one, rounded.
  package private(set) var steps: UInt64 = 0
  private var start: UInt64?

  package init(unit: UInt64) { self.unit = max(unit, 1) }

  /// Goes on to a frame; a time before the last one's counts as that.
  ///
  /// - Returns: The steps since the last frame.
  @discardableResult
  package mutating func advance(to time: UInt64) -> UInt16 {
    let start = start ?? time
    self.start = start
    let (whole, rest) = (max(time, start) - start).quotientAndRemainder(dividingBy: unit)
    let before = steps
    steps = max(whole + (rest >= unit - rest ? 1 : 0), before)
    return UInt16(clamping: steps - before)
  }
}
