// The reference's image maps: the luma of a frame, and interpolation between its pixels.

/// An image that may be a map: a value from 0 to 1 for each pixel.
public struct MapImage: Sendable {
  /// Pixels in a row.
  let width: Int
  /// Rows of pixels.
  let height: Int
  /// The least and the greatest that each pixel's value may be, row by row.
  var lowest: [Double]
  var highest: [Double]
  /// Whether values are sums of several samples: which of two is less may be left to rounding.
  let isSum: Bool

  /// An image whose values are known.
  init(width: Int, height: Int, values: [Double], isSum: Bool) {
    self.width = width
    self.height = height
    lowest = values
    highest = values
    self.isSum = isSum
  }

  /// The luma of a frame.
  public init(_ frame: Frame, format: FormatDescription) {
    /// The share of a component in luma, and its samples.
    let parts: [(weight: Double, number: Int)] =
      format.colors == .rgb
      ? [(54.0 / 256, 0), (183.0 / 256, 1), (19.0 / 256, 2)] : [(1, 0)]
    var values = Array(repeating: 0.0, count: frame.width * frame.height)
    for (weight, number) in parts {
      let component = format.components[number]
      let black = Double(format.levels(component: number).lowerBound)
      let white = Double(format.levels(component: number).upperBound)
      for (at, word) in frame.samples[number].enumerated() {
        let value = Double((word & component.mask) >> component.shift)
        values[at] += weight * min(max((value - black) / (white - black), 0), 1)
      }
    }
    self.init(width: frame.width, height: frame.height, values: values, isSum: parts.count > 1)
  }

  /// What the image, spread over a frame of another size, has at a point of the frame.
  func value(x: Double, y: Double, frameWidth: Double, frameHeight: Double) -> ClosedRange<Double> {
    let column = Self.place(x, of: width, in: frameWidth)
    let row = Self.place(y, of: height, in: frameHeight)
    func between(_ values: [Double]) -> Double {
      func inRow(_ row: Int) -> Double {
        let left = values[row * width + column.first]
        let right = values[row * width + column.second]
        return left + (right - left) * column.fraction
      }
      let upper = inRow(row.first)
      return upper + (inRow(row.second) - upper) * row.fraction
    }
    return between(lowest)...max(between(lowest), between(highest))
  }

  /// The two pixels of a row or column that a coordinate lies between, and how far from the first.
  private static func place(
    _ coordinate: Double, of count: Int, in extent: Double
  ) -> (first: Int, second: Int, fraction: Double) {
    let last = Double(count - 1)
    let place = min(max(coordinate * Double(count) / extent - 0.5, 0), last)
    let first = Int(place)
    return (first, min(first + 1, count - 1), place - Double(first))
  }
}
