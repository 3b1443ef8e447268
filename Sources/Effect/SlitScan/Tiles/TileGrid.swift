// The tile grid divides a plane into tiles and locates its pixels in them.

import CSlitScanKernels

/// The tiles of one plane, in reading order, and where they start in a slot.
///
/// A slot holds all planes of a frame as cache lines, one plane after another.
struct TileGrid: Sendable {
  /// The plane.
  let plane: FrameLayout.Plane
  /// The shape of its tiles.
  let shape: TileShape
  /// The number of the plane's first line in a slot.
  let firstLine: Int
  /// The number of the plane's first row in a frame.
  let firstRow: Int
  /// Tiles in a row of tiles.
  let tilesWide: Int
  /// Rows of tiles.
  let tilesHigh: Int

  init?(_ plane: FrameLayout.Plane, firstLine: Int, firstRow: Int = 0) {
    guard let shape = TileShape(cellBytes: plane.cellBytes) else { return nil }
    self.plane = plane
    self.shape = shape
    self.firstLine = firstLine
    self.firstRow = firstRow
    tilesWide = (plane.cellsWide + shape.cellsWide - 1) / shape.cellsWide
    tilesHigh = (plane.cellsHigh + shape.rows - 1) / shape.rows
  }

  /// The grid as the kernels know it.
  var tiling: SlitScanTiling {
    SlitScanTiling(
      row_bytes: Int32(shape.rowBytes), rows: Int32(shape.rows), tiles_wide: tilesWide,
      tiles_high: tilesHigh, plane_row_bytes: plane.rowBytes, plane_rows: plane.cellsHigh,
      first_line: firstLine, first_row: firstRow)
  }

  /// Lines of the plane.
  var lineCount: Int { tilesWide * tilesHigh * shape.lineCount }

  /// Lines that a row of the plane takes by itself, as far as its tiles go.
  var rowLineCount: Int {
    (tilesWide * shape.rowBytes + TileLine.byteCount - 1) / TileLine.byteCount
  }

  /// The number in a slot of the first line of a tile.
  @inline(__always)
  func line(tileX: Int, tileY: Int) -> Int {
    firstLine + (tileY * tilesWide + tileX) * shape.lineCount
  }

  /// The offset in a slot of a byte of a row.
  func offset(ofByte byte: Int, row: Int) -> Int {
    line(tileX: byte / shape.rowBytes, tileY: row / shape.rows) * TileLine.byteCount
      + row % shape.rows * shape.rowBytes + byte % shape.rowBytes
  }

  /// Appends the numbers of the plane's lines in a slot, in the order in which the kernels draw them.
  func listDrawnLines(in lines: inout [Int]) {
    // As many tiles as make whole lines of output.
    let width = max(1, TileLine.byteCount / shape.rowBytes)
    let height = shape.lineCount == 1 ? Int(SLIT_SCAN_BAND) : 1
    for top in stride(from: 0, to: tilesHigh, by: height) {
      for left in stride(from: 0, to: tilesWide, by: width) {
        for tileY in top..<min(top + height, tilesHigh) {
          let end = line(tileX: min(left + width, tilesWide), tileY: tileY)
          lines.append(contentsOf: line(tileX: left, tileY: tileY)..<end)
        }
      }
    }
  }
}

/// All planes of a layout, cut into tiles.
package final class TiledLayout: Sendable {
  /// The layout.
  package let layout: FrameLayout
  /// The grids, one for each plane.
  let grids: [TileGrid]
  /// Lines of a whole frame.
  let lineCount: Int
  /// Rows of all planes.
  let rowCount: Int
  /// The pixels of the frame, as the plane that they would make.
  package let pixelPlane: FrameLayout.Plane
  /// For each plane and each byte of its cells, its part of `component-spread`.
  package let spreadShares: [[Double]]

  package init(_ layout: FrameLayout) {
    self.layout = layout
    pixelPlane = FrameLayout.Plane(
      cellBytes: 1, cellsWide: layout.width, cellsHigh: layout.height, pixelsWide: 1,
      pixelsHigh: 1, sampleBytes: 1, unusedBits: 0, rowBytes: layout.width)
    var grids: [TileGrid] = []
    var lineCount = 0
    var rowCount = 0
    for plane in layout.planes {
      guard let grid = TileGrid(plane, firstLine: lineCount, firstRow: rowCount) else { continue }
      grids.append(grid)
      lineCount += grid.lineCount
      rowCount += plane.cellsHigh
    }
    self.grids = grids
    self.lineCount = lineCount
    self.rowCount = rowCount
    spreadShares = grids.indices.map { plane in
      (0..<grids[plane].shape.cellBytes).map { layout.spreadShare(ofByte: $0, plane: plane) }
    }
  }

  /// The lines of a frame in the order in which they are drawn.
  var drawnLines: [Int] {
    var lines: [Int] = []
    lines.reserveCapacity(lineCount)
    for grid in grids { grid.listDrawnLines(in: &lines) }
    return lines
  }

  /// Bytes of a whole frame in tiles.
  var byteCount: Int { lineCount * TileLine.byteCount }
}

extension FrameLayout {
  /// The part of `component-spread` that a byte of a plane's cells gets: c/(C − 1) for component c of
  /// C, alpha not counted; nothing for alpha and for bytes of no component.
  fileprivate func spreadShare(ofByte byte: Int, plane: Int) -> Double {
    let colours = components.filter { $0.role == .colour }
    guard colours.count > 1 else { return 0 }
    let owner = colours.firstIndex { component in
      component.plane == plane && byte >= component.offset
        && (byte - component.offset) % component.step < component.bytes
    }
    return owner.map { Double($0) / Double(colours.count - 1) } ?? 0
  }
}
