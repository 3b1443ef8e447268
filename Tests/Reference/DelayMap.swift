// The map: when the slit visits each point of the picture. Sources/SlitScan/Definitions.md, by the letter.

import Foundation

/// As near to a boundary as this, rounding may put a value on either side.
let hair = 1e-9

/// The map of a picture, with what `invert`, `gain`, `offset` and `edge` make of it.
struct DelayMap {
  let settings: Settings
  let width: Double
  let height: Double
  /// The map's center, pixels.
  let center: (x: Double, y: Double)
  /// Pixels from the center to the farthest corner.
  let farthestCorner: Double
  /// Sine and cosine of `angle`, exact at quarter turns.
  let direction: (sin: Double, cos: Double)
  /// Half the picture's extent along `angle`, pixels.
  let halfExtent: Double

  init(_ settings: Settings, width: Int, height: Int) {
    self.settings = settings
    self.width = Double(width)
    self.height = Double(height)

    let center = (x: settings.centerX * self.width, y: settings.centerY * self.height)
    self.center = center
    farthestCorner =
      [(0, 0), (self.width, 0), (0, self.height), (self.width, self.height)]
      .map { corner in hypot(corner.0 - center.x, corner.1 - center.y) }
      .reduce(0, max)

    let degrees = settings.angle.remainder(dividingBy: 360)
    direction =
      switch degrees {
      case 0: (0, 1)
      case 90: (1, 0)
      case -90: (-1, 0)
      case 180, -180: (0, -1)
      default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      }
    halfExtent = self.width / 2 * abs(direction.sin) + self.height / 2 * abs(direction.cos)
  }

  /// f: from 0, first, to 1, last.
  func visit(x: Double, y: Double) -> Double { visit(x: x, y: y, map: settings.map) }

  private func visit(x: Double, y: Double, map: Settings.Map) -> Double {
    switch map {
    case .linear:
      let s = (x - width / 2) * direction.sin + (y - height / 2) * direction.cos
      return min(max((s / halfExtent + 1) / 2, 0), 1)
    case .radial:
      return min(hypot(x - center.x, y - center.y) / farthestCorner, 1)
    case .angular:
      let turn = atan2(x - center.x, center.y - y) / (2 * .pi)
      return turn < 0 ? turn + 1 : turn
    case .spiral:
      let sum = visit(x: x, y: y, map: .angular) + settings.turns * visit(x: x, y: y, map: .radial)
      return sum - sum.rounded(.down)
    case .grid:
      // The middle of a subsampled cell can lie on the far edge of an odd picture, or beyond.
      let column = min(Int(x * Double(settings.columns) / width), settings.columns - 1)
      let row = min(Int(y * Double(settings.rows) / height), settings.rows - 1)
      let last = settings.columns * settings.rows - 1
      return last == 0 ? 0 : Double(row * settings.columns + column) / Double(last)
    case .random:
      let block = (x: Int(x) / settings.blockSize, y: Int(y) / settings.blockSize)
      var row = SplitMix64(state: UInt64(settings.seed) << 32 | UInt64(block.y))
      var place = SplitMix64(state: row.next() ^ UInt64(block.x))
      return Double(place.next() >> 32) / 4_294_967_295
    }
  }

  /// g: the delay as a fraction, in 0…1.
  ///
  /// Where rounding decides between two values, both.
  func delays(x: Double, y: Double) -> [Double] {
    var visits = [visit(x: x, y: y)]
    if settings.map == .angular || settings.map == .spiral {
      // Where a turn begins it is 0, and 1 a hair before.
      if visits[0] < hair { visits.append(1) }
      if visits[0] > 1 - hair { visits.append(0) }
    }
    return visits.flatMap { visit in
      let inverted = settings.invert ? 1 - visit : visit
      // The edge leaves what is within 0…1 alone; only elsewhere can rounding matter to it.
      guard settings.gain != 1 || settings.offset != 0 else { return [inverted] }
      let g = inverted * settings.gain + settings.offset
      return distinct([atEdge(g), atEdge(g - hair), atEdge(g + hair)])
    }
  }

  private func atEdge(_ g: Double) -> Double {
    guard g < 0 || g > 1 else { return g }
    switch settings.edge {
    case .clamp:
      return min(max(g, 0), 1)
    case .wrap:
      return g - g.rounded(.down)
    case .mirror:
      let m = g - 2 * (g / 2).rounded(.down)
      return m > 1 ? 2 - m : m
    }
  }

  /// The first value, and those that lie far from it.
  private func distinct(_ values: [Double]) -> [Double] {
    values.prefix(1) + values.dropFirst().filter { abs($0 - values[0]) > 0.5 }
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
