// The reference's maps: the map value of each point, by Sources/Effect/Definitions.md to the letter.

import Foundation

/// The map of a frame, with what `invert`, `map-smoothing`, `gain`, `offset` and `edge` make of it.
struct DelayMap {
  let settings: Settings
  let width: Double
  let height: Double
  /// The image that `image`, `live`, `luma` and `motion` are made of, if there is one yet.
  let image: MapImage?
  /// The map's center, pixels.
  let center: (x: Double, y: Double)
  /// Pixels from the center to the farthest corner.
  let farthestCorner: Double
  /// Sine and cosine of `angle`.
  let direction: (sin: Double, cos: Double)
  /// Half the frame's extent along `angle`, pixels.
  let halfExtent: Double

  init(_ settings: Settings, width: Int, height: Int, image: MapImage? = nil) {
    self.settings = settings
    self.width = Double(width)
    self.height = Double(height)
    self.image = image

    let center = (x: settings.centerX * self.width, y: settings.centerY * self.height)
    self.center = center
    farthestCorner =
      [(0, 0), (self.width, 0), (0, self.height), (self.width, self.height)]
      .map { corner in hypot(corner.0 - center.x, corner.1 - center.y) }
      .reduce(0, max)

    direction = Self.direction(settings.angle)
    halfExtent = self.width / 2 * abs(direction.sin) + self.height / 2 * abs(direction.cos)
  }

  /// Sine and cosine of an angle, exact at quarter turns.
  static func direction(_ angle: Double) -> (sin: Double, cos: Double) {
    let degrees = angle.remainder(dividingBy: 360)
    return switch degrees {
    case 0: (0, 1)
    case 90: (1, 0)
    case -90: (-1, 0)
    case 180, -180: (0, -1)
    default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }
  }

  /// f, from 0, first, to 1, last, not yet inverted.
  func visits(x: Double, y: Double) -> Ranges {
    switch settings.map {
    case .linear:
      let s = (x - width / 2) * direction.sin + (y - height / 2) * direction.cos
      return [computed((s / halfExtent + 1) / 2)]
    case .radial:
      return [computed(radial(x: x, y: y))]
    case .angular, .spiral:
      return turns(x: x, y: y)
    case .grid:
      // The middle of a subsampled cell can lie on the far edge of an odd frame, or beyond.
      let column = min(Int(x * Double(settings.columns) / width), settings.columns - 1)
      let row = min(Int(y * Double(settings.rows) / height), settings.rows - 1)
      let last = settings.columns * settings.rows - 1
      return [computed(last == 0 ? 0 : Double(row * settings.columns + column) / Double(last))]
    case .random:
      let block = (x: Int(x) / settings.blockSize, y: Int(y) / settings.blockSize)
      var row = SplitMix64(state: UInt64(settings.seed) << 32 | UInt64(block.y))
      var place = SplitMix64(state: row.next() ^ UInt64(block.x))
      return [computed(Double(place.next() >> 32) / 4_294_967_295)]
    case .image, .live, .luma, .motion:
      guard let image else { return [0...0] }
      let value = image.value(x: x, y: y, frameWidth: width, frameHeight: height)
      return [value.widened(by: Tolerance.imageMap).clamped(to: 0...1)]
    }
  }

  private func computed(_ f: Double) -> ClosedRange<Double> {
    (min(max(f, 0), 1)...min(max(f, 0), 1)).widened(by: Tolerance.computedMap).clamped(to: 0...1)
  }

  private func radial(x: Double, y: Double) -> Double {
    min(hypot(x - center.x, y - center.y) / farthestCorner, 1)
  }

