// The strip ring decides where lines of a strip are kept and shown. A value, tested without frames.

/// The newest lines of a canvas, as a ring.
///
/// The canvas does not have lines that were not drawn yet, nor, where memory allows fewer than it has, those before.
package struct StripRing {
  /// Lines of the canvas that follow each other.
  package struct Run {
    /// The place of what the first of them shows, nil for the colour of an empty canvas.
    package let place: Int?
    /// The places from one line to the next: 1, or 0 where all show the same.
    package let step: Int
    /// The number of lines.
    package let count: Int
  }

  /// Which way the canvas grows.
  package let axis: StripAxis
  /// The lines that settings allow.
  private let fitting: Int
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
  /// Whether the canvas has become full with the last frame.
  private var completes = false

  /// An empty canvas.
  ///
  /// - Parameters:
  ///   - lineCount: The lines of the canvas.
  ///   - fitting: Those of them that settings allow.
  ///   - isMade: Whether there is memory for so many lines; half of them are tried next where not.
  /// - Returns: nil if there is no memory for a single line.
  package init?(
    along axis: StripAxis, lineCount: Int, fitting: Int, isMade: (Int) -> Bool
  ) {
    self.axis = axis
    self.fitting = fitting
    self.lineCount = lineCount
    var lines = fitting
    while !isMade(lines) {
      guard lines > 1 else { return nil }
      lines /= 2
    }
    keptCount = lines
  }

  /// Whether the canvas is one for these settings still.
  package func suits(_ axis: StripAxis, lineCount: Int, fitting: Int) -> Bool {
    self.axis == axis && self.lineCount == lineCount && self.fitting == fitting
  }

  /// A frame comes, which may fail.
  package mutating func beginFrame() { completes = false }

  /// The lines of the next frame that are kept, of `count`; more than there are would draw over each other.
  package func kept(of count: Int) -> Range<Int> {
    let lines = min(count, lineCount)
    return max(lines - keptCount, 0)..<lines
  }

  /// The place at which a line of the next frame is kept, counted from the first that is.
  package func place(ofLine line: Int) -> Int { (nextPlace + line) % keptCount }

  /// Goes on by the lines of a frame.
  package mutating func append(_ count: Int) {
    nextPlace = place(ofLine: kept(of: count).count)
    let lines = min(count, lineCount)
    next = (next + lines) % lineCount
    let before = drawn
    drawn = min(drawn + lines, lineCount)
    // A canvas is full again each time the ring has gone round.
    if drawn == lineCount && (before < lineCount || next < lines) { completes = true }
  }

  /// The line of the canvas that shows the newest line.
  ///
  /// - Parameter scrolls: Whether that is at the far end, instead of where it was drawn.
  package func newest(scrolls: Bool) -> Int {
    scrolls ? lineCount - 1 : (next + lineCount - 1) % lineCount
  }

  /// The place at which the newest line is kept.
  package var newestPlace: Int { (nextPlace + keptCount - 1) % keptCount }

  /// The lines that the canvas has.
  package var heldCount: Int { min(drawn, keptCount) }

  /// The age in lines of what is shown for lines that the canvas does not have, nil for black.
  package func substitute(_ warmup: ScanSettings.Warmup) -> Int? {
    guard drawn > 0 else { return nil }
    return switch warmup {
    case .hold: heldCount - 1
    case .live: 0
    case .black, .transparent: nil
    }
  }

  /// The lines from one of the canvas on that show what is kept one after the other, or the same.
  package func run(at line: Int, scrolls: Bool, warmup: ScanSettings.Warmup) -> Run {
    let age = (newest(scrolls: scrolls) - line + lineCount) % lineCount
    // Behind the newest line is the oldest, which is kept next to it where the canvas has all.
    let count = min(heldCount < lineCount ? age + 1 : lineCount, lineCount - line)
    guard age < heldCount else {
      // A method as a value would be allocated.
      let shown = substitute(warmup).map { self.place(ofAge: $0) }
      return Run(place: shown, step: 0, count: min(count, age - heldCount + 1))
    }
    let place = place(ofAge: age)
    return Run(place: place, step: 1, count: min(count, keptCount - place))
  }

  private func place(ofAge age: Int) -> Int { (newestPlace - age + keptCount) % keptCount }

  /// Puts the lines into a report.
  package func describe(in report: inout FrameReport) {
    report.completes = completes
    report.wantedLines = lineCount
    report.limitedLines = keptCount < lineCount ? keptCount : nil
    report.areLinesRefused = keptCount < fitting
  }
}

extension FrameLayout {
  /// Lines of a canvas that is shown with this layout and grows along `axis`.
  package func lineCount(along axis: StripAxis, _ settings: ScanSettings) -> Int {
    settings.canvasLength > 0 ? settings.canvasLength : axis == .rightwards ? width : height
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
