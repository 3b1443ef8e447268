// A snapshot is a copy of the last output for the task that asked for it.

/// A frame in memory of its own, its planes without gaps between rows.
public struct Snapshot: Sendable {
  /// The layout of the bytes.
  public let layout: FrameLayout
  /// The planes' bytes, in the layout's order; a plane has `rowBytes × cellsHigh` of them.
  public let planes: [[UInt8]]

  /// Draws the last output of `scan` again; nil if there was none.
  ///
  /// The output went downstream with its buffer, so nothing is kept of it; history still holds what
  /// it was made from.
  init?(of scan: inout ScanCore<SystemMemory>) {
    guard let layout = scan.outputLayout else { return nil }
    func blank(_ plane: Int) -> [UInt8] {
      guard plane < layout.planes.count else { return [] }
      let plane = layout.planes[plane]
      return [UInt8](repeating: 0, count: plane.rowBytes * plane.cellsHigh)
    }
    var strides = SIMD4<Int>.zero
    for (index, plane) in layout.planes.enumerated() { strides[index] = plane.rowBytes }
    var plane0 = blank(0)
    var plane1 = blank(1)
    var plane2 = blank(2)
    var plane3 = blank(3)
    do throws(ScanError) {
      var span0 = plane0.mutableSpan
      var span1 = plane1.mutableSpan
      var span2 = plane2.mutableSpan
      var span3 = plane3.mutableSpan
      var frame = unsafe MutableFrameSpan(
        span0.mutableBytes, span1.mutableBytes, span2.mutableBytes, span3.mutableBytes,
        strides: strides)
      try scan.draw(into: &frame)
    } catch {
      return nil
    }
    self.layout = layout
    self.planes = Array([plane0, plane1, plane2, plane3].prefix(layout.planes.count))
  }
}
