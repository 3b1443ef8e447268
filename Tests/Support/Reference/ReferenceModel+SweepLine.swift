// The reference of the line that marks the slit of a sweep.

extension ReferenceModel {
  /// Whether the line covers a cell.
  func isOnLine(_ cell: Cell) -> Answer {
    guard let sweep, settings.lineWidth > 0, let delays = delays(cell) else { return .no }
    let hasEnded = settings.sweepLoop == .once && sweep.progress >= 1
    if hasEnded { return .no }

    let size = cellSizes[cell.plane]
    /// γ along one axis: the smaller of the differences to the cells on both sides.
    func slope(columns: Int, rows: Int, over extent: Int) -> ClosedRange<Double> {
      let differences = [-1, 1].compactMap { side -> ClosedRange<Double>? in
        var neighbour = cell
        neighbour.column += side * columns
        neighbour.row += side * rows
        return self.delays(neighbour).map { $0.hull.distance(to: delays.hull) }
      }
      guard let first = differences.first else { return 0...0 }
      let second = differences.last ?? first
      return min(first.lowerBound, second.lowerBound) / Double(extent)...min(
        first.upperBound, second.upperBound) / Double(extent)
    }
    let across = slope(columns: 1, rows: 0, over: size.columns)
    let down = slope(columns: 0, rows: 1, over: size.rows)
    func reach(_ x: Double, _ y: Double) -> Double {
      settings.lineWidth / 2 * (x * x + y * y).squareRoot()
    }
    let least = reach(across.lowerBound, down.lowerBound)
    let greatest = reach(across.upperBound, down.upperBound)

    let answers = delays.map { g -> Answer in
      let distance = g.distance(to: ClosedRange(sweep.position).widened(by: Tolerance.place))
      if distance.upperBound <= least { return .yes }
      return distance.lowerBound > greatest ? .no : .either
    }
    return answers.dropFirst().allSatisfy { $0 == answers[0] } ? answers[0] : .either
  }

  /// What a sample becomes under the line.
  func lined(_ sample: Expectation, component: Int) -> Expectation {
    let alpha = Double(settings.lineColor >> 24) / 255
    let color = lineWord(component: component)
    let isRounded = format.colors == .yuv && component != format.alpha
    return Expectation(
      oneOf: sample.values.map { $0 * (1 - alpha) + color * alpha },
      tolerance: (isRounded ? Tolerance.lineInYUV : Tolerance.blend)
        * format.step(component: component))
  }

  /// The word that `line-color` is in a component, were it opaque.
  private func lineWord(component number: Int) -> Double {
    let component = format.components[number]
    let (red, green, blue) = (lineByte(16), lineByte(8), lineByte(0))
    let shares = format.lumaShares
    let luma = shares.red * red + (1 - shares.red - shares.blue) * green + shares.blue * blue
    let levels = format.levels(component: number)
    func level(_ share: Double) -> Double {
      Double(levels.lowerBound) + share * Double(levels.upperBound - levels.lowerBound)
    }
    /// U or V, from −½ to ½.
    func level(ofDifference difference: Double) -> Double {
      let extent = format.isFullRange ? (1 << component.depth) - 1 : 224 << (component.depth - 8)
      return Double(1 << (component.depth - 1)) + difference * Double(extent)
    }
    let value =
      switch (number, format.colors) {
      case (format.alpha, _): Double((1 << component.depth) - 1)
      case (0, .rgb): level(red)
      case (1, .rgb): level(green)
      case (2, .rgb): level(blue)
      case (1, _): level(ofDifference: (blue - luma) / (1 - shares.blue) / 2)
      case (2, _): level(ofDifference: (red - luma) / (1 - shares.red) / 2)
      default: level(luma)
      }
    return min(value, Double((1 << component.depth) - 1)) * Double(1 << component.shift)
  }

  /// A byte of the colour, from 0 to 1.
  private func lineByte(_ shift: UInt32) -> Double {
    Double(settings.lineColor >> shift & 0xff) / 255
  }
}
