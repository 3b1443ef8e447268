// The sweep line is drawn over the output to show where the slit of a sweep is.

import CSlitScanKernels

/// A line of a colour over the cells within half its width of the slit, as far as the slope of the map
/// tells.
struct SweepLine {
  private let tiles: TiledLayout
  private let colour: ColourTiles
  private let weight: UInt32
  private let halfWidth: Double
  private let position: Float
  private let curve: SlitScanCurve

  init(_ tiles: TiledLayout, settings: ScanSettings, position: Float) {
    self.tiles = tiles
    colour = ColourTiles(tiles, samples: settings.lineSamples)
    weight = UInt32((Double(settings.lineColor >> 24) / 255 * 65_536).rounded())
    halfWidth = settings.lineWidth / 2
    self.position = position
    curve = SlitScanCurve(settings)
  }

  /// Draws the line over the video.
  func draw(
    into frame: inout MutableFrameSpan, surfaces: borrowing MapSurfaces, rows: inout CurvedRows
  ) {
    var mask = [UInt8](repeating: 0, count: tiles.grids.map(\.plane.cellsWide).max() ?? 0)
    for (index, grid) in tiles.grids.enumerated() {
      let plane = grid.plane
      guard surfaces.values(of: plane).count >= plane.cellsWide * plane.cellsHigh else { continue }
      let samples = SlitScanSamples(plane, isBigEndian: tiles.layout.isBigEndian)
      let cell = colour.cell(ofPlane: index)
      for row in 0..<plane.cellsHigh {
        rows.load(
          row - 1, count: 3, of: plane, cellsWide: plane.cellsWide,
          from: surfaces.values(of: plane), curve: curve)
        var marks = mask.mutableSpan
        Kernels.lineCells(
          of: rows.values.span, stride: rows.stride, hasAbove: row > 0,
          hasBelow: row + 1 < plane.cellsHigh, count: plane.cellsWide, position: position,
          halfAcross: Float(halfWidth / Double(plane.pixelsWide)),
          halfDown: Float(halfWidth / Double(plane.pixelsHigh)), into: &marks)
        frame.withPlane(index) { bytes, stride in
          for column in 0..<plane.cellsWide where mask[column] != 0 {
            // The last cell of a row may have fewer pixels than others.
            let start = column * plane.cellBytes
            unsafe Kernels.blend(
              &bytes, at: row * stride + start, with: cell.span.bytes, at: 0,
              byteCount: min(plane.cellBytes, plane.rowBytes - start), weight: weight,
              samples: samples, rounding: .nearest)
          }
        }
      }
    }
  }
}
