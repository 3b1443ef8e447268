// The beat follower makes a steady tempo of the beats that are heard. A value, without a clock.

/// A tempo that follows beats, as a detector hears them.
///
/// A detector takes half or double of a tempo for the tempo, and loses it in a break. So a beat counts for the
/// tempo of which it is, or half or double of it, whichever is nearest to the present one; small differences
/// are followed little by little; another tempo counts only once ``certainty`` beats in a row have had it.
/// The tempo stays where nothing is heard.
public struct BeatFollower: Sendable, Equatable {
  /// The beats in a row that another tempo needs.
  static let certainty = 8
  /// The deviation of beats that count as one tempo, as a fraction of it.
  static let spread = 0.04
  /// The part of a difference that one beat takes away.
  static let pull = 0.2

  /// The least change of tempo, in beats a minute, and of the beat, in beats, that is worth telling everybody.
  static let grain = 0.01

  /// The most beats that are counted by a detector's tempo.
  private static let countable = 16.0

  private struct Beat: Sendable, Equatable {
    /// In beats a minute.
    let tempo: Double
    let moment: ContinuousClock.Instant
  }

  /// The last beats, the newest last.
  private var heard: [Beat] = []

  /// Nothing was heard yet.
  public init() {}

  /// A beat.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: The detector's tempo.
  ///   - moment: When it was.
  ///   - present: The tempo until now.
  /// - Returns: The tempo from now on; nil where it stays.
  public mutating func hear(
    beatsPerMinute: Double, at moment: ContinuousClock.Instant, after present: Tempo
  ) -> Tempo? {
    guard let folded = Self.fold(beatsPerMinute, near: present.beatsPerMinute) else { return nil }
    // After a break, what was before says nothing.
    if let last = heard.last?.moment,
      moment - last > present.duration(ofBeats: 4) || moment <= last
    {
      heard = []
    }
    heard.append(Beat(tempo: folded, moment: moment))
    if heard.count > Self.certainty { heard.removeFirst() }
    let rough = heard.map(\.tempo).sorted()[heard.count / 2]
    guard heard.count == Self.certainty,
      heard.allSatisfy({ abs($0.tempo / rough - 1) <= Self.spread })
    else { return nil }
    let middle = measured(near: rough) ?? rough
    let isNear = abs(middle / present.beatsPerMinute - 1) <= Self.spread
    let tempo =
      isNear
      ? present.beatsPerMinute + (middle - present.beatsPerMinute) * Self.pull : middle
    // Half a beat away, it is the other half of a double tempo: as good as it is.
    let beat = present.beat(at: moment)
    let lag = beat.rounded() - beat
    let shift = isNear ? lag * Self.pull : lag
    guard abs(tempo - present.beatsPerMinute) > Self.grain || abs(shift) > Self.grain else {
      return nil
    }
    return Tempo(tempo, beat: beat + shift, at: moment)
  }

  /// The tempo by the time that the last beats took, which is more exact than a detector's; nil where they are no
  /// whole number of half beats.
  private func measured(near rough: Double) -> Double? {
    guard let first = heard.first, let last = heard.last else { return nil }
    let minutes = (last.moment - first.moment).seconds / 60
    // Some beats are missed, and of a double tempo there are halves. Over more of them, a detector's tempo is not
    // exact enough to count them.
    let beats = (minutes * rough * 2).rounded() / 2
    guard beats > 0, beats <= Self.countable, abs(beats / minutes / rough - 1) <= Self.spread else {
      return nil
    }
    return beats / minutes
  }

  /// The tempo, or half, double and so on of it, that is nearest to another one; nil outside of the range.
  private static func fold(_ tempo: Double, near present: Double) -> Double? {
    guard (10...1000).contains(tempo) else { return nil }
    var tempo = tempo
    while tempo > present * 2.0.squareRoot() { tempo /= 2 }
    while tempo < present / 2.0.squareRoot() { tempo *= 2 }
    return Tempo.range.contains(tempo) ? tempo : nil
  }
}
