// The reference of the mode `sweep`: a slit moves over the frame and freezes what it has passed.

/// The progress of a sweep.
struct Sweep {
  /// Turns, 1 for every `sweep-duration`, at the last frame.
  var progress = 0.0
  /// p: where the slit was at the last frame.
  var position = 0.0
  /// The progress that `anchorTime` stands for, and the pace since then.
  var anchorProgress = 0.0
  var anchorTime: UInt64
  var duration: UInt64
  /// Time of the last frame.
  var lastTime: UInt64
  /// The canvas: `[component][sample]`, and in it every word the sample may be.
  var canvas: [[[UInt16]]]

  /// A sweep starts with a live frame.
  init(_ frame: Frame, at time: UInt64, duration: UInt64) {
    anchorTime = time
    lastTime = time
    self.duration = duration
    canvas = frame.samples.map { $0.map { [$0] } }
  }

  /// From now on progress counts from here.
  mutating func anchor(at time: UInt64) {
    anchorProgress = progress
    anchorTime = time
  }
}

extension ReferenceModel {
  mutating func takeSweep(_ frame: Frame, at time: UInt64) {
    guard var sweep else {
      sweep = Sweep(frame, at: time, duration: settings.sweepDuration)
      return
    }
    defer { self.sweep = sweep }
    let last = sweep

    if settings.sweepDuration != sweep.duration {
      sweep.anchor(at: last.lastTime)
      sweep.duration = settings.sweepDuration
    }
    sweep.lastTime = time
    guard !settings.freeze else {
      sweep.anchor(at: time)
      return
    }

    sweep.progress = sweep.anchorProgress + Double(time - sweep.anchorTime) / Double(sweep.duration)
    sweep.position = slitPosition(at: sweep.progress)

    let isNewRound =
      settings.sweepLoop == .loop
      && sweep.progress.rounded(.down) > last.progress.rounded(.down)
    // Only cells the slit had not passed before, nor has gone back behind, are live.
    let keep = isNewRound ? -1 : min(last.position, sweep.position)

    computeDelays()
    for (number, component) in format.components.enumerated() {
      let columns = component.columns(ofWidth: width)
      for at in frame.samples[number].indices {
        let word = frame.samples[number][at]
        let cell = cell(component: number, column: at % columns, row: at / columns)
        let answers = (delays(cell) ?? []).map { isLive(delay: $0, keep: keep) }
        if answers.allSatisfy({ $0 == .yes }) {
          sweep.canvas[number][at] = [word]
        } else if !answers.allSatisfy({ $0 == .no }) {
          sweep.canvas[number][at] = Array(Set(sweep.canvas[number][at] + [word]))
        }
      }
    }
  }

  func swept(component: Int, column: Int, row: Int) -> Expectation {
    let at = index(component: component, column: column, row: row)
    let sample = Expectation(oneOf: sweep?.canvas[component][at] ?? [])
    let cell = cell(component: component, column: column, row: row)
    return switch isOnLine(cell) {
    case .no: sample
    case .yes: lined(sample, component: component)
    case .either: sample.or(lined(sample, component: component))
    }
  }

  private func slitPosition(at progress: Double) -> Double {
    switch settings.sweepLoop {
    case .once:
      return min(progress, 1)
    case .loop:
      return progress - progress.rounded(.down)
    case .pingPong:
      let phase = progress.truncatingRemainder(dividingBy: 2)
      return phase <= 1 ? phase : 2 - phase
    }
  }

  /// g > keep, where rounding leaves that open: either.
  private func isLive(delay: ClosedRange<Double>, keep: Double) -> Answer {
    // No delay is past the end, however it is rounded.
    if keep >= 1 { return .no }
    if delay.lowerBound > keep + Tolerance.place { return .yes }
    return delay.upperBound < keep - Tolerance.place ? .no : .either
  }
}