  /// Where a turn begins f is 0, and 1 a hair before.
  private func turns(x: Double, y: Double) -> Ranges {
    let angle = atan2(x - center.x, center.y - y) / (2 * .pi)
    let angular = angle < 0 ? angle + 1 : angle
    guard settings.map == .spiral else {
      // The middle of the frame is exact: no rounding carries it to the other side.
      if settings.centerX == 0.5 && angular == 0 { return [0...Tolerance.computedMap] }
      return Self.fractions(of: (angular...angular).widened(by: Tolerance.computedMap))
    }
    let sum = angular + settings.turns * radial(x: x, y: y)
    return Self.fractions(of: (sum...sum).widened(by: Tolerance.computedMap))
  }

  /// g: the delay as a fraction, in 0…1, of an f that is inverted and smoothed already.
  func delays(of visits: Ranges) -> Ranges {
    // The edge leaves what is within 0…1 alone; only elsewhere can rounding matter to it.
    guard settings.gain != 1 || settings.offset != 0 else { return visits }
    let hair = Tolerance.computedMap * max(1, abs(settings.gain))
    return visits.flatMap { atEdge(($0 * settings.gain + settings.offset).widened(by: hair)) }
  }

  private func atEdge(_ g: ClosedRange<Double>) -> Ranges {
    switch settings.edge {
    case .clamp:
      return [g.clamped(to: 0...1)]
    case .wrap:
      return Self.fractions(of: g)
    case .mirror:
      return Self.pieces(of: g).map { piece in
        piece.whole.truncatingRemainder(dividingBy: 2) == 0
          ? piece.fraction : piece.fraction * -1 + 1
      }
    }
  }

  private static func fractions(of range: ClosedRange<Double>) -> Ranges {
    pieces(of: range).map(\.fraction)
  }

  /// A range, cut at the whole numbers: for each piece the number below, and how far above that it
  /// lies.
  private static func pieces(
    of range: ClosedRange<Double>
  ) -> [(whole: Double, fraction: ClosedRange<Double>)] {
    let (first, last) = (range.lowerBound.rounded(.down), range.upperBound.rounded(.down))
    return stride(from: first, through: last, by: 1).map { whole in
      let piece = range.clamped(to: whole...whole + 1)
      return (whole, (piece + -whole).clamped(to: 0...1))
    }
  }
}

extension DelayMap {
  /// The value of f at which a slit lies, where it is inverted afterwards.
  var slitPosition: Double { settings.invert ? 1 - settings.position : settings.position }

  /// f at the middle of each cell of a plane, row by row, smoothed.
  ///
  /// - Parameters:
  ///   - cell: columns and rows of the frame that a cell covers.
  ///   - hasCurve: Whether f is inverted if asked for.
  func visits(ofCells cell: (columns: Int, rows: Int), hasCurve: Bool) -> [Ranges] {
    let columns = (Int(width) + cell.columns - 1) / cell.columns
    let rows = (Int(height) + cell.rows - 1) / cell.rows
    let cells = (0..<rows * columns).map { index -> Ranges in
      let x = (Double(index % columns) + 0.5) * Double(cell.columns)
      let y = (Double(index / columns) + 0.5) * Double(cell.rows)
      let ranges = visits(x: x, y: y)
      return hasCurve && settings.invert ? ranges.map { $0 * -1 + 1 } : ranges
    }
    guard settings.mapSmoothing > 0 else { return cells }

    // No weight is negative: the smoothed value lies between what the ends smooth to.
    let across = ExtendedBox(deviation: settings.mapSmoothing / Double(cell.columns))
    let down = ExtendedBox(deviation: settings.mapSmoothing / Double(cell.rows))
    let hulls: Ranges = cells.map(\.hull)
    let lowest = ExtendedBox.smoothed(
      hulls.map(\.lowerBound), columns: columns, across: across, down: down)
    let highest = ExtendedBox.smoothed(
      hulls.map(\.upperBound), columns: columns, across: across, down: down)
    return zip(lowest, highest).map { low, high in
      [(low...max(low, high)).widened(by: Tolerance.imageMap).clamped(to: 0...1)]
    }
  }
}

/// The generator of Steele, Lea and Flood, as its authors publish it.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
