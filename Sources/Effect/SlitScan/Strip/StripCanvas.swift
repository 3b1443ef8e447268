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
    /// The bytes of a sample where nothing was drawn.
    let black: SIMD2<UInt8>

    /// Makes samples black, `step` bytes apart.
    func fill(_ count: Int, in bytes: inout MutableRawSpan, at start: Int, step: Int) {
      for sample in 0..<count {
        for byte in 0..<component.bytes {
          bytes.storeBytes(
            of: black[byte], toByteOffset: start + sample * step + byte, as: UInt8.self)
        }
      }
    }
  }

  private let output: FrameLayout
  private var sheets: [Sheet] = []
  private var memory: LineMemory
  /// The places of lines.
  var ring: StripRing

  /// An empty canvas, black, or see-through where it can be.
  ///
  /// - Parameter fitting: The newest lines that it keeps, or as many as the system has memory for.
  /// - Returns: nil if the system refuses the memory of one line.
  init?(_ output: FrameLayout, along axis: StripAxis, fitting: Int, seeThrough: Bool) {
    self.output = output
    let lineBytes = output.lineBytes(along: axis)
    var memory = LineMemory()
    guard
      let ring = StripRing(
        output, along: axis, fitting: fitting, isMade: { memory.grow(to: $0 * lineBytes) })
    else { return nil }
    self.memory = memory
    self.ring = ring
    let lines = ring.keptCount
    var start = 0
    for component in output.components {
      let samples = output.lineSamples(component, along: axis)
      let black = component.blackBytes(seeThrough: seeThrough, isBigEndian: output.isBigEndian)
      sheets.append(
        Sheet(
          component: component, start: start, width: axis == .rightwards ? lines : samples,
          height: axis == .rightwards ? samples : lines, black: black))
      start += component.bytes * samples * lines
    }
    let made = sheets
    var bytes = self.memory.mutableBytes
    for sheet in made {
      sheet.fill(
        sheet.width * sheet.height, in: &bytes, at: sheet.start, step: sheet.component.bytes)
    }
  }

  /// The bytes of memory that the canvas takes.
  var byteCount: Int { memory.byteCount }

  /// Appends the lines of a slit.
  ///
  /// - Parameter seeThrough: Whether what the slit reaches outside the frame is see-through.
  mutating func push(_ frame: borrowing FrameSpan, slit: Slit, seeThrough: Bool) {
    let lines = ring.kept(of: slit.lineCount)
    for line in lines {
      append(
        line, of: slit, in: frame, seeThrough: seeThrough,
        at: ring.place(ofLine: line - lines.lowerBound))
    }
    ring.append(slit.lineCount)
  }

  /// Keeps one line at a place of the ring.
  private mutating func append(
    _ line: Int, of slit: Slit, in frame: borrowing FrameSpan, seeThrough: Bool, at place: Int
  ) {
    let (sheets, output, axis) = (sheets, output, ring.axis)
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
    for sheet in sheets {
      let component = sheet.component
      frame.withPlane(component.plane) { rows, stride in
        for row in 0..<output.samplesHigh(component) {
          let target = row * stride + component.offset
          switch ring.axis {
          case .downwards:
            let line = (row << component.yShift) + (1 << component.yShift) / 2
            let run = ring.run(at: min(line, ring.lineCount - 1), scrolls: scrolls)
            draw(
              sheet.width, of: sheet, from: run.place.map { $0 * sheet.width }, by: 1, to: &rows,
              at: target)
          case .rightwards:
            renderRow(row, of: sheet, to: &rows, at: target, scrolls: scrolls)
          }
        }
      }
    }
  }

  /// Writes one row of a canvas that grows rightwards, run by run.
  private func renderRow(
    _ row: Int, of sheet: Sheet, to rows: inout MutableRawSpan, at target: Int, scrolls: Bool
  ) {
    let component = sheet.component
    let period = 1 << component.xShift
    let samples = output.samplesWide(component)
    var sample = 0
    while sample < samples {
      // The last sample may cover less than a period, so it may stand alone.
      let line = min(sample * period + period / 2, ring.lineCount - 1)
      let run = ring.run(at: line, scrolls: scrolls)
      let count = min((run.count + period - 1) / period, samples - sample)
      draw(
        count, of: sheet, from: run.place.map { row * sheet.width + $0 }, by: period, to: &rows,
        at: target + sample * component.step)
      sample += count
    }
  }

  /// Draws samples of a sheet, from an index on; black where that is nil.
  private func draw(
    _ count: Int, of sheet: Sheet, from index: Int?, by period: Int, to rows: inout MutableRawSpan,
    at target: Int
  ) {
    let component = sheet.component
    if let index {
      copy(
        count, of: component, from: sheet.start + index * component.bytes, by: period, to: &rows,
        at: target)
    } else {
      sheet.fill(count, in: &rows, at: target, step: component.step)
    }
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
