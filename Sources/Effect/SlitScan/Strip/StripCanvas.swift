// The strip canvas holds the lines that the strip mode has placed side by side.

/// The place of a sample in frames of one kind.
struct SamplePlace {
  /// The offset of its first byte, in the plane or in the tiles; negative outside of the frame.
  var start: Int
  /// Its row among those of all planes, and the offset of its first byte there.
  var row: Int
  var byte: Int
}

/// Frames that the lines of a strip are taken from.
protocol StripFrames: ~Copyable, ~Escapable {
  /// The place of samples outside of a frame.
  var outside: SamplePlace { get }

  /// The place of the sample that begins with a byte of a row.
  func place(ofByte byte: Int, row: Int, plane: Int) -> SamplePlace

  /// A byte of a sample in the frame of so many frames ago.
  func byte(_ number: Int, at place: SamplePlace, plane: Int, ago level: Int) -> UInt8
}

extension StripFrames where Self: ~Copyable & ~Escapable {
  var outside: SamplePlace { SamplePlace(start: -1, row: 0, byte: 0) }
}

extension FrameSpan: StripFrames {
  func place(ofByte byte: Int, row: Int, plane: Int) -> SamplePlace {
    SamplePlace(start: row * stride(ofPlane: plane) + byte, row: row, byte: byte)
  }

  func byte(_ number: Int, at place: SamplePlace, plane: Int, ago level: Int) -> UInt8 {
    unsafe bytes(ofPlane: plane).unsafeLoad(
      fromByteOffset: place.start + number, as: UInt8.self)
  }
}

/// The canvas of a strip photograph.
///
/// Every component has a canvas of its own, with one line for each pixel along the growth, whatever
/// its subsampling: a frame that scrolls by odd pixels still finds the right chroma. Within a
/// canvas, rows are contiguous as in the frame, and the growing direction is a ring.
struct StripCanvas: ~Copyable {
  /// One component's canvas.
  struct Sheet {
    let component: FrameLayout.Component
    /// The start of its samples.
    let start: Int
    /// Samples in a row.
    let width: Int
    /// Rows.
    let height: Int
  }

  let output: FrameLayout
  private(set) var sheets: [Sheet] = []
  private(set) var memory: LineMemory
  /// For drawing in perspective.
  var scratch = LineMemory()
  /// The places of lines.
  var ring: StripRing
  /// The places of the samples of a line, sheet by sheet.
  private var places: [SamplePlace] = []

  /// An empty canvas.
  ///
  /// - Parameters:
  ///   - lineCount: The lines of the canvas.
  ///   - fitting: The newest of them that it keeps, or as many as the system has memory for.
  /// - Returns: nil if the system refuses the memory of one line.
  init?(_ output: FrameLayout, along axis: StripAxis, lineCount: Int, fitting: Int) {
    let lineBytes = output.lineBytes(along: axis)
    var memory = LineMemory()
    guard
      let ring = StripRing(
        along: axis, lineCount: lineCount, fitting: fitting,
        isMade: { memory.grow(to: $0 * lineBytes) })
    else { return nil }
    self.init(output, ring, memory)
  }

  /// A canvas with the lines of another, all black.
  ///
  /// - Returns: nil if the system refuses the memory.
  init?(_ output: FrameLayout, as ring: StripRing) {
    var memory = LineMemory()
    guard memory.grow(to: ring.keptCount * output.lineBytes(along: ring.axis)) else { return nil }
    self.init(output, ring, memory)
  }

  private init(_ output: FrameLayout, _ ring: StripRing, _ memory: consuming LineMemory) {
    self.output = output
    self.memory = memory
    self.ring = ring
    let axis = ring.axis
    let lines = ring.keptCount
    var start = 0
    for component in output.components {
      let samples = output.lineSamples(component, along: axis)
      sheets.append(
        Sheet(
          component: component, start: start, width: axis == .rightwards ? lines : samples,
          height: axis == .rightwards ? samples : lines))
      start += component.bytes * samples * lines
    }
  }

  /// The bytes of memory that the canvas takes.
  var byteCount: Int { memory.byteCount + scratch.byteCount }

  /// Adds to all samples, which are of two bytes, as far as they go.
  mutating func age(by steps: UInt16) { Kernels.age(&memory, by: steps) }

  /// Appends the lines of a slit in frames that follow each other.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - seeThrough: Whether what the slit reaches outside the frame is see-through.
  mutating func push<Frames: StripFrames & ~Copyable & ~Escapable>(
    _ frames: borrowing Frames, count: Int, slit: Slit, seeThrough: Bool
  ) {
    let lines = ring.kept(of: slit.lineCount)
    // Frames whose lines all leave the canvas again are only counted.
    let read = min(count, (ring.keptCount - 1) / lines.count + 1)
    for _ in read..<count { ring.append(slit.lineCount) }
    for line in lines {
      findPlaces(of: slit, line: line, in: frames)
      for level in 0..<read {
        let age = level * lines.count + lines.upperBound - 1 - line
        guard age < ring.keptCount else { break }
        keepLine(
          in: frames, ago: level, seeThrough: seeThrough,
          at: ring.place(ofLine: read * lines.count - 1 - age))
      }
    }
    for _ in 0..<read { ring.append(slit.lineCount) }
  }

