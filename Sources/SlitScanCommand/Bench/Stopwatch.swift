// Medians of many short times.

/// Times of one thing that was done again and again.
struct Stopwatch {
  private var times: [Duration] = []
  private let clock = ContinuousClock()

  /// Times one run of `body`.
  mutating func time<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    let start = clock.now
    try body()
    times.append(clock.now - start)
  }

  /// The time in the middle, in milliseconds; 0 if there is none.
  var median: Double {
    guard !times.isEmpty else { return 0 }
    let sorted = times.sorted()
    return sorted[sorted.count / 2] / .milliseconds(1)
  }
}
