// A tempo is a number of beats per minute with the time of one beat.

/// A steady beat: how fast, and when one of them was.
///
/// A value: who changes the tempo makes another one that has the same beat at that moment.
public struct Tempo: Sendable, Hashable {
  /// The range of tempos, in beats per minute.
  public static let range = 20.0...400.0

  /// Beats a minute.
  public let beatsPerMinute: Double
  /// When beat 0 was.
  public let origin: ContinuousClock.Instant

  /// A tempo with beat 0 at a moment; brought into the range.
  public init(_ beatsPerMinute: Double = 120, from origin: ContinuousClock.Instant = .now) {
    let tempo = beatsPerMinute.isNaN ? 120 : beatsPerMinute
    self.beatsPerMinute = min(max(tempo, Self.range.lowerBound), Self.range.upperBound)
    self.origin = origin
  }

  /// The time from a beat to the next.
  public var beat: Duration { .seconds(60 / beatsPerMinute) }

  /// The duration of a number of beats, bounded.
  public func duration(ofBeats beats: Double) -> Duration {
    // `Duration` traps where it cannot hold a number.
    let seconds = 60 / beatsPerMinute * beats
    return .seconds(seconds.isNaN ? 0 : min(max(seconds, -Self.longest), Self.longest))
  }

  /// A hundred years, in seconds.
  private static let longest = 3.15e9

  /// The beat at a moment, with a fraction.
  public func beat(at moment: ContinuousClock.Instant) -> Double {
    (moment - origin).seconds * beatsPerMinute / 60
  }

  /// When the next multiple of some beats is, from a moment on; the moment itself for 0.
  public func next(multipleOf beats: Double, from moment: ContinuousClock.Instant)
    -> ContinuousClock.Instant
  {
    guard beats > 0, beats.isFinite else { return moment }
    let count = (beat(at: moment) / beats).rounded(.up)
    return max(moment, origin + duration(ofBeats: count * beats))
  }

  /// A tempo with a beat, of any number, at a moment; brought into the range.
  public init(_ beatsPerMinute: Double, beat: Double, at moment: ContinuousClock.Instant) {
    let tempo = Tempo(beatsPerMinute)
    self.init(tempo.beatsPerMinute, from: moment - tempo.duration(ofBeats: beat))
  }

  /// Another tempo that has the same beat at a moment.
  public func changed(to beatsPerMinute: Double, at moment: ContinuousClock.Instant) -> Tempo {
    Tempo(beatsPerMinute, beat: beat(at: moment), at: moment)
  }
}

extension Duration {
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
