// The strip canvas holds the lines that the strip mode has placed side by side.

/// The canvas of a strip photograph.
///
/// Every component has a canvas of its own, with one line for each pixel along the growth, whatever
/// its subsampling: a frame that scrolls by odd pixels still finds the right chroma. Within a
/// canvas, rows are contiguous as in the frame, and the growing direction is a ring.
struct StripCanvas: ~Copyable {
  /// One component's canvas.
  private struct Sheet {
    let component: FrameLayout.Component
    /// The start of its samples.
    let start: Int
    /// Samples in a row.
    let width: Int
    /// Rows.
    let height: Int
  }

  private let output: FrameLayout
  /// Which way it grows.
  let axis: StripAxis
  private var sheets: [Sheet] = []
  private var memory = LineMemory()
  /// The places of lines.
  private var ring: StripRing

  /// An empty canvas, black, or see-through where it can be.
  ///
  /// - Returns: nil if the system refuses the memory.
  init?(_ output: FrameLayout, axis: StripAxis, seeThrough: Bool) {
    self.output = output
    self.axis = axis
    ring = StripRing(lineCount: output.lineCount(along: axis))
    var byteCount = 0
    for component in output.components {
      let size = output.sheetSize(component, along: axis)
      let sheet = Sheet(
        component: component, start: byteCount, width: size.width, height: size.height)
      byteCount += sheet.width * sheet.height * component.bytes
      sheets.append(sheet)
    }
    guard memory.grow(to: byteCount) else { return nil }
    clear(seeThrough: seeThrough)
  }

  /// Bytes that the canvas of a strip takes.
  static func byteCount(_ output: FrameLayout, axis: StripAxis) -> Int {
    output.components.reduce(0) { sum, component in
      let size = output.sheetSize(component, along: axis)
      return sum + component.bytes * size.width * size.height
    }
  }

  /// The bytes of memory that the canvas takes.
  var byteCount: Int { memory.byteCount }

  /// Lines of the canvas, in pixels.
  private var lineCount: Int { ring.lineCount }

  /// Empties the canvas.
  mutating func clear(seeThrough: Bool) {
    ring = StripRing(lineCount: lineCount)
    let (sheets, output) = (sheets, output)
    var bytes = memory.mutableBytes
    for sheet in sheets {
      let black = sheet.component.blackBytes(
        seeThrough: seeThrough, isBigEndian: output.isBigEndian)
      let size = sheet.component.bytes
      for sample in 0..<(sheet.width * sheet.height) {
        for byte in 0..<size {
          bytes.storeBytes(
            of: black[byte], toByteOffset: sheet.start + sample * size + byte, as: UInt8.self)
        }
      }
    }
  }

  /// Appends the lines of a slit.
  ///
  /// - Parameter seeThrough: Whether what the slit reaches outside the frame is see-through.
  /// - Returns: Whether the canvas has become full with this frame.
  mutating func push(_ frame: borrowing FrameSpan, slit: Slit, seeThrough: Bool) -> Bool {
    for line in 0..<min(slit.lineCount, lineCount) {
      append(line, of: slit, in: frame, seeThrough: seeThrough, at: ring.place(ofLine: line))
    }
    return ring.append(slit.lineCount)
  }

  /// Draws one line at a place of the ring.
  private mutating func append(
    _ line: Int, of slit: Slit, in frame: borrowing FrameSpan, seeThrough: Bool, at place: Int
  ) {
    let (sheets, output, axis) = (sheets, output, axis)
    var bytes = memory.mutableBytes
    for sheet in sheets {
      let component = sheet.component
      let rows = frame.bytes(ofPlane: component.plane)
      let stride = frame.stride(ofPlane: component.plane)
      let black = component.blackBytes(seeThrough: seeThrough, isBigEndian: output.isBigEndian)
      let samples = axis == .rightwards ? sheet.height : sheet.width
      let shift = axis == .rightwards ? component.yShift : component.xShift
      let step = component.bytes * (axis == .rightwards ? sheet.width : 1)
      var target = sheet.start + place * component.bytes * (axis == .rightwards ? 1 : sheet.width)
      for sample in 0..<samples {
        // The pixel in the middle of what the sample covers along the slit.
        let pixel = min((sample << shift) + (1 << shift) / 2, slit.length - 1)
        let source = slit.pixel(pixel, line: line).map { x, y in
          (y >> component.yShift) * stride + component.offset
            + (x >> component.xShift) * component.step
        }
        for byte in 0..<component.bytes {
          let value =
            source.map { unsafe rows.unsafeLoad(fromByteOffset: $0 + byte, as: UInt8.self) }
            ?? black[byte]
          bytes.storeBytes(of: value, toByteOffset: target + byte, as: UInt8.self)
        }
        target += step
      }
    }
  }

