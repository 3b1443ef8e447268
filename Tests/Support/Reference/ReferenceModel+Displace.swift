// The reference of the mode `displace`: out(x, y, t) = in(x, y, t − d).

extension ReferenceModel {
  /// The frames of history that a cell shows, or what stands for those that have not come yet.
  private struct Reach {
    /// The delay, in frames held.
    var frames: ClosedRange<Double>?
    /// Whether the delay may be older than what has arrived.
    var mayBeLate: Bool
  }

  func displaced(component: Int, column: Int, row: Int) -> Expectation {
    let at = index(component: component, column: column, row: row)
    let delays = delays(cell(component: component, column: column, row: row)) ?? []
    let shutters = shutters
    var values: Ranges = []
    for held in history.counts {
      for g in delays {
        let reach = reach(of: g, component: component, held: held)
        if reach.mayBeLate { values.append(late(component: component, at: at, held: held)) }
        guard let d = reach.frames else { continue }
        /// The sample at the delay, in frames, and so many frames before.
        func shown(_ d: ClosedRange<Double>, before: Int) -> ClosedRange<Double> {
          let last = Double(held - 1)
          let lower = min(d.lowerBound + Double(before), last)
          let d = lower...min(d.upperBound + Double(before), last)
          switch settings.interpolation {
          case .nearest:
            return history.word(component: component, at: at, frame: Int(d.lowerBound))
          case .linear:
            // Straight from frame to frame: the ends are there, or at the frames between.
            var range = blend(d.lowerBound, component: component, at: at)
              .joined(blend(d.upperBound, component: component, at: at))
            for frame in stride(from: d.lowerBound.rounded(.up), to: d.upperBound, by: 1) {
              range = range.joined(blend(frame, component: component, at: at))
            }
            return range
          case .motion:
            return warped(d, held: held, component: component, column: column, row: row)
          }
        }
        let moments =
          settings.interpolation == .nearest
          ? (Int(d.lowerBound)...Int(d.upperBound)).map { ClosedRange(Double($0)) } : [d]
        for d in moments {
          for shutter in shutters {
            let exposures = exposures(of: g, longest: shutter).map { exposure in
              let whole = Int(exposure)
              var sum = ClosedRange(0.0)
              for frame in 0..<whole { sum = sum + shown(d, before: frame) }
              if exposure > Double(whole) {
                sum = sum + shown(d, before: whole) * (exposure - Double(whole))
              }
              return sum * (1 / exposure)
            }
            values.append(exposures.dropFirst().reduce(exposures[0]) { $0.joined($1) })
          }
        }
      }
    }
    let between = settings.interpolation == .nearest ? 0 : Tolerance.blend
    return Expectation(
      oneOf: values,
      tolerance: (between + (shutters == [1] ? 0 : Tolerance.mean))
        * format.step(component: component))
  }

  /// The exposure in frames; several where rounding decides.
  private var shutters: [Double] {
    guard settings.shutterDuration > 0 else { return [settings.shutter] }
    let time = Double(settings.shutterDuration)
    func frames(_ slack: Double) -> Double {
      let most = min(history.frames.count, 1000)
      let half = most > 1 ? history.age(1) / 2 : 0
      return Double(max((0..<most).prefix { history.age($0) + half < time + slack }.count, 1))
    }
    let (least, most) = (frames(-2 * Tolerance.age), frames(2 * Tolerance.age))
    return least == most ? [least] : [least, most]
  }

  /// The exposure of a cell in frames; several where it is not certain, between which the mean goes one way.
  private func exposures(of g: ClosedRange<Double>, longest: Double) -> [Double] {
    guard settings.shutterFollowsMap else { return [longest] }
    let least = max(1 + (longest - 1) * g.lowerBound - Tolerance.exposure, 1)
    let most = 1 + (longest - 1) * g.upperBound + Tolerance.exposure
    return [least] + stride(from: least.rounded(.down) + 1, to: most, by: 1) + [most]
  }

  /// The frames that an exposure needs before the longest delay.
  var exposedFrames: ClosedRange<Int> {
    let needed = shutters.map { $0 == 1 ? 0 : Int($0) }
    return (needed.min() ?? 0)...(needed.max() ?? 0)
  }

  /// For each sample of each component, how many of the newest frames it is certain to be needed from.
  mutating func needs() -> [[Int]] {
    computeAllDelays()
    return format.components.indices.map { number in
      let columns = format.components[number].columns(ofWidth: width)
      let rows = format.components[number].rows(ofHeight: height)
      return (0..<columns * rows).map { at in
        let cell = cell(component: number, column: at % columns, row: at / columns)
        let shown = (delays(cell) ?? []).map { g in
          Int(reach(of: g, component: number, held: settings.depth).frames?.lowerBound ?? 0) + 1
            + exposedFrames.lowerBound
        }
        return max(shown.min() ?? 1, wholeFrames)
      }
    }
  }

  /// Whether a frame that left may be the last one of a drain: with feedback, each sample is within
  /// 1/100 of white of the frame's.
  public func hasReached(_ output: Frame) -> Bool {
    guard let input else { return false }
    return format.components.indices.allSatisfy { component in
      zip(output.samples[component], input.samples[component]).allSatisfy {
        abs(Double($0) - Double($1)) <= remainder
      }
    }
  }

