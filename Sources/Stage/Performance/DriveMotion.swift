// The drive motion converts a drive (a wave or glide of a property) to the times of frames.

import GStreamer

struct DriveMotion: Sendable {
  /// Whether it swings or goes somewhere; what follows the sound is no motion.
  private enum Form: Sendable {
    case wave(Wave, beats: Double, from: Double, to: Double)
    case ramp(length: Duration, from: Double, to: Double)
  }

  private let form: Form
  private let tempo: Tempo
  private let begin: ContinuousClock.Instant

  /// A drive that begins at a moment; nil for one that follows the sound.
  ///
  /// - Parameter value: What the property is then.
  init?(_ drive: Drive, from value: Double?, tempo: Tempo, at moment: ContinuousClock.Instant) {
    switch drive {
    case .wave(let wave, let beats, let from, let to):
      form = .wave(wave, beats: beats, from: from, to: to)
    case .ramp(let beats, let to):
      form = .ramp(length: tempo.duration(ofBeats: beats), from: value ?? to, to: to)
    case .sound: return nil
    }
    self.tempo = tempo
    begin = moment
  }

  /// The motion from now on.
  ///
  /// - Parameters:
  ///   - time: That of the newest frame; those of another source may begin anew.
  ///   - moment: Now, by the clock of the beats.
  func motion(from time: ClockTime, at moment: ContinuousClock.Instant) -> Motion {
    switch form {
    case .wave(let wave, let beats, let from, let to):
      return .wave(
        wave.motion, period: ClockTime(tempo.duration(ofBeats: beats)),
        start: start(beats, time, moment), from: from, to: to)
    case .ramp(let length, let from, let to):
      // From as far as it has come.
      let gone = length > .zero ? min(max((moment - begin) / length, 0), 1) : 1
      let left = length * (1 - gone)
      return .path([
        Motion.Point(time, from + (to - from) * gone), Motion.Point(time + ClockTime(left), to),
      ])
    }
  }

  /// When a swing begins, so that it is in time with the beats.
  private func start(
    _ beats: Double, _ time: ClockTime, _ moment: ContinuousClock.Instant
  ) -> ClockTime {
    let period = tempo.duration(ofBeats: beats)
    guard period > .zero else { return time }
    let phase = tempo.beat(at: moment) / beats
    let inside = phase - phase.rounded(.down)
    // A period later is the same swing, and no time before the first frame.
    return time + ClockTime(period * (1 - inside))
  }
}

extension Wave {
  fileprivate var motion: Motion.Wave {
    switch self {
    case .sine: .sine
    case .square: .square
    case .saw: .saw
    case .reverseSaw: .reverseSaw
    case .triangle: .triangle
    }
  }
}