  /// Writes the canvas out.
  ///
  /// - Parameter scrolls: Whether the newest line is at the far end, instead of where it was drawn.
  func render(into frame: inout MutableFrameSpan, scrolls: Bool) {
    // The line of the ring that the frame's first line shows.
    let first = ring.first(scrolls: scrolls)
    for sheet in sheets {
      let component = sheet.component
      frame.withPlane(component.plane) { rows, stride in
        for row in 0..<output.samplesHigh(component) {
          let line = (row << component.yShift) + (1 << component.yShift) / 2
          let sheetRow = axis == .rightwards ? row : (first + min(line, lineCount - 1)) % lineCount
          let source = sheet.start + sheetRow * sheet.width * component.bytes
          let target = row * stride + component.offset
          switch axis {
          case .downwards:
            copy(sheet.width, of: component, from: source, by: 1, to: &rows, at: target)
          case .rightwards:
            renderRow(of: component, from: source, first: first, to: &rows, at: target)
          }
        }
      }
    }
  }

  /// Writes one row of a canvas that grows rightwards: two runs, from `first` to the end of the ring
  /// and from its start.
  private func renderRow(
    of component: FrameLayout.Component, from source: Int, first: Int,
    to rows: inout MutableRawSpan, at target: Int
  ) {
    let period = 1 << component.xShift
    let samples = output.samplesWide(component)
    func line(_ sample: Int) -> Int {
      first + min(sample * period + period / 2, lineCount - 1)
    }
    // The last sample may cover less than a period, so it stands alone; the others are in two runs.
    let beforeEnd = lineCount - first - period / 2
    let split = min(max((beforeEnd + period - 1) / period, 0), samples - 1)
    copy(
      split, of: component, from: source + line(0) * component.bytes, by: period, to: &rows,
      at: target)
    copy(
      samples - 1 - split, of: component,
      from: source + (line(split) - lineCount) * component.bytes, by: period, to: &rows,
      at: target + split * component.step)
    copy(
      1, of: component, from: source + line(samples - 1) % lineCount * component.bytes, by: 1,
      to: &rows, at: target + (samples - 1) * component.step)
  }

  /// Copies samples, each `period` samples after the other in the canvas, `component.step` bytes in
  /// the frame.
  @inline(__always)
  private func copy(
    _ count: Int, of component: FrameLayout.Component, from source: Int, by period: Int,
    to rows: inout MutableRawSpan, at target: Int
  ) {
    let canvas = memory.bytes
    var source = source
    var target = target
    // The common kinds, as whole rows.
    if period == 1 && component.step == component.bytes {
      Kernels.copy(
        count * component.bytes, from: canvas, at: source, to: &rows, at: target)
    } else if component.bytes == 1 && component.step == 1 {
      guard count > 0 else { return }
      Kernels.pick(
        canvas.extracting(source..<canvas.byteCount), step: period, into: &rows, at: target,
        count: count)
    } else if component.bytes == 1 {
      for _ in 0..<count {
        let sample = unsafe canvas.unsafeLoad(fromByteOffset: source, as: UInt8.self)
        rows.storeBytes(of: sample, toByteOffset: target, as: UInt8.self)
        source += period
        target += component.step
      }
    } else {
      for _ in 0..<count {
        let sample = unsafe canvas.unsafeLoadUnaligned(fromByteOffset: source, as: UInt16.self)
        rows.storeBytes(of: sample, toByteOffset: target, as: UInt16.self)
        source += 2 * period
        target += component.step
      }
    }
  }
}
