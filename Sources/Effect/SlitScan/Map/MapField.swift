// The map field evaluates the formulas of the maps: a point of the frame in, its map value out.

import LibC

/// A map laid over a frame of a certain size.
///
/// Points are in pixels from the top left corner of the frame, so the centre of its first pixel is
/// (½, ½). All arithmetic is in `Double`; a value is kept as a `Float`.
struct MapField {
  private let settings: ScanSettings
  private let halfWidth: Double
  private let halfHeight: Double
  /// sin θ and cos θ of the linear map.
  let sine: Double
  let cosine: Double
  /// S, the greatest |s| in the frame: (W/2)·|sin θ| + (H/2)·|cos θ|.
  let halfExtent: Double
  let centerX: Double
  let centerY: Double
  /// The distance from the centre to the farthest corner.
  let radius: Double

  init(_ settings: ScanSettings, width: Int, height: Int) {
    self.settings = settings
    halfWidth = Double(width) / 2
    halfHeight = Double(height) / 2
    (sine, cosine) = Self.direction(degrees: settings.angle)
    halfExtent = halfWidth * abs(sine) + halfHeight * abs(cosine)
    centerX = settings.centerX * Double(width)
    centerY = settings.centerY * Double(height)
    let farX = max(abs(centerX), abs(Double(width) - centerX))
    let farY = max(abs(centerY), abs(Double(height) - centerY))
    radius = (farX * farX + farY * farY).squareRoot()
  }

  /// Sine and cosine of an angle, exact at quarter turns.
  ///
  /// Elsewhere the angle is taken as it is; for a quarter turn, sin π would be 1.2·10⁻¹⁶, and a line
  /// that should lie between two pixels would waver between them.
  static func direction(degrees: Double) -> (sine: Double, cosine: Double) {
    switch degrees.remainder(dividingBy: 360) {
    case 0: (0, 1)
    case 90: (1, 0)
    case -90: (-1, 0)
    case 180, -180: (0, -1)
    default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }
  }

  /// Fills in f of a plane's cells, row by row, from `start` on.
  func fill(_ memory: inout LineMemory, at start: Int, plane: FrameLayout.Plane) {
    var values = memory.mutableFloats
    guard start >= 0, values.count - start >= plane.cellCount else { return }
    let across = Double(plane.pixelsWide)
    for row in 0..<plane.cellsHigh {
      let y = (Double(row) + 0.5) * Double(plane.pixelsHigh)
      let first = start + row * plane.cellsWide
      switch settings.map {
      case .linear:
        // f = (s/S + 1)/2 with s = (X − W/2)·sin θ + (Y − H/2)·cos θ
        Kernels.linear(
          from: across / 2 - halfWidth, step: across, slope: sine / (2 * halfExtent),
          constant: (y - halfHeight) * cosine / (2 * halfExtent) + 0.5, into: &values, at: first,
          count: plane.cellsWide)
      case .radial:
        // f is the distance from the centre, as a part of that to the farthest corner.
        Kernels.radial(
          from: across / 2 - centerX, step: across, y: y - centerY, scale: 1 / radius,
          into: &values, at: first, count: plane.cellsWide)
      case .angular, .spiral:
        // f is the turn around the centre; a spiral's, plus turns times the radial f.
        Kernels.turns(
          from: across / 2 - centerX, step: across, y: y - centerY, scale: 1 / radius,
          turns: settings.map == .spiral ? settings.turns : 0, into: &values, at: first,
          count: plane.cellsWide)
      case .grid: fillGrid(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .random: fillRandom(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .image, .luma, .motion, .live:
        for column in 0..<plane.cellsWide { values[first + column] = 0 }
      }
    }
  }

  /// Rectangles in reading order, one value each.
  private func fillGrid(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let row = Self.cell(y * Double(settings.rows) / (2 * halfHeight), of: settings.rows)
    let last = Double(max(settings.columns * settings.rows - 1, 1))
    for column in 0..<count {
      let x = (Double(column) + 0.5) * across
      let place = Self.cell(x * Double(settings.columns) / (2 * halfWidth), of: settings.columns)
      values[start + column] = Float(Double(row * settings.columns + place) / last)
    }
  }

  /// Square blocks, a random value each.
  private func fillRandom(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let side = Double(settings.blockSize)
    let row = UInt32(y / side)
    var block = UInt32.max
    var value: Float = 0
    for column in 0..<count {
      let next = UInt32((Double(column) + 0.5) * across / side)
      if next != block {
        block = next
        value = Float(Self.random(column: block, row: row, seed: UInt32(clamping: settings.seed)))
      }
      values[start + column] = value
    }
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
}
