// Tap tempo computes a tempo from the times of taps.

/// Finds the tempo of taps; a value, without a clock.
public struct TapTempo: Sendable, Equatable {
  /// The number of last taps that count.
  static let limit = 8
  /// A pause after which taps begin anew: two beats of the slowest tempo.
  static let pause = Duration.seconds(2 * 60 / Tempo.range.lowerBound)

  private var taps: [ContinuousClock.Instant] = []

  /// No tap yet.
  public init() {}

  /// A tap.
  ///
  /// - Returns: The tempo, with a beat at the tap; nil for the first.
  public mutating func tap(at moment: ContinuousClock.Instant) -> Tempo? {
    if let last = taps.last, moment <= last || isApart(moment, after: last) { taps = [] }
    taps.append(moment)
    if taps.count > Self.limit { taps.removeFirst() }
    guard taps.count > 1, let first = taps.first else { return nil }
    let beat = (moment - first).seconds / Double(taps.count - 1)
    return Tempo(60 / beat, from: moment)
  }

  /// Whether a tap is none of the row before: after a pause, or at another tempo altogether.
  private func isApart(_ moment: ContinuousClock.Instant, after last: ContinuousClock.Instant)
    -> Bool
  {
    let interval = moment - last
    guard interval < Self.pause else { return true }
    guard taps.count > 1, let first = taps.first else { return false }
    let beat = (last - first) / (taps.count - 1)
    return interval > beat * 1.6 || interval < beat * 0.6
  }
}
