// The ranges of a number that rounding leaves open: mostly a single short one.

/// The ranges a number lies in.
typealias Ranges = [ClosedRange<Double>]

extension ClosedRange<Double> {
  /// Exactly this number.
  init(_ value: Double) { self = value...value }

  /// From one of two numbers, whichever is less, to the other.
  init(between one: Double, and other: Double) {
    self = Swift.min(one, other)...Swift.max(one, other)
  }

  func widened(by margin: Double) -> Self { lowerBound - margin...upperBound + margin }

  static func + (range: Self, offset: Double) -> Self {
    range.lowerBound + offset...range.upperBound + offset
  }

  static func + (range: Self, other: Self) -> Self {
    range.lowerBound + other.lowerBound...range.upperBound + other.upperBound
  }

  static func * (range: Self, factor: Double) -> Self {
    Self(between: range.lowerBound * factor, and: range.upperBound * factor)
  }

  /// What both lie in, and all between them.
  func joined(_ other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }

  /// |a − b| of a number here and one there.
  func distance(to other: Self) -> Self {
    let gap = Swift.max(other.lowerBound - upperBound, lowerBound - other.upperBound, 0)
    return gap...Swift.max(other.upperBound - lowerBound, upperBound - other.lowerBound)
  }
}

extension Ranges {
  /// One range that holds them all.
  var hull: ClosedRange<Double> { dropFirst().reduce(self[0]) { $0.joined($1) } }
}

/// An answer that rounding may leave open.
enum Answer { case yes, no, either }
