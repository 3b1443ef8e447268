// The sound follower maps the loudness of the sound to a property's value.

/// A drive that follows the sound: from one value in silence to another where it is loud.
struct SoundFollower: Sendable {
  /// The frequencies that count, in Hz; nil for all.
  let band: ClosedRange<Double>?
  let from: Double
  let to: Double
  /// The place on the way, from 0 to 1.
  private(set) var place = 0.0

  /// The value after the next measurement; they come 30 times a second.
  ///
  /// - Parameter loudness: In dB below full scale.
  mutating func number(at loudness: Double) -> Double {
    // Full at -6 dB, nothing at -60.
    let wanted = min(max((loudness + 60) / 54, 0), 1)
    // Up at once, down by and by.
    place = max(wanted, place * 0.85)
    return from + (to - from) * place
  }
}
