// The map curve turns shape values f into map values g by invert, gain, offset and edge.

import CSlitScanKernels

extension SlitScanCurve {
  /// The curve by which `map` changes the values of its shape.
  package init(_ settings: ScanSettings) {
    let edge =
      switch settings.edge {
      case .clamp: SLIT_SCAN_CURVE_CLAMP
      case .wrap: SLIT_SCAN_CURVE_WRAP
      case .mirror: SLIT_SCAN_CURVE_MIRROR
      }
    self.init(
      inverts: settings.invert, gain: Float(settings.gain), offset: Float(settings.offset),
      edge: Int32(edge))
  }
}

extension ScanSettings {
  /// The value of f, before the curve, at which the slit of a strip lies.
  package var slitPosition: Double { invert ? 1 - position : position }
}

/// g of a few rows of cells, filled up to whole tiles.
///
/// Beyond the frame the last column and row go on, so that unseen cells do not widen the range
/// of a tile's values.
package struct CurvedRows {
  /// Values from one row to the next.
  private(set) var stride = 0
  /// The rows, one after another.
  package private(set) var values: [Float] = []

  /// No rows yet.
  package init() {}

  /// Brings in g of `rowCount` rows from row `first` of a plane on.
  package mutating func load(
    _ first: Int, count rowCount: Int, of plane: FrameLayout.Plane, cellsWide: Int,
    from surface: Span<Float>, curve: SlitScanCurve
  ) {
    stride = max(cellsWide, plane.cellsWide)
    if values.count < stride * rowCount {
      values = [Float](repeating: 0, count: stride * rowCount)
    }
    let stride = stride
    var values = values.mutableSpan
    for row in 0..<rowCount {
      let cellY = min(max(first + row, 0), plane.cellsHigh - 1)
      let source = surface.extracting(
        (cellY * plane.cellsWide)..<((cellY + 1) * plane.cellsWide))
      let start = row * stride
      Kernels.bend(source, into: &values, at: start, curve: curve)
      let last = values[start + plane.cellsWide - 1]
      for cell in plane.cellsWide..<stride { values[start + cell] = last }
    }
  }
}
