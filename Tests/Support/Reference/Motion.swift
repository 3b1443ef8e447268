// The reference's map `motion`: 1 where something moves, spreading from there and fading.

/// M of the last frame, and the luma that the next is compared with.
struct Motion {
  /// M.
  private(set) var image: MapImage
  private var luma: [Double]

  /// Nothing moves in the first frame.
  init(_ frame: MapImage) {
    image = MapImage(
      width: frame.width, height: frame.height, values: frame.lowest.map { _ in 0 }, isSum: true)
    luma = frame.lowest
  }

  /// The next frame.
  mutating func take(_ frame: MapImage, threshold: Double, decay: Double) {
    let before = image
    for y in 0..<before.height {
      for x in 0..<before.width {
        let at = y * before.width + x
        let spread = Self.spread(in: before, x: x, y: y, decay: decay)
        switch Self.moves(by: abs(frame.lowest[at] - luma[at]), threshold: threshold) {
        case .no: image.set(at, to: spread)
        case .yes: image.set(at, to: 1...1)
        case .either: image.set(at, to: spread.joined(1...1))
        }
      }
    }
    luma = frame.lowest
  }

  private static func moves(by difference: Double, threshold: Double) -> Answer {
    // The same sample is the same number, however it is rounded.
    if difference == 0 { return .no }
    if abs(difference - threshold) < Tolerance.luma { return .either }
    return difference > threshold ? .yes : .no
  }

  /// What comes over from the four neighbours.
  private static func spread(
    in image: MapImage, x: Int, y: Int, decay: Double
  ) -> ClosedRange<Double> {
    let neighbours = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].map { column, row in
      let isInside = (0..<image.width).contains(column) && (0..<image.height).contains(row)
      return isInside ? row * image.width + column : y * image.width + x
    }
    func mean(_ values: [Double]) -> Double {
      max(neighbours.map { values[$0] }.reduce(0, +) / 4 - decay, 0)
    }
    return mean(image.lowest)...max(mean(image.lowest), mean(image.highest))
  }
}

extension MapImage {
  fileprivate mutating func set(_ at: Int, to range: ClosedRange<Double>) {
    lowest[at] = range.lowerBound
    highest[at] = range.upperBound
  }
}
