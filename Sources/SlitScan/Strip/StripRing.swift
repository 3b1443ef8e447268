// The strip ring decides where on the canvas of a strip lines go. A value, tested without frames.

/// The lines of a canvas, as a ring.
package struct StripRing {
  /// Lines of the canvas.
  package let lineCount: Int
  /// The line that the next frame's first line goes to.
  private var next = 0
  /// Lines drawn since the start, at most as many as there are.
  private var drawn = 0

  /// An empty canvas.
  package init(lineCount: Int) { self.lineCount = lineCount }

  /// The place of a line of the next frame.
  package func place(ofLine line: Int) -> Int { (next + line) % lineCount }

  /// Goes on by the lines of a frame; more than there are would draw over each other.
  ///
  /// - Returns: Whether the canvas has become full with them.
  package mutating func append(_ count: Int) -> Bool {
    let lines = min(count, lineCount)
    next = (next + lines) % lineCount
    let before = drawn
    drawn = min(drawn + lines, lineCount)
    // A canvas is full again each time the ring has gone round.
    return drawn == lineCount && (before < lineCount || next < lines)
  }

  /// The line that the frame begins with.
  ///
  /// - Parameter scrolls: Whether the newest line is at the far end, instead of where it was drawn.
  package func first(scrolls: Bool) -> Int { scrolls ? next : 0 }
}

extension FrameLayout {
  /// Lines of a canvas of this layout that grows along `axis`.
  package func lineCount(along axis: StripAxis) -> Int { axis == .rightwards ? width : height }

  /// The samples of a component's canvas, which has a line for each pixel along the growth.
  package func sheetSize(
    _ component: Component, along axis: StripAxis
  ) -> (width: Int, height: Int) {
    axis == .rightwards ? (width, samplesHigh(component)) : (samplesWide(component), height)
  }
}
