// A fraction expresses a frame rate or a pixel aspect ratio.

/// A fraction as caps have it: 30/1 frames a second, 64/45 as the shape of a pixel.
public struct Fraction: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  /// The numerator.
  public let numerator: Int32
  /// The denominator; 0 is invalid, and no property accepts it.
  public let denominator: Int32

  /// A fraction, 1 below unless said otherwise.
  public init(_ numerator: Int32, _ denominator: Int32 = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A whole number: 30 frames a second.
  public init(integerLiteral number: Int32) { self.init(number) }

  /// The quotient, nil where it has none.
  public var quotient: Double? {
    denominator == 0 ? nil : Double(numerator) / Double(denominator)
  }

  /// As caps write it, `30000/1001`.
  public var description: String { "\(numerator)/\(denominator)" }
}
