// The sweep mode freezes what the slit has passed and shows the rest live.

import CSlitScanKernels
internal import CSlitScanSettings

/// The output of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
package struct SweepMode: ~Copyable, ScanMode {
  private let tiles: TiledLayout
  /// The whole output, one slot of tiles.
  private var canvas = LineMemory()
  /// The frame that came in last, for `mix`.
  private var lastInput: FrameCopy
  /// The place of the slit.
  private var state = SweepState()
  private var rows = CurvedRows()

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) {
    self.tiles = tiles
    lastInput = FrameCopy(tiles)
  }

  package func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyBytes += canvas.byteCount + lastInput.byteCount
    state.describe(in: &report)
  }

  package mutating func forget() {
    lastInput.forget()
    state = SweepState()
  }

  /// Moves the slit; what it has not passed before becomes this frame's.
  package mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout SystemMemory
  ) throws(ScanError) {
    state.beginFrame()
    if settings.mix < 1 { try lastInput.hold(frame) }
    guard canvas.grow(to: tiles.byteCount) else {
      throw .refused(tiles.byteCount, for: "the canvas of a sweep")
    }
    try prepare(settings, memory: &memory)
    switch memory.map.surfaces {
    case .none: break
    case .some(let surfaces):
      advance(frame, time: time, settings, surfaces, memory.workers)
    }
  }

  /// Has the map's values made for the cells of every plane.
  ///
  /// - Throws: ``ScanError`` when there is no memory.
  func prepare(_ settings: ScanSettings, memory: inout SystemMemory) throws(ScanError) {
    try memory.map.prepare(settings.map, tiles: tiles, for: .cells)
  }

  private mutating func advance(
    _ frame: borrowing FrameSpan, time: UInt64, _ settings: ScanSettings,
    _ surfaces: borrowing MapSurfaces, _ workers: borrowing Workers
  ) {
    let part = state.advance(to: time, settings)
    Self.draw(
      part, of: frame, tiles: tiles, curve: SlitScanCurve(settings.map), surfaces: surfaces,
      into: &canvas, workers: workers)
  }

  /// Brings a part of the cells up to date.
  private static func draw(
    _ part: SweepState.Part, of frame: borrowing FrameSpan, tiles: TiledLayout,
    curve: SlitScanCurve, surfaces: borrowing MapSurfaces, into memory: inout LineMemory,
    workers: borrowing Workers
  ) {
    var memory = memory.mutableBytes
    switch part {
    case .nothing: break
    case .everything:
      Kernels.store(
        frame, tiles: tiles, into: &memory, at: 0, streams: false, workers: workers)
    case .above(let frozen):
      Kernels.sweep(
        frame, tiles: tiles, surfaces: surfaces, curve: curve, frozen: frozen, into: &memory,
        workers: workers)
    }
  }

  /// Draws the output, with the line on it if there is one.
  package mutating func draw(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) {
    guard canvas.byteCount > 0 else { return }
    Kernels.load(canvas.bytes, at: 0, tiles: tiles, into: &target, workers: memory.workers)
    if state.showsLine(settings) {
      let line = SweepLine(tiles, settings: settings, position: state.position)
      switch memory.map.surfaces {
      case .none: break
      case .some(let surfaces): line.draw(into: &target, surfaces: surfaces, rows: &rows)
      }
    }
    lastInput.mix(into: &target, share: 1 - settings.mix)
  }
}

// MARK: Settings

extension ScanSettings {
  /// The behaviour at the end of a sweep.
  public enum SweepLoop: UInt32, Sendable {
    /// It stays.
    case once
    /// It starts again with live video.
    case loop
    /// The slit goes back and sets free what it passes.
    case pingPong
  }

  /// Nanoseconds a sweep takes, at least 1.
  public var sweepDuration: UInt64 {
    get { values.sweep_duration }
    set { values.sweep_duration = newValue }
  }

  /// The behaviour at the end of a sweep.
  public var sweepLoop: SweepLoop {
    get { SweepLoop(rawValue: values.sweep_loop.rawValue) ?? .once }
    set { values.sweep_loop = SlitScanSweepLoop(newValue.rawValue) }
  }

  /// Width of the line that shows where the slit of a sweep is, in pixels; 0 for none.
  public var lineWidth: Double {
    get { values.line_width }
    set { values.line_width = newValue }
  }

  /// The colour of that line: a sample for each component of the frames, in their order.
  public var lineColour: SIMD4<UInt16> {
    get {
      let samples = values.line_samples
      return SIMD4(samples.0, samples.1, samples.2, samples.3)
    }
    set { values.line_samples = (newValue[0], newValue[1], newValue[2], newValue[3]) }
  }

  /// The opacity of the line, 0…1, to 1/255.
  public var lineOpacity: Double {
    get { Double(values.line_color >> 24) / 255 }
    set {
      let opacity = newValue.isNaN ? 1 : min(max(newValue, 0), 1)
      values.line_color = values.line_color & 0xff_ffff | Int((opacity * 255).rounded()) << 24
    }
  }
}
