// The sweep mode freezes what the slit has passed and shows the rest live.

import CSlitScanKernels
internal import CSlitScanSettings

/// The output of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
struct SweepMode: ~Copyable {
  private let tiles: TiledLayout
  /// The whole output, one slot of tiles.
  private var memory = LineMemory()
  /// The frame that came in last, for `mix`.
  private var lastInput: FrameCopy
  /// The place of the slit.
  private(set) var state = SweepState()
  private var rows = CurvedRows()

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    lastInput = FrameCopy(tiles)
  }

  /// The bytes of memory that the output takes.
  var byteCount: Int { memory.byteCount + lastInput.byteCount }

  /// Starts anew with the next frame; memory stays.
  mutating func forget() {
    lastInput.forget()
    state = SweepState()
  }

  /// Takes a frame in: moves the slit, and what it has not passed before becomes this frame's.
  ///
  /// - Parameter time: Running time of the frame in nanoseconds.
  /// - Throws: ``ScanError`` when there is no memory.
  mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings, map: inout MapInputs,
    workers: borrowing Workers
  ) throws(ScanError) {
    state.beginFrame()
    if settings.mix < 1 { try lastInput.hold(frame) }
    guard memory.grow(to: tiles.byteCount) else {
      throw .refused(tiles.byteCount, for: "the canvas of a sweep")
    }
    try prepare(settings, map: &map)
    switch map.surfaces {
    case .none: break
    case .some(let surfaces):
      advance(frame, time: time, settings, surfaces, workers)
    }
  }

  /// Has the map's values made for the cells of every plane.
  ///
  /// - Throws: ``ScanError`` when there is no memory.
  func prepare(_ settings: ScanSettings, map: inout MapInputs) throws(ScanError) {
    try map.prepare(settings.map, tiles: tiles, for: .cells)
  }

  private mutating func advance(
    _ frame: borrowing FrameSpan, time: UInt64, _ settings: ScanSettings,
    _ surfaces: borrowing MapSurfaces, _ workers: borrowing Workers
  ) {
    let part = state.advance(to: time, settings)
    Self.draw(
      part, of: frame, tiles: tiles, curve: SlitScanCurve(settings.map), surfaces: surfaces,
      into: &memory, workers: workers)
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
  mutating func draw(
    _ settings: ScanSettings, map: borrowing MapInputs, into target: inout MutableFrameSpan,
    workers: borrowing Workers
  ) {
    guard memory.byteCount > 0 else { return }
    Kernels.load(memory.bytes, at: 0, tiles: tiles, into: &target, workers: workers)
    if state.showsLine(settings) {
      let line = SweepLine(tiles, settings: settings, position: state.position)
      switch map.surfaces {
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
