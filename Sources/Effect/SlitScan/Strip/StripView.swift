// The strip view is the perspective in which a canvas is seen: walls that lead to a vanishing point, or rings.

import CSlitScanKernels

/// A perspective, in pixels of the output.
package struct StripView {
  /// The walls of a corridor, 0 for a tunnel.
  package let walls: Int
  /// The vanishing point.
  package let x: Float
  package let y: Float
  package let width: Float
  package let height: Float
  /// Lines from the viewer to the border of the frame, which is at distance 1.
  package let depth: Float

  /// The perspective that settings ask for, in frames of a layout.
  package init(_ settings: ScanSettings, of layout: FrameLayout) {
    walls =
      switch (settings.canvas, settings.walls) {
      case (.tunnel, _): 0
      case (_, .sides): 2
      case (_, .floor): 1
      case (_, .all): 4
      }
    width = Float(layout.width)
    height = Float(layout.height)
    x = Float(settings.vanishingX * Double(layout.width))
    y = Float(settings.vanishingY * Double(layout.height))
    depth = Float(settings.canvasDepth)
  }
}

extension StripView {
  /// The perspective as the kernel knows it.
  var values: SlitScanView {
    SlitScanView(walls: Int32(walls), x: x, y: y, width: width, height: height, depth: depth)
  }
}

extension StripCanvas {
  /// Draws the canvas as the settings ask for.
  ///
  /// - Parameter warmup: What is shown for lines that the canvas does not have.
  /// - Throws: ``ScanError`` when there is no memory; nothing is drawn then.
  mutating func draw(
    _ settings: ScanSettings, warmup: ScanSettings.Warmup, into frame: inout MutableFrameSpan,
    workers: borrowing Workers
  ) throws(ScanError) {
    switch settings.canvas {
    case .scroll, .wrap:
      render(into: &frame, scrolls: settings.canvas == .scroll, warmup: warmup)
    case .corridor, .tunnel:
      try render(StripView(settings, of: output), into: &frame, warmup: warmup, workers: workers)
    }
  }

  /// Draws the canvas in perspective.
  ///
  /// - Parameter warmup: What is shown for lines that the canvas does not have.
  /// - Throws: ``ScanError`` when there is no memory; nothing is drawn then.
  private mutating func render(
    _ view: StripView, into frame: inout MutableFrameSpan, warmup: ScanSettings.Warmup,
    workers: borrowing Workers
  ) throws(ScanError) {
    let points = ring.axis == .rightwards ? output.height : output.width
    let bytes = Kernels.viewSums(points: points, workers: workers) * MemoryLayout<Float>.size
    guard scratch.grow(to: bytes) else { throw .refused(bytes, for: "the canvas in perspective") }
    // On its own, to be written to while the sheets are read.
    var scratch = LineMemory()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    for sheet in sheets {
      var sums = scratch.mutableFloats
      frame.withPlane(sheet.component.plane) { rows, stride in
        Kernels.draw(
          sheet, of: memory.bytes, ring, sums: &sums, shownAs: output, view.values,
          warmup: warmup, into: &rows, stride: stride, workers: workers)
      }
    }
  }
}