  private mutating func findPlaces<Frames: StripFrames & ~Copyable & ~Escapable>(
    of slit: Slit, line: Int, in frames: borrowing Frames
  ) {
    // The capacity stays.
    places.removeAll(keepingCapacity: true)
    for sheet in sheets {
      let component = sheet.component
      let shift = ring.axis == .rightwards ? component.yShift : component.xShift
      for sample in 0..<(ring.axis == .rightwards ? sheet.height : sheet.width) {
        // The pixel in the middle of what the sample covers along the slit.
        let point = min((sample << shift) + (1 << shift) / 2, slit.length - 1)
        guard let (x, y) = slit.pixel(point, line: line) else {
          places.append(frames.outside)
          continue
        }
        places.append(
          frames.place(
            ofByte: component.offset + (x >> component.xShift) * component.step,
            row: y >> component.yShift, plane: component.plane))
      }
    }
  }

  /// Keeps the line of the samples in a frame at a place of the ring.
  private mutating func keepLine<Frames: StripFrames & ~Copyable & ~Escapable>(
    in frames: borrowing Frames, ago level: Int, seeThrough: Bool, at place: Int
  ) {
    let (sheets, output, axis, places) = (sheets, output, ring.axis, places)
    var bytes = memory.mutableBytes
    var first = 0
    for sheet in sheets {
      let component = sheet.component
      let black = component.blackBytes(seeThrough: seeThrough, isBigEndian: output.isBigEndian)
      let samples = axis == .rightwards ? sheet.height : sheet.width
      let step = component.bytes * (axis == .rightwards ? sheet.width : 1)
      var target = sheet.start + place * component.bytes * (axis == .rightwards ? 1 : sheet.width)
      for sample in 0..<samples {
        let source = places[first + sample]
        for byte in 0..<component.bytes {
          let value =
            source.start < 0
            ? black[byte] : frames.byte(byte, at: source, plane: component.plane, ago: level)
          bytes.storeBytes(of: value, toByteOffset: target + byte, as: UInt8.self)
        }
        target += step
      }
      first += samples
    }
  }

  /// Writes the canvas out.
  ///
  /// - Parameters:
  ///   - scrolls: Whether the newest line is at the far end, instead of where it was drawn.
  ///   - warmup: What is shown for lines that the canvas does not have.
  func render(
    into frame: inout MutableFrameSpan, scrolls: Bool, warmup: ScanSettings.Warmup
  ) {
    for sheet in sheets {
      let component = sheet.component
      let black = component.blackBytes(
        seeThrough: warmup == .transparent, isBigEndian: output.isBigEndian)
      frame.withPlane(component.plane) { rows, stride in
        for row in 0..<output.samplesHigh(component) {
          let target = row * stride + component.offset
          switch ring.axis {
          case .downwards:
            let line = (row << component.yShift) + (1 << component.yShift) / 2
            let run = ring.run(
              at: min(line, ring.lineCount - 1), scrolls: scrolls, warmup: warmup)
            draw(
              sheet.width, of: sheet, from: run.place.map { $0 * sheet.width }, by: 1,
              black: black, to: &rows, at: target)
          case .rightwards:
            renderRow(
              row, of: sheet, black: black, to: &rows, at: target, scrolls: scrolls, warmup: warmup)
          }
        }
      }
    }
  }

  /// Writes one row of a canvas that grows rightwards, run by run.
  private func renderRow(
    _ row: Int, of sheet: Sheet, black: SIMD2<UInt8>, to rows: inout MutableRawSpan,
    at target: Int, scrolls: Bool, warmup: ScanSettings.Warmup
  ) {
    let component = sheet.component
    let period = 1 << component.xShift
    let samples = output.samplesWide(component)
    var sample = 0
    while sample < samples {
      // The last sample may cover less than a period, so it may stand alone.
      let line = min(sample * period + period / 2, ring.lineCount - 1)
      let run = ring.run(at: line, scrolls: scrolls, warmup: warmup)
      let count = min((run.count + period - 1) / period, samples - sample)
      draw(
        count, of: sheet, from: run.place.map { row * sheet.width + $0 }, by: period * run.step,
        black: black, to: &rows, at: target + sample * component.step)
      sample += count
    }
  }

  /// Draws samples of a sheet, from an index on; black where that is nil.
  private func draw(
    _ count: Int, of sheet: Sheet, from index: Int?, by period: Int, black: SIMD2<UInt8>,
    to rows: inout MutableRawSpan, at target: Int
  ) {
    let component = sheet.component
    if let index {
      copy(
        count, of: component, from: sheet.start + index * component.bytes, by: period, to: &rows,
        at: target)
    } else {
      for sample in 0..<count {
        for byte in 0..<component.bytes {
          rows.storeBytes(
            of: black[byte], toByteOffset: target + sample * component.step + byte, as: UInt8.self)
        }
      }
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
    } else if component.bytes == 1 && component.step == 1 && period > 0 {
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
