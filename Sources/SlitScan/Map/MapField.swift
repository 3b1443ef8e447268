// The formulas of the maps: a point of the picture in, the slit's time for it out.

import Glibc

/// A map laid over a picture of a certain size.
///
/// Points are in pixels from the top left corner of the picture, so the centre of its first pixel is
/// (½, ½). All arithmetic is in `Double`; a value is kept as a `Float`.
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

  /// Fills in f of a plane's cells, row by row, from `start` on.
  func fill(_ memory: inout LineMemory, at start: Int, plane: FrameLayout.Plane) {
    var values = memory.mutableFloats
    guard start >= 0, values.count - start >= plane.cellCount else { return }
    let across = Double(plane.pixelsWide)
    for row in 0..<plane.cellsHigh {
      let y = (Double(row) + 0.5) * Double(plane.pixelsHigh)
      let first = start + row * plane.cellsWide
      switch map.shape {
      case .linear: fillLinear(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .radial: fillRadial(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .angular:
        fillTurns(
          &values, at: first, count: plane.cellsWide, across: across, y: y, perRadius: 0)
      case .spiral:
        fillTurns(
          &values, at: first, count: plane.cellsWide, across: across, y: y, perRadius: map.turns)
      case .grid: fillGrid(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .random: fillRandom(&values, at: first, count: plane.cellsWide, across: across, y: y)
      case .image, .luma, .motion, .live:
        for column in 0..<plane.cellsWide { values[first + column] = 0 }
      }
    }
  }

  // MARK: A row of each shape

  /// f = (s/S + 1)/2 with s = (X − W/2)·sin θ + (Y − H/2)·cos θ.
  private func fillLinear(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let down = (y - halfHeight) * cosine
    for column in 0..<count {
      let x = (Double(column) + 0.5) * across
      let s = (x - halfWidth) * sine + down
      values[start + column] = Float(Self.withinOne((s / halfExtent + 1) / 2))
    }
  }

  /// f is the distance from the centre, as a part of that to the farthest corner.
  private func fillRadial(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let squaredDown = (y - centerY) * (y - centerY)
    for column in 0..<count {
      let dx = (Double(column) + 0.5) * across - centerX
      values[start + column] = Float(
        Self.withinOne((dx * dx + squaredDown).squareRoot() / radius))
    }
  }

  /// f is the clockwise turn around the centre from 12 o'clock, as a part of a whole one, and
  /// `perRadius` turns more from the centre to the farthest corner; its fraction counts.
  private func fillTurns(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double,
    perRadius: Double
  ) {
    let dy = y - centerY
    for column in 0..<count {
      let dx = (Double(column) + 0.5) * across - centerX
      var turn = Self.turn(dx, dy)
      if perRadius != 0 {
        turn += perRadius * Self.withinOne((dx * dx + dy * dy).squareRoot() / radius)
        turn -= Double(Int32(turn))
        turn = turn < 0 ? turn + 1 : turn
      }
      values[start + column] = Float(turn)
    }
  }

  /// Rectangles in reading order, one value each.
  private func fillGrid(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let row = Self.cell(y * Double(map.rows) / (2 * halfHeight), of: map.rows)
    let last = Double(max(map.columns * map.rows - 1, 1))
    for column in 0..<count {
      let x = (Double(column) + 0.5) * across
      let place = Self.cell(x * Double(map.columns) / (2 * halfWidth), of: map.columns)
      values[start + column] = Float(Double(row * map.columns + place) / last)
    }
  }

  /// Square blocks, a random value each.
  private func fillRandom(
    _ values: inout MutableSpan<Float>, at start: Int, count: Int, across: Double, y: Double
  ) {
    let side = Double(map.blockSize)
    let row = UInt32(y / side)
    var block = UInt32.max
    var value: Float = 0
    for column in 0..<count {
      let next = UInt32((Double(column) + 0.5) * across / side)
      if next != block {
        block = next
        value = Float(Self.random(column: block, row: row, seed: map.seed))
      }
      values[start + column] = value
    }
  }

  // MARK: Parts of the formulas

  @inline(__always)
  private static func withinOne(_ value: Double) -> Double {
    let least = value < 0 ? 0 : value
    return least > 1 ? 1 : least
  }

  /// The clockwise turn from 12 o'clock of a direction, as a part of a whole one; 0 for none.
  ///
  /// The arc tangent of 0…1 is a polynomial fitted at Chebyshev's nodes, within 4·10⁻¹¹ of a turn: a
  /// hundred times nearer than the value is kept, and many times faster than the library's.
  @inline(__always)
  private static func turn(_ dx: Double, _ dy: Double) -> Double {
    let ax = dx < 0 ? -dx : dx
    let ay = dy < 0 ? -dy : dy
    let longer = ax > ay ? ax : ay
    let shorter = ax > ay ? ay : ax
    let z = shorter / (longer > 0 ? longer : 1)
    let u = z * z
    var sum = 0.001057607174681669
    sum = sum * u - 0.007030668149871582
    sum = sum * u + 0.02191294303867669
    sum = sum * u - 0.043928407362148966
    sum = sum * u + 0.06685281272740956
    sum = sum * u - 0.08785043170557441
    sum = sum * u + 0.11050771244156139
    sum = sum * u - 0.14278576019471825
    sum = sum * u + 0.19999558099881345
    sum = sum * u - 0.33333322488892886
    sum = sum * u + 0.999999999553536
    let eighth = z * sum * (0.5 / Double.pi)
    // From the nearest of the four axes to 12 o'clock, eighth by eighth.
    let quarter = ax > ay ? 0.25 - eighth : eighth
    let half = dy > 0 ? 0.5 - quarter : quarter
    return dx < 0 && half > 0 ? 1 - half : half
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
