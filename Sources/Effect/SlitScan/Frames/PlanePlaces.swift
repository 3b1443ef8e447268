// The places of a frame's planes in one buffer.

/// The bytes of each plane of a frame, as ranges of one buffer; empty for planes that are not there.
struct PlanePlaces {
  /// The bytes from one row of each plane to the next.
  private(set) var strides = InlineArray<4, Int>(repeating: 0)
  private var starts = SIMD4<Int>.zero
  private var ends = SIMD4<Int>.zero

  /// Places in a buffer of `byteCount` bytes; without `strides`, rows have no gaps, and without `offsets`, planes.
  ///
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  init(
    of layout: FrameLayout, strides: [Int]?, offsets: [Int]?, byteCount: Int
  ) throws(ScanError) {
    let planes = layout.planes
    for count in [strides?.count, offsets?.count] where count ?? planes.count != planes.count {
      throw ScanError(
        .frameTooSmall,
        "A frame of this layout has \(planes.count) planes: give a stride and an offset for each, or none."
      )
    }
    var next = 0
    for (index, plane) in planes.enumerated() {
      let stride = strides?[index] ?? plane.rowBytes
      let start = offsets?[index] ?? next
      guard start >= 0, let size = plane.byteCount(stride: stride), size <= byteCount,
        start <= byteCount - size
      else {
        throw ScanError(
          .frameTooSmall,
          "Plane \(index) has \(plane.cellsHigh) rows of \(plane.rowBytes) bytes. With a stride of \(stride), from "
            + "byte \(start) on, they do not fit into a buffer of \(byteCount) bytes. Give a larger buffer, or "
            + "the strides and offsets that the frame has.")
      }
      self.strides[index] = stride
      starts[index] = start
      ends[index] = start + size
      let (end, isBeyondAll) = ends[index].addingReportingOverflow(stride - plane.rowBytes)
      next = isBeyondAll ? .max : end
    }
  }

  /// Checks that no byte belongs to two planes.
  ///
  /// - Throws: ``ScanError/Code/frameTooSmall``.
  func requireNoOverlap() throws(ScanError) {
    for plane in 1..<4 {
      for other in 0..<plane where starts[plane] < ends[other] && starts[other] < ends[plane] {
        throw ScanError(
          .frameTooSmall,
          "Planes \(other) and \(plane) overlap: they take bytes \(starts[other]) to \(ends[other] - 1) and "
            + "\(starts[plane]) to \(ends[plane] - 1). Give each plane bytes of its own to draw into."
        )
      }
    }
  }

  /// The bytes of a plane.
  @_lifetime(copy bytes)
  func span(_ plane: Int, of bytes: Span<UInt8>) -> RawSpan {
    unsafe bytes.extracting(starts[plane]..<ends[plane]).bytes
  }

  /// The bytes of a plane, to draw into.
  @_lifetime(copy bytes)
  func mutableSpan(_ plane: Int, of bytes: inout MutableSpan<UInt8>) -> MutableRawSpan {
    let range = starts[plane]..<ends[plane]
    guard !range.isEmpty else { return MutableRawSpan() }
    // Planes do not overlap, so each is the only one that writes into its bytes.
    let start = unsafe bytes.withUnsafeMutableBufferPointer { $0.baseAddress }
    guard let start = unsafe start else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(_unsafeStart: start + range.lowerBound, byteCount: range.count)
    return unsafe _overrideLifetime(span, copying: bytes)
  }
}

extension FrameLayout.Plane {
  /// The bytes from the first sample to the last; nil where rows do not fit into their stride, or no buffer is
  /// that long.
  func byteCount(stride: Int) -> Int? {
    let (rows, rowsOverflow) = stride.multipliedReportingOverflow(by: cellsHigh - 1)
    let (sum, sumOverflow) = rows.addingReportingOverflow(rowBytes)
    return stride < rowBytes || rowsOverflow || sumOverflow ? nil : sum
  }
}
