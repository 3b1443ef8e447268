// The sweep clock turns stream time into the position of the slit. A value, tested without frames.

/// The position p of a sweep's slit, from 0 to 1, as time goes by.
///
/// p is the time since the start over the duration. When the duration changes, or after the slit
/// stood still, the sum so far is kept and counted on from there, so that p never jumps.
struct SweepClock {
  /// The place of the slit at a frame.
  struct Reading: Equatable {
    /// p: what the map has passed is frozen.
    var position: Double
    /// Whether this frame begins a round with nothing frozen.
    var startsRound: Bool
    /// Whether the slit has reached p = 1 between the last frame and this one.
    var completes: Bool
  }

  /// The running time, in nanoseconds, from which on is counted; nil before the first frame.
  private var origin: UInt64?
  /// The rounds that were done at `origin`: whole ones, and the part of the one under way.
  private var originRound: UInt64 = 0
  private var originPhase: Double = 0
  /// The round and the part of it at the last frame.
  private var round: UInt64 = 0
  private var phase: Double = 0
  private var last: UInt64 = 0
  /// p at the last frame.
  private var position: Double = 0
  private var duration: UInt64 = 0

  /// Moves the slit to where it is at `time`.
  ///
  /// The first call starts the sweep. Time that goes backwards holds the slit where it was.
  ///
  /// - Parameters:
  ///   - time: Running time of the frame in nanoseconds.
  ///   - duration: Nanoseconds from p = 0 to p = 1, at least 1.
  ///   - stands: Whether the slit stands still, as when frozen.
  mutating func advance(
    to time: UInt64, duration: UInt64, loop: ScanSettings.SweepLoop, stands: Bool
  ) -> Reading {
    let duration = max(duration, 1)
    let now = max(time, last)
    if origin == nil {
      origin = now
      last = now
      self.duration = duration
      return Reading(position: 0, startsRound: true, completes: false)
    }
    if stands || duration != self.duration {
      // Up to the last frame the old pace counted; from there on the new one does.
      (originRound, originPhase) = (round, phase)
      origin = stands ? now : last
      self.duration = duration
    }
    last = now
    if stands { return Reading(position: position, startsRound: false, completes: false) }

    let elapsed = now - (origin ?? now)
    let previousRound = round
    phase = originPhase + Double(elapsed % duration) / Double(duration)
    round = originRound + elapsed / duration
    if phase >= 1 {
      phase -= 1
      round += 1
    }

    let ended = round > previousRound
    switch loop {
    case .once:
      position = round > 0 ? 1 : phase
      return Reading(
        position: position, startsRound: false, completes: ended && previousRound == 0)
    case .loop:
      position = phase
      return Reading(position: position, startsRound: ended, completes: ended)
    case .pingPong:
      position = round.isMultiple(of: 2) ? phase : 1 - phase
      return Reading(
        position: position, startsRound: false,
        completes: ended && previousRound.isMultiple(of: 2))
    }
  }

  /// Forgets everything: the next frame starts a new sweep.
  mutating func restart() {
    self = SweepClock()
  }
}
