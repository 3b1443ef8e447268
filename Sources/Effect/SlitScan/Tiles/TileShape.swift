// The tile shape: the width and height of a tile for each cell size.

/// The shape of a tile: rows of cells that fill one cache line of 64 bytes, or three.
///
/// | cell | tile | lines |
/// |---|---|---|
/// | 1 byte | 8×8 cells | 1 |
/// | 2 bytes | 8×4 | 1 |
/// | 3 bytes | 8×8 | 3 |
/// | 4 bytes | 4×4 | 1 |
/// | 8 bytes | 4×2 | 1 |
struct TileShape: Sendable, Equatable {
  /// Bytes of a cell.
  let cellBytes: Int
  /// Cells across.
  let cellsWide: Int
  /// Rows of cells.
  let rows: Int

  /// The shape for cells of `cellBytes`, nil if no format has such.
  init?(cellBytes: Int) {
    self.cellBytes = cellBytes
    switch cellBytes {
    case 1: (cellsWide, rows) = (8, 8)
    case 2: (cellsWide, rows) = (8, 4)
    case 3: (cellsWide, rows) = (8, 8)
    case 4: (cellsWide, rows) = (4, 4)
    case 8: (cellsWide, rows) = (4, 2)
    default: return nil
    }
  }

  /// Bytes of a row of the tile: 8, 16, 24 or 32.
  var rowBytes: Int { cellsWide * cellBytes }
  /// Bytes of the tile.
  var byteCount: Int { rowBytes * rows }
  /// Cache lines of the tile: 1 or 3.
  var lineCount: Int { byteCount / TileLine.byteCount }
}
