// Mode `displace`: out(x, y, t) = in(x, y, t − d).

extension ReferenceModel {
  /// How near to the oldest frame a blended delay may count as past it, in frames.
  private static var latenessTolerance: Double { 1 / 200 }

  func displaced(component: Int, column: Int, row: Int) -> Expectation {
    let at = index(component: component, column: column, row: row)
    /// The sample so many frames ago.
    func word(_ frame: Int) -> UInt16 { history[frame].samples[component][at] }

    /// The sample where the delay is older than what has arrived.
    var late: UInt16 {
      switch settings.warmup {
      case .hold: word(history.count - 1)
      case .live: word(0)
      case .black, .transparent: black(component: component)
      }
    }

    let oldest = history.count - 1
    let delays = delays(component: component, column: column, row: row)
      .map { $0 * Double(settings.depth - 1) }

    switch settings.interpolation {
    case .nearest:
      let frames = delays.flatMap { d in
        let (one, other) = ((d + 0.5 - hair).rounded(.down), (d + 0.5 + hair).rounded(.down))
        return one == other ? [one] : [one, other]
      }
      return Expectation(oneOf: frames.map { $0 > Double(oldest) ? late : word(Int($0)) })

    case .linear:
      var values: [Double] = []
      for d in delays {
        let distance = d - Double(oldest)
        // A full history is as long as the longest delay.
        if distance > -Self.latenessTolerance && history.count < settings.depth {
          values.append(Double(late))
        }
        if distance < Self.latenessTolerance {
          let lower = min(Int(d), oldest)
          let upper = min(lower + 1, oldest)
          let fraction = d - Double(lower)
          values.append(Double(word(lower)) * (1 - fraction) + Double(word(upper)) * fraction)
        }
      }
      return Expectation(oneOf: values, tolerance: blendTolerance(of: component))
    }
  }

  /// One of 255, in the component's own range.
  private func blendTolerance(of component: Int) -> Double {
    let sample = format.components[component]
    return Double((((1 << sample.depth) - 1) / 255) << sample.shift)
  }
}
