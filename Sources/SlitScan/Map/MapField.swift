// The formulas of the maps: a point of the picture in, the slit's time for it out.

import Glibc

/// A map laid over a picture of a certain size.
///
/// Points are in pixels from the top left corner of the picture, so the centre of its first pixel is
/// (½, ½). All arithmetic is in `Double`, in the order of the formulas beside it, so that a rounded
/// delay is the same wherever it is computed.
struct MapField {
  private let map: MapSettings
  private let halfWidth: Double
  private let halfHeight: Double
  /// sin θ and cos θ of the linear map.
  let sine: Double
  let cosine: Double
  /// S, the greatest |s| in the picture: (W/2)·|sin θ| + (H/2)·|cos θ|.
  let halfExtent: Double
  let centerX: Double
  let centerY: Double
  /// The distance from the centre to the farthest corner.
  let radius: Double

  init(_ map: MapSettings, width: Int, height: Int) {
    self.map = map
    halfWidth = Double(width) / 2
    halfHeight = Double(height) / 2
    (sine, cosine) = Self.direction(degrees: map.angle)
    halfExtent = halfWidth * abs(sine) + halfHeight * abs(cosine)
    centerX = map.centerX * Double(width)
    centerY = map.centerY * Double(height)
    let farX = max(abs(centerX), abs(Double(width) - centerX))
    let farY = max(abs(centerY), abs(Double(height) - centerY))
    radius = (farX * farX + farY * farY).squareRoot()
  }

  /// Sine and cosine of an angle, exact at quarter turns.
  ///
  /// Elsewhere the angle is taken as it is; for a quarter turn, sin π would be 1.2·10⁻¹⁶, and a line
  /// that should lie between two pixels would waver between them.
  private static func direction(degrees: Double) -> (sine: Double, cosine: Double) {
    switch degrees.remainder(dividingBy: 360) {
    case 0: (0, 1)
    case 90: (1, 0)
    case -90: (-1, 0)
    case 180, -180: (0, -1)
    default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }
  }

  /// f at a point: 0…1, before `invert` and everything after it.
  func shapeValue(x: Double, y: Double) -> Double {
    switch map.shape {
    case .linear:
      // f = (s/S + 1)/2 with s = (X − W/2)·sin θ + (Y − H/2)·cos θ
      let s = (x - halfWidth) * sine + (y - halfHeight) * cosine
      return min(max((s / halfExtent + 1) / 2, 0), 1)
    case .radial:
      return distance(x: x, y: y)
    case .angular:
      return turn(x: x, y: y)
    case .spiral:
      // f = frac(angular + turns·radial)
      let sum = turn(x: x, y: y) + map.turns * distance(x: x, y: y)
      return sum - sum.rounded(.down)
    case .grid:
      let column = Self.cell(x * Double(map.columns) / (2 * halfWidth), of: map.columns)
      let row = Self.cell(y * Double(map.rows) / (2 * halfHeight), of: map.rows)
      return Double(row * map.columns + column) / Double(max(map.columns * map.rows - 1, 1))
    case .random:
      let side = Double(map.blockSize)
      return Self.random(
        column: UInt32((x / side).rounded(.down)), row: UInt32((y / side).rounded(.down)),
        seed: map.seed)
    }
  }

  /// The distance from the centre, as a part of that to the farthest corner.
  private func distance(x: Double, y: Double) -> Double {
    let dx = x - centerX
    let dy = y - centerY
    return min((dx * dx + dy * dy).squareRoot() / radius, 1)
  }

  /// The clockwise turn around the centre from 12 o'clock, as a part of a whole one.
  private func turn(x: Double, y: Double) -> Double {
    let turn = atan2(x - centerX, centerY - y) / (2 * .pi)
    return turn < 0 ? turn + 1 : turn
  }

  /// The whole number below `position`, within 0..<`count`.
  private static func cell(_ position: Double, of count: Int) -> Int {
    min(max(Int(position), 0), count - 1)
  }

  /// A random value of 0…1 for a block: SplitMix64 of its place and the seed, 32 bits of it.
  ///
  /// Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. Taken of the
  /// row, and again of that and the column, so that neighbours have nothing in common.
  private static func random(column: UInt32, row: UInt32, seed: UInt32) -> Double {
    func mixed(_ value: UInt64) -> UInt64 {
      var z = value &+ 0x9E37_79B9_7F4A_7C15
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    let value = mixed(mixed(UInt64(seed) << 32 | UInt64(row)) ^ UInt64(column))
    return Double(value >> 32) / Double(UInt32.max)
  }

  /// g at a point: f after `invert`, `gain`, `offset` and `edge`, 0…1.
  func value(x: Double, y: Double) -> Double {
    let f = shapeValue(x: x, y: y)
    let g = (map.invert ? 1 - f : f) * map.gain + map.offset
    if 0...1 ~= g { return g }
    switch map.edge {
    case .clamp:
      return g < 0 ? 0 : 1
    case .wrap:
      return g - g.rounded(.down)
    case .mirror:
      let folded = g - 2 * (g / 2).rounded(.down)
      return folded > 1 ? 2 - folded : folded
    }
  }
}
