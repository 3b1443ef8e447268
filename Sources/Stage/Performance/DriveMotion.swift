// The drive motion converts a drive (a wave or glide of a property) to the times of frames.

import GStreamer

struct DriveMotion: Sendable {
  let drive: Drive
  /// The value of the property when the drive began; nil until it is known.
  var value: Double?
  let tempo: Tempo
  let begin: ContinuousClock.Instant

  /// The motion from now on; nil for a drive that follows the sound.
  ///
  /// - Parameters:
  ///   - time: That of the newest frame; those of another source may begin anew.
  ///   - moment: Now, by the clock of the beats.
  func motion(from time: ClockTime, at moment: ContinuousClock.Instant) -> Motion? {
    switch drive {
    case .wave(let wave, let beats, let from, let to):
      return .wave(
        wave.motion, period: ClockTime(tempo.duration(ofBeats: beats)),
        start: start(beats, time, moment), from: from, to: to)
    case .ramp(let beats, let to):
      let (length, from) = (tempo.duration(ofBeats: beats), value ?? to)
      // From as far as it has come.
      let gone = length > .zero ? min(max((moment - begin) / length, 0), 1) : 1
      let left = length * (1 - gone)
      return .path([
        Motion.Point(time, from + (to - from) * gone), Motion.Point(time + ClockTime(left), to),
      ])
    case .sound: return nil
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
