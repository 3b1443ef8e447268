// The map image sampler scales an image of any size to the cells of a plane.

import CSlitScanKernels

/// Reads the values of a raster at the cells of a plane, between its own by bilinear interpolation.
///
/// Each row of the raster is first read at the columns that are wanted, and then rows are blended, so
/// that a small map costs little.
struct MapImageSampler {
  private var taps: [SlitScanTap] = []
  /// The key that the taps were made for.
  private var tapsKey: TapsKey?
  /// Whether the columns are the raster's own, or lie between each two of them: the common cases,
  /// for which there are faster ways.
  private var isSame = false
  private var isHalf = false
  /// The last two rows of the raster, read at the taps, and which rows they are.
  private var rows: [Float] = []
  private var held = (first: -1, second: -1)
  /// The values of one row of the raster.
  private var line: [Float] = []

  private struct TapsKey: Equatable {
    var sourceWidth: Int
    var cellsWide: Int
    var pixelsWide: Int
    var width: Int
  }

  init() {}

  /// Fills in a plane's values from `start` on; 0 where there is no image.
  mutating func fill(
    _ memory: inout LineMemory, at start: Int, plane: FrameLayout.Plane,
    from raster: borrowing Raster, layout: FrameLayout
  ) {
    var values = memory.mutableFloats
    guard !raster.isEmpty else {
      for index in start..<(start + plane.cellCount) { values[index] = 0 }
      return
    }
    prepareTaps(plane, width: layout.width, sourceWidth: raster.width)
    held = (-1, -1)
    let step = Double(plane.pixelsHigh) * Double(raster.height) / Double(layout.height)
    for row in 0..<plane.cellsHigh {
      let tap = SlitScanTap(cell: row, step: step, count: raster.height)
      let upper = Int(tap.left)
      let lower = min(upper + 1, raster.height - 1)
      if isSame, tap.weight == 0 {
        raster.read(row: upper, into: &values, at: start + row * plane.cellsWide)
        continue
      }
      let (first, second) = hold(upper, lower, of: raster, count: plane.cellsWide)
      let rows = rows.span
      Kernels.between(
        rows.extracting(first..<(first + plane.cellsWide)),
        rows.extracting(second..<(second + plane.cellsWide)), weight: tap.weight,
        into: &values, at: start + row * plane.cellsWide)
    }
  }

  /// Brings in two rows, if they are not there; says where they start in `rows`.
  private mutating func hold(
    _ upper: Int, _ lower: Int, of raster: borrowing Raster, count: Int
  ) -> (Int, Int) {
    let first = place(upper, keeping: lower, of: raster, count: count)
    let second = place(lower, keeping: upper, of: raster, count: count)
    return (first, second)
  }

  private mutating func place(
    _ row: Int, keeping other: Int, of raster: borrowing Raster, count: Int
  ) -> Int {
    if held.first == row { return 0 }
    if held.second == row { return count }
    let start = held.first == other ? count : 0
    if isHalf {
      var rows = rows.mutableSpan
      raster.halve(row: row, into: &rows, at: start, count: count)
    } else {
      var values = line.mutableSpan
      raster.read(row: row, into: &values, at: 0)
      let (line, taps) = (line, taps)
      var rows = rows.mutableSpan
      Kernels.sample(line.span, at: taps.span, into: &rows, at: start)
    }
    if start == 0 { held.first = row } else { held.second = row }
    return start
  }

  private mutating func prepareTaps(
    _ plane: FrameLayout.Plane, width: Int, sourceWidth: Int
  ) {
    let key = TapsKey(
      sourceWidth: sourceWidth, cellsWide: plane.cellsWide, pixelsWide: plane.pixelsWide,
      width: width)
    guard key != tapsKey else { return }
    tapsKey = key
    let step = Double(plane.pixelsWide) * Double(sourceWidth) / Double(width)
    taps.removeAll(keepingCapacity: true)
    for column in 0..<plane.cellsWide {
      taps.append(SlitScanTap(cell: column, step: step, count: sourceWidth))
    }
    isSame = step == 1 && plane.cellsWide == sourceWidth
    isHalf = step == 2 && 2 * plane.cellsWide == sourceWidth
    if line.count != sourceWidth { line = [Float](repeating: 0, count: sourceWidth) }
    if rows.count < 2 * plane.cellsWide {
      rows = [Float](repeating: 0, count: 2 * plane.cellsWide)
    }
  }
}

extension SlitScanTap {
  /// The place of a cell's centre among `count` values of an image, `step` of which are from one cell to the
  /// next.
  package init(cell: Int, step: Double, count: Int) {
    let place = min(max((Double(cell) + 0.5) * step - 0.5, 0), Double(count - 1))
    self.init(left: Int32(place), weight: Float(place - place.rounded(.down)))
  }
}
