// The start clock: the beats of a performance count from its first frame, which comes later than the performance.

import GStreamer

enum StartClock: Sendable, Equatable {
  /// Time goes on: no frame is waited for, or the first one has come.
  case running
  /// Time stands still at a moment: moves are done with the first frame.
  case stopped(ContinuousClock.Instant)
  /// Another clock has set the beat: time goes on.
  case external
}

extension Performance {
  /// Stops the clock until ``begin(at:)``, at beat 0 of the tempo.
  ///
  /// So a show is the same however long its source takes to open, and has the same result when its moves are
  /// played again, or rendered.
  package func waitForFirstFrame() {
    let moment = clock.now
    startClock = .stopped(moment)
    state.tempo = Tempo(state.tempo.beatsPerMinute, from: moment)
  }

  /// The first frame has come: time goes on from there.
  ///
  /// - Parameter moment: When time 0 of the frames was.
  package func begin(at moment: ContinuousClock.Instant) async {
    let before = startClock
    startClock = .running
    switch before {
    case .running: break
    case .stopped(let start):
      let delay = moment - start
      agenda.delay(by: delay)
      sleep()
      for (kind, change) in state.waiting.sorted(by: { $0.key < $1.key }) {
        tellWaiting(kind, WaitingChange(change.value, at: change.moment + delay))
      }
      // What swings is driven again. What cannot be was not before.
      try? await follow(Tempo(state.tempo.beatsPerMinute, from: state.tempo.origin + delay))
    case .external:
      // Not before what was done before the first frame.
      let time = moment + .nanoseconds(Int64(clamping: lastTime.nanoseconds))
      let tempo = state.tempo
      let move = Move.tempo(tempo.beatsPerMinute, beat: tempo.beat(at: time))
      tellDone(move, at: lastTime)
      await remember(move, at: lastTime)
    }
  }

  /// Whether beats stand still, because the first frame has not come.
  package var isStartClockStopped: Bool {
    if case .stopped = startClock { true } else { false }
  }

  /// Follows another clock, which does not wait for the first frame.
  func startExternalClock() {
    guard case .stopped = startClock else { return }
    startClock = .external
    sleep()
  }
}

extension Move {
  /// Whether it sets the current beat.
  var saysBeat: Bool {
    switch self {
    case .tap, .tempo(_, .some): true
    default: false
    }
  }
}