  /// What may be left of history when a drain ends, in words.
  private var remainder: Double {
    guard settings.feedback > 0 else { return 0 }
    return Double(format.levels(component: 0).upperBound << format.components[0].shift) / 100
  }

  /// Whether every cell shows only the newest frames, so many of which are as the last.
  public mutating func showsOnlyNewest(_ count: Int) -> Bool {
    computeDelays()
    guard let input, settings.mix == 1 || present < count,
      history.frames.prefix(count).allSatisfy({ held in
        format.components.indices.allSatisfy { component in
          input.samples[component].indices.allSatisfy { at in
            let sample = Double(input.samples[component][at])
            return Double(held.lowest[component][at]) >= sample - remainder
              && Double(held.highest[component][at]) <= sample + remainder
          }
        }
      })
    else { return false }
    return format.components.indices.allSatisfy { number in
      let columns = format.components[number].columns(ofWidth: width)
      return input.samples[number].indices.allSatisfy { at in
        let cell = cell(component: number, column: at % columns, row: at / columns)
        return (delays(cell) ?? []).allSatisfy { g in
          let reach = reach(of: g, component: number, held: history.counts.lowerBound)
          return !reach.mayBeLate
            && (reach.frames?.upperBound ?? 0) + shutters[0].rounded(.up) <= Double(count)
        }
      }
    }
  }

  /// The sample where the delay is older than what has arrived.
  private func late(component: Int, at: Int, held: Int) -> ClosedRange<Double> {
    switch settings.warmup {
    case .hold: history.word(component: component, at: at, frame: held - 1)
    case .live: history.word(component: component, at: at, frame: 0)
    case .black, .transparent: ClosedRange(Double(black(component: component)))
    }
  }

  /// The sample between two frames.
  private func blend(_ d: Double, component: Int, at: Int) -> ClosedRange<Double> {
    let frame = Int(d)
    let fraction = d - Double(frame)
    let lower = history.word(component: component, at: at, frame: frame)
    guard fraction > 0 else { return lower }
    let upper = history.word(component: component, at: at, frame: frame + 1)
    return lower.lowerBound + (upper.lowerBound - lower.lowerBound) * fraction...lower.upperBound
      + (upper.upperBound - lower.upperBound) * fraction
  }

  /// Share of a component in `component-spread`.
  func share(of component: Int) -> Double {
    let counted = format.components.indices.filter { $0 != format.alpha }
    guard component != format.alpha, counted.count > 1 else { return 0 }
    return Double(component) / Double(counted.count - 1)
  }

  private func reach(of g: ClosedRange<Double>, component: Int, held: Int) -> Reach {
    let spread = settings.componentSpread * share(of: component)
    guard settings.duration == 0 else {
      return reach(of: g, spread: spread, duration: Double(settings.duration), held: held)
    }
    let longest = Double(settings.depth - 1)
    let d = (g * longest + spread * longest).clamped(to: 0...longest)
    let oldest = Double(held - 1)
    switch settings.interpolation {
    case .nearest:
      let first = (d.lowerBound + 0.5 - Tolerance.place).rounded(.down)
      let last = (d.upperBound + 0.5 + Tolerance.place).rounded(.down)
      return Reach(
        frames: first > oldest ? nil : first...min(last, oldest),
        mayBeLate: last > oldest)
    case .linear, .motion:
      return Reach(
        frames: d.lowerBound > oldest + Tolerance.lateness ? nil : d.clamped(to: 0...oldest),
        // A full history is as long as the longest delay.
        mayBeLate: d.upperBound > oldest - Tolerance.lateness && held < settings.depth)
    }
  }

  /// The same by the age of the frames.
  private func reach(
    of g: ClosedRange<Double>, spread: Double, duration: Double, held: Int
  ) -> Reach {
    let delay = (g * duration + spread * duration).clamped(to: 0...duration)
    let oldest = Double(held - 1)
    let oldestAge = history.age(held - 1)
    // Ages may be off, and so may be what is held: a frame as old as the longest delay is enough.
    let isFull = oldestAge >= duration + Tolerance.age
    guard delay.lowerBound <= oldestAge + Tolerance.age else {
      return Reach(frames: nil, mayBeLate: true)
    }
    let frames =
      framesAgo(
        delay.lowerBound - Tolerance.age, held: held)...framesAgo(
        delay.upperBound + Tolerance.age, held: held)
    let isNearest = settings.interpolation == .nearest
    return Reach(
      frames: isNearest
        ? (frames.lowerBound + 0.5 - Tolerance.place).rounded(
          .down)...min((frames.upperBound + 0.5 + Tolerance.place).rounded(.down), oldest) : frames,
      mayBeLate: !isFull
        && (delay.upperBound > oldestAge - Tolerance.age
          || !isNearest && frames.upperBound > oldest - Tolerance.lateness)
    )
  }

  /// d of a delay in nanoseconds: between the last frame that is no older and the next.
  private func framesAgo(_ delay: Double, held: Int) -> Double {
    guard let frame = (0..<held).last(where: { history.age($0) <= delay }) else { return 0 }
    guard frame < held - 1 else { return Double(frame) }
    let age = history.age(frame)
    return Double(frame) + (delay - age) / (history.age(frame + 1) - age)
  }
}
