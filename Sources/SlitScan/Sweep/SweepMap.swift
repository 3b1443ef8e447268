// When the slit of a sweep passes each cell, in the order of the tiles.

/// The map's value g of every cell, as a whole number of 2⁻³¹, for a plane cut into tiles.
///
/// Whole numbers compare as the values do: g ≤ p exactly if ``quantized(_:)`` of the two compare so
/// (but for values closer than 2⁻³¹ to each other).
struct SweepMap {
  /// What the map was made for, nil before the first time.
  private(set) var key: MapSettings?
  /// The smallest and the largest value of each line of a slot.
  private(set) var ranges: [ClosedRange<UInt32>] = []
  /// The value of each byte; 64 a line.
  private(set) var values: [UInt32] = []

  /// A value of 0…1 as a whole number.
  static func quantized(_ value: Double) -> UInt32 { UInt32(value * 2_147_483_648) }

  /// Computes the map anew, if it is not for `map` already.
  mutating func prepare(_ map: MapSettings, for tiles: TiledLayout) {
    guard map != key else { return }
    key = map
    ranges.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    ranges.reserveCapacity(tiles.lineCount)
    values.reserveCapacity(tiles.lineCount * TileLine.byteCount)
    let field = MapField(map, width: tiles.layout.width, height: tiles.layout.height)
    for grid in tiles.grids { append(grid, field: field) }
  }

  private mutating func append(_ grid: TileGrid, field: MapField) {
    var cells: [UInt32] = []
    grid.forEachTile { tileX, tileY in
      cells.removeAll(keepingCapacity: true)
      grid.forEachCell(tileX: tileX, tileY: tileY) { x, y in
        cells.append(Self.quantized(field.value(x: x, y: y)))
      }
      for line in 0..<grid.shape.lineCount {
        let firstByte = line * TileLine.byteCount
        var smallest = UInt32.max
        var largest: UInt32 = 0
        for byte in firstByte..<(firstByte + TileLine.byteCount) {
          let value = cells[byte / grid.shape.cellBytes]
          smallest = min(smallest, value)
          largest = max(largest, value)
          values.append(value)
        }
        ranges.append(smallest...largest)
      }
    }
  }
}
