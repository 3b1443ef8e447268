// What a sample of the output may be.

/// What a sample may be: usually one value, several where rounding decides between them.
struct Expectation {
  /// The values as words in memory.
  var values: [Double]
  /// How far from one of them is near enough.
  var tolerance = 0.0

  /// Exactly one of these words.
  init(oneOf words: [UInt16]) {
    values = words.map(Double.init)
  }

  /// No further than `tolerance` from one of these values.
  init(oneOf values: [Double], tolerance: Double) {
    self.values = values
    self.tolerance = tolerance
  }

  func allows(_ word: UInt16) -> Bool {
    values.contains { abs($0 - Double(word)) <= tolerance }
  }
}

/// The first sample of a picture that is not what it should be.
public struct Mismatch: Sendable, CustomStringConvertible {
  /// Where it is, what it should be and what it is.
  public let description: String
}
