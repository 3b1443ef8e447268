// The strip ages hold how old the lines of a strip are.

/// The ages of the pixels of a strip, in a canvas of their own.
///
/// Lines that were there before the ages were asked for count from then on.
package struct StripAges: ~Copyable {
  /// Frames that are as old as these ages, the newest first.
  private struct Frames: StripFrames {
    let ages: [UInt16]

    var outside: SamplePlace { SamplePlace(start: 0, row: 0, byte: 0) }

    func place(ofByte byte: Int, row: Int, plane: Int) -> SamplePlace { outside }

    func byte(_ number: Int, at place: SamplePlace, plane: Int, ago level: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: ages[min(level, ages.count - 1)] >> (8 * UInt16(number)))
    }
  }

  private var canvas: StripCanvas
  private var clock: AgeClock

  /// The ages of a canvas.
  ///
  /// - Parameters:
  ///   - output: The layout of the output.
  ///   - ring: The lines of the canvas.
  ///   - unit: The step of ages, in nanoseconds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package init(_ output: FrameLayout, _ ring: StripRing, unit: UInt64) throws(ScanError) {
    let layout = try FrameLayout.gray16(width: output.width, height: output.height)
    let bytes = layout.lineBytes(along: ring.axis)
    guard let canvas = StripCanvas(layout, as: ring) else {
      throw .refused(bytes * ring.keptCount, for: "ages")
    }
    self.canvas = canvas
    clock = AgeClock(unit: unit)
  }

  /// A step, in nanoseconds.
  package var unit: UInt64 { clock.unit }

  /// The bytes of memory that they take.
  package var byteCount: Int { canvas.byteCount }

  /// Goes on to a frame, whose lines are appended.
  ///
  /// - Parameter times: The frames that the lines are from, up to this one; nil where they are this one's alone.
  package mutating func push(
    at time: UInt64, slit: Slit, from times: FrameTimes? = nil, count: Int = 1
  ) {
    canvas.age(by: clock.advance(to: time))
    var ages = Self.newest
    times?.listAges(inStepsOf: clock.unit, exposed: .single, in: &ages)
    if ages.isEmpty { ages = Self.newest }
    canvas.push(Frames(ages: ages), count: count, slit: slit, seeThrough: false)
  }

  private static let newest: [UInt16] = [0]

  /// Draws the ages.
  ///
  /// - Parameter target: A frame of ``FrameLayout/gray16(width:height:)``, of the output's size.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  package mutating func draw(
    _ settings: ScanSettings, into target: inout MutableFrameSpan, workers: borrowing Workers
  ) throws(ScanError) {
    try canvas.draw(settings, warmup: .hold, into: &target, workers: workers)
  }
}
