// The strip ring decides where lines of a strip are kept and shown. A value, tested without frames.

/// The newest lines of a canvas, as a ring.
///
/// Where memory allows fewer lines than the canvas has, those before them are empty.
package struct StripRing {
  /// Lines of the canvas.
  package let lineCount: Int
  /// The newest of them that are kept, at least one.
  package let keptCount: Int
  /// The line of the canvas that the next frame's first line goes to.
  private var next = 0
  /// The place at which the next line is kept.
  private var nextPlace = 0
  /// Lines drawn since the start, at most as many as there are.
  private var drawn = 0

  /// An empty canvas.
  package init(lineCount: Int, keptCount: Int) {
    self.lineCount = lineCount
    self.keptCount = min(max(keptCount, 1), lineCount)
  }

  /// The lines of the next frame that are kept, of `count`; more than there are would draw over each other.
  package func kept(of count: Int) -> Range<Int> {
    let lines = min(count, lineCount)
    return max(lines - keptCount, 0)..<lines
  }

  /// The place at which a line of the next frame is kept, counted from the first that is.
  package func place(ofLine line: Int) -> Int { (nextPlace + line) % keptCount }

  /// Goes on by the lines of a frame.
  ///
  /// - Returns: Whether the canvas has become full with them.
  package mutating func append(_ count: Int) -> Bool {
    nextPlace = place(ofLine: kept(of: count).count)
    let lines = min(count, lineCount)
    next = (next + lines) % lineCount
    let before = drawn
    drawn = min(drawn + lines, lineCount)
    // A canvas is full again each time the ring has gone round.
    return drawn == lineCount && (before < lineCount || next < lines)
  }

  /// The line of the canvas that shows the newest line.
  ///
  /// - Parameter scrolls: Whether that is at the far end, instead of where it was drawn.
  package func newest(scrolls: Bool) -> Int {
    scrolls ? lineCount - 1 : (next + lineCount - 1) % lineCount
  }

  /// The place at which the newest line is kept.
  package var newestPlace: Int { (nextPlace + keptCount - 1) % keptCount }

  /// The place of what a line of the canvas shows, nil where that is empty; and how many lines of the
  /// canvas, this one included, show what is kept one after the other, or are empty alike.
  package func run(at line: Int, scrolls: Bool) -> (place: Int?, count: Int) {
    let age = (newest(scrolls: scrolls) - line + lineCount) % lineCount
    // Behind the newest line is the oldest, which is kept next to it where all are kept.
    let count = min(keptCount < lineCount ? age + 1 : lineCount, lineCount - line)
    guard age < keptCount else { return (nil, min(count, age - keptCount + 1)) }
    let place = (newestPlace - age + keptCount) % keptCount
    return (place, min(count, keptCount - place))
  }

  /// Puts the lines into a report.
  ///
  /// - Parameter fitting: The lines that settings allow.
  package func describe(fitting: Int, in report: inout FrameReport) {
    report.wantedLines = lineCount
    report.limitedLines = keptCount < lineCount ? keptCount : nil
    report.areLinesRefused = keptCount < fitting
  }
}

extension FrameLayout {
  /// Lines of a canvas of this layout that grows along `axis`.
  package func lineCount(along axis: StripAxis) -> Int { axis == .rightwards ? width : height }

  /// Lines of such a canvas that fit into a limit of bytes, at least one.
  package func keptCount(along axis: StripAxis, within limit: Int) -> Int {
    min(max(limit / lineBytes(along: axis), 1), lineCount(along: axis))
  }

  /// The bytes of a line of such a canvas.
  package func lineBytes(along axis: StripAxis) -> Int {
    components.reduce(0) { $0 + $1.bytes * lineSamples($1, along: axis) }
  }

  /// The samples that a component has in a line of such a canvas.
  package func lineSamples(_ component: Component, along axis: StripAxis) -> Int {
    axis == .rightwards ? samplesHigh(component) : samplesWide(component)
  }
}
