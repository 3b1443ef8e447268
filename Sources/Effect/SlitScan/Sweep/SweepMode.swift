// The sweep mode freezes what the slit has passed and shows the rest live.

import CSlitScanKernels

/// The output of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
package struct SweepMode: ~Copyable, FrameMode {
  private let tiles: TiledLayout
  /// The whole output, one slot of tiles.
  private var canvas = LineMemory()
  /// The frame that came in last, for `mix`.
  private var lastInput: FrameCopy
  /// The place of the slit.
  private var state = SweepState()
  private var rows = CurvedRows()
  /// Kept while they are asked for.
  private var ages: SweepAges?

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) {
    self.tiles = tiles
    lastInput = FrameCopy(tiles)
  }

  package func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyBytes +=
      canvas.byteCount + lastInput.byteCount
      + (ages.read { $0.byteCount } ?? 0)
    state.describe(in: &report)
  }

  package mutating func forget() {
    lastInput.forget()
    ages = nil
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
    let unit = settings.keptAgeUnit
    if ages?.unit ?? 0 != unit { ages = unit > 0 ? try SweepAges(tiles.layout, unit: unit) : nil }
    try prepare(settings, memory: &memory)
    memory.map.surfaces.read { advance(frame, time: time, settings, $0, memory.workers) }
  }

  /// Has the map's values made for the cells of every plane.
  ///
  /// - Throws: ``ScanError`` when there is no memory.
  func prepare(_ settings: ScanSettings, memory: inout SystemMemory) throws(ScanError) {
    try memory.map.prepare(settings, tiles: tiles, for: .cells)
  }

  private mutating func advance(
    _ frame: borrowing FrameSpan, time: UInt64, _ settings: ScanSettings,
    _ surfaces: borrowing MapSurfaces, _ workers: borrowing Workers
  ) {
    let part = state.advance(to: time, settings)
    let curve = SlitScanCurve(settings)
    Self.draw(
      part, of: frame, tiles: tiles, curve: curve, surfaces: surfaces, into: &canvas,
      workers: workers)
    guard part != .nothing || !settings.freeze else { return }
    ages?.advance(to: time, part, curve: curve, surfaces: surfaces, workers: workers)
  }

  /// Brings a part of the cells up to date.
  static func draw(
    _ part: SweepState.Part, of frame: borrowing FrameSpan, tiles: TiledLayout,
    curve: SlitScanCurve, surfaces: borrowing MapSurfaces, into memory: inout LineMemory,
    workers: borrowing Workers
  ) {
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
      memory.map.surfaces.read { line.draw(into: &target, surfaces: $0, rows: &rows) }
    }
    lastInput.mix(into: &target, share: 1 - settings.mix)
  }

  package mutating func drawAges(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) {
    guard ages?.draw(into: &target, workers: memory.workers) != nil else { return target.clear() }
  }
}
