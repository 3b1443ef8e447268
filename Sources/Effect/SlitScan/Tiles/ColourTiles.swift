// Colour tiles hold one colour in the byte order of each plane.

/// One tile of each plane, all of one colour.
package struct ColourTiles {
  /// The tiles, plane after plane.
  private var bytes: [UInt8] = []
  /// The start of each plane's tile.
  private var starts: [Int] = []
  /// The cell that each plane's tile is full of.
  private var cells: [[UInt8]] = []

  /// Black.
  ///
  /// - Parameter seeThrough: Whether alpha, where there is one, is 0 instead of full.
  package init(_ tiles: TiledLayout, seeThrough: Bool) {
    self.init(tiles) {
      $0.blackBytes(seeThrough: seeThrough, isBigEndian: tiles.layout.isBigEndian)
    }
  }

  /// A colour by the samples of its components in the layout's order; a component without one is
  /// black.
  package init(_ tiles: TiledLayout, samples: SIMD4<UInt16>) {
    let layout = tiles.layout
    let colours = layout.components.filter { $0.role != .padding }
    self.init(tiles) { component in
      guard let index = colours.firstIndex(of: component), index < 4 else {
        return component.blackBytes(seeThrough: false, isBigEndian: layout.isBigEndian)
      }
      return component.memoryBytes(of: samples[index], isBigEndian: layout.isBigEndian)
    }
  }

  private init(_ tiles: TiledLayout, _ sampleBytes: (FrameLayout.Component) -> SIMD2<UInt8>) {
    for (index, grid) in tiles.grids.enumerated() {
      var cell = [UInt8](repeating: 0, count: grid.shape.cellBytes)
      for component in tiles.layout.components where component.plane == index {
        let sample = sampleBytes(component)
        for start in stride(from: component.offset, to: cell.count, by: component.step) {
          for byte in 0..<component.bytes { cell[start + byte] = sample[byte] }
        }
      }
      starts.append(bytes.count)
      cells.append(cell)
      for byte in 0..<grid.shape.byteCount { bytes.append(cell[byte % cell.count]) }
    }
  }

  /// The bytes of one cell of a plane.
  package func cell(ofPlane plane: Int) -> [UInt8] { cells[plane] }

  /// Gives `body` each plane's tile, nil for planes that are not there.
  @unsafe
  func withUnsafeTiles(_ body: (InlineArray<4, UnsafePointer<UInt8>?>) -> Void) {
    unsafe bytes.span.withUnsafeBufferPointer { bytes in
      unsafe body(
        InlineArray { plane in
          guard plane < starts.count, let base = bytes.baseAddress else { return nil }
          return unsafe base + starts[plane]
        })
    }
  }
}

extension FrameLayout.Component {
  /// The bytes of a sample in a black frame, see ``memoryBytes(of:isBigEndian:)``.
  package func blackBytes(seeThrough: Bool, isBigEndian: Bool) -> SIMD2<UInt8> {
    memoryBytes(of: blackValue(seeThrough: seeThrough), isBigEndian: isBigEndian)
  }

  /// The value of a sample in a black frame.
  package func blackValue(seeThrough: Bool) -> UInt16 {
    role == .alpha && seeThrough ? 0 : black
  }

  /// The bytes of a sample in memory order; the second is unused for samples of one byte.
  func memoryBytes(of value: UInt16, isBigEndian: Bool) -> SIMD2<UInt8> {
    let low = UInt8(truncatingIfNeeded: value)
    let high = UInt8(truncatingIfNeeded: value >> 8)
    guard bytes == 2 else { return SIMD2(low, 0) }
    return isBigEndian ? SIMD2(high, low) : SIMD2(low, high)
  }
}
