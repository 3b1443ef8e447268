// The stopwatch computes medians of many short times.

/// Times of one thing that was done again and again.
struct Stopwatch {
  private var times: [Duration] = []
  private let clock = ContinuousClock()

  /// A stopwatch with room for as many times.
  init(reserving count: Int = 0) { times.reserveCapacity(count) }

  /// Times one run of `body`.
  mutating func time<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    let start = clock.now
    try body()
    times.append(clock.now - start)
  }

  /// The time in the middle, in milliseconds; 0 if there is none.
  var median: Double { times.map { $0 / .milliseconds(1) }.median }
}

extension Array where Element == Double {
  /// The number in the middle, the mean of two if there is none; 0 of nothing.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
