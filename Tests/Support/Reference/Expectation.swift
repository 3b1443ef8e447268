// An expectation is the set of values that an output sample may have.

/// The values that a sample may have: usually one value, several where rounding decides between them.
struct Expectation {
  /// The values as words in memory.
  var values: Ranges
  /// How far from one of them is near enough.
  var tolerance = 0.0

  /// Exactly one of these words.
  init(oneOf words: [UInt16]) { values = words.map { ClosedRange(Double($0)) } }

  /// No further than `tolerance` from one of these values.
  init(oneOf values: Ranges, tolerance: Double) {
    self.values = values
    self.tolerance = tolerance
  }

  func allows(_ word: UInt16) -> Bool {
    values.contains { $0.widened(by: tolerance).contains(Double(word)) }
  }

  /// So much of this, the rest one of the words that are mixed in.
  ///
  /// - Parameter step: what the sum may be off, in words.
  func mixed(_ share: Double, into words: Ranges, step: Double) -> Expectation {
    switch share {
    case 0: Expectation(oneOf: words, tolerance: 0)
    case 1: self
    default:
      Expectation(
        oneOf: values.flatMap { value in
          words.map { word in
            value.lowerBound * share + word.lowerBound * (1 - share)...value.upperBound * share
              + word.upperBound * (1 - share)
          }
        },
        tolerance: tolerance * share + step)
    }
  }

  /// Either this or that.
  func or(_ other: Expectation) -> Expectation {
    Expectation(
      oneOf: values.map { $0.widened(by: tolerance) }
        + other.values.map { $0.widened(by: other.tolerance) }, tolerance: 0)
  }
}

/// The first sample of a frame that is not what it should be.
public struct Mismatch: Sendable, CustomStringConvertible {
  /// Where it is, what it should be and what it is.
  public let description: String

  /// Something else that is not what it should be.
  public init(description: String) { self.description = description }
}
