// Black, or nothing, in the byte order of each plane.

/// One tile of each plane, black or see-through.
struct BlackTiles {
  /// The tiles' lines, plane after plane.
  private var lines: [TileLine] = []
  /// Where each plane's tile starts.
  private var starts: [Int] = []

  /// - Parameter seeThrough: Whether alpha, where there is one, is 0 instead of full.
  init(_ tiles: TiledLayout, seeThrough: Bool) {
    for (index, grid) in tiles.grids.enumerated() {
      var cell = [UInt8](repeating: 0, count: grid.shape.cellBytes)
      for component in tiles.layout.components where component.plane == index {
        let sample = component.blackBytes(
          seeThrough: seeThrough, isBigEndian: tiles.layout.isBigEndian)
        for start in stride(from: component.offset, to: cell.count, by: component.step) {
          for byte in 0..<component.bytes { cell[start + byte] = sample[byte] }
        }
      }
      starts.append(lines.count)
      for line in 0..<grid.shape.lineCount {
        lines.append(TileLine { cell[(line * TileLine.byteCount + $0) % cell.count] })
      }
    }
  }

  /// A line of a plane's tile.
  func line(_ line: Int, ofPlane plane: Int) -> TileLine { lines[starts[plane] + line] }
}

extension FrameLayout.Component {
  /// The bytes of a sample in a black picture, in memory order; the second is unused for samples of
  /// one byte.
  func blackBytes(seeThrough: Bool, isBigEndian: Bool) -> SIMD2<UInt8> {
    let value = role == .alpha && seeThrough ? 0 : black
    let low = UInt8(truncatingIfNeeded: value)
    let high = UInt8(truncatingIfNeeded: value >> 8)
    guard bytes == 2 else { return SIMD2(low, 0) }
    return isBigEndian ? SIMD2(high, low) : SIMD2(low, high)
  }
}
