// The reference's `map-smoothing`: a Gaussian as three passes of an extended box (Gwosdek, Grewenig, Bruhn, Weickert
// 2011).

/// A box whose ends count for less than its middle.
struct ExtendedBox {
  /// Cells on each side with the full weight.
  private let radius: Int
  /// Weight of the cell after these.
  private let endWeight: Double

  /// A third of a Gaussian of this standard deviation, cells.
  init(deviation: Double) {
    let v = deviation * deviation / 3
    let r = (((12 * v + 1).squareRoot() - 1) / 2).rounded(.down)
    radius = Int(r)
    endWeight = (2 * r + 1) * (r * (r + 1) - 3 * v) / (6 * (v - (r + 1) * (r + 1)))
  }

  /// A row of cells, smoothed three times; the ones at the border go on beyond it.
  func smoothed(_ cells: [Double]) -> [Double] {
    (0..<3).reduce(cells) { cells, _ in
      cells.indices.map { middle in
        var sum = 0.0
        for distance in -radius - 1...radius + 1 {
          let weight = abs(distance) <= radius ? 1 : endWeight
          sum += weight * cells[min(max(middle + distance, 0), cells.count - 1)]
        }
        return sum / (Double(2 * radius + 1) + 2 * endWeight)
      }
    }
  }

  /// A grid of cells, smoothed across, then down.
  static func smoothed(
    _ cells: [Double], columns: Int, across: ExtendedBox, down: ExtendedBox
  ) -> [Double] {
    let rows = cells.count / columns
    let wide = (0..<rows).map { across.smoothed(Array(cells[$0 * columns..<($0 + 1) * columns])) }
    let lines = (0..<columns).map { column in down.smoothed(wide.map { $0[column] }) }
    return (0..<rows).flatMap { row in lines.map { $0[row] } }
  }
}
