// The strip mode appends the slit's lines of every frame to a canvas.

/// A slit, and the canvas that its lines are appended to.
package struct StripMode: ~Copyable, CanvasMode {
  private let tiles: TiledLayout
  private var canvas: StripCanvas?
  /// Kept while they are asked for.
  private var ages: StripAges?
  private var slit: (key: Slit.Key, slit: Slit)?

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) { self.tiles = tiles }

  package mutating func forget() {
    canvas = nil
    ages = nil
  }

  package mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings, output: FrameLayout,
    past: borrowing DisplaceMode?, memory: inout SystemMemory
  ) throws(ScanError) {
    canvas?.ring.beginFrame()
    let slit = try findSlit(settings, &memory.map)
    let seeThrough = settings.warmup == .transparent
    let lineCount = output.lineCount(along: slit.axis, settings)
    let fitting = min(
      max(settings.memoryLimit / output.lineBytes(along: slit.axis), 1), lineCount)
    if canvas?.ring.suits(slit.axis, lineCount: lineCount, fitting: fitting) != true {
      forget()
      canvas = StripCanvas(output, along: slit.axis, lineCount: lineCount, fitting: fitting)
      guard canvas != nil else {
        throw .refused(output.lineBytes(along: slit.axis), for: "the canvas")
      }
      try prepareAges(settings, output)
      // The frame is the newest of a reserve.
      if settings.reserve > 0 {
        return fill(from: past, time: time, settings, slit, seeThrough: seeThrough)
      }
    }
    try prepareAges(settings, output)
    guard !settings.freeze else { return }
    canvas?.push(frame, count: 1, slit: slit, seeThrough: seeThrough)
    ages?.push(at: time, slit: slit)
  }

  /// Begins a canvas with the lines of the frames in the reserve.
  private mutating func fill(
    from past: borrowing DisplaceMode?, time: UInt64, _ settings: ScanSettings, _ slit: Slit,
    seeThrough: Bool
  ) {
    switch past {
    case .none: break
    case .some(let past):
      let count = min(past.history.count, settings.reserve)
      canvas?.push(past.history, count: count, slit: slit, seeThrough: seeThrough)
      // With `freeze`, the frame at hand is newer than these.
      let times = past.history.times
      ages?.push(at: times.newestTime ?? time, slit: slit, from: times, count: count)
    }
  }

  private mutating func prepareAges(
    _ settings: ScanSettings, _ output: FrameLayout
  ) throws(ScanError) {
    guard let ring = canvas?.ring else { return }
    let unit = settings.keptAgeUnit
    if ages?.unit ?? 0 != unit { ages = unit > 0 ? try StripAges(output, ring, unit: unit) : nil }
  }

  private mutating func findSlit(
    _ settings: ScanSettings, _ map: inout MapInputs
  ) throws(ScanError) -> Slit {
    let isTraced = Slit.isTraced(settings)
    if isTraced { try map.prepare(settings, tiles: tiles, for: .pixels) }
    let key = Slit.Key(settings, revision: isTraced ? map.valuesRevision ?? 0 : 0)
    if let slit, slit.key == key { return slit.slit }
    var slit = Slit(key, width: tiles.layout.width, height: tiles.layout.height)
    if isTraced { map.surfaces.read { slit.trace($0, pixels: tiles.pixelPlane) } }
    self.slit = (key, slit)
    return slit
  }

  package mutating func draw(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    try canvas?.draw(settings, warmup: settings.warmup, into: &target, workers: memory.workers)
  }

  package mutating func drawAges(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    guard try ages?.draw(settings, into: &target, workers: memory.workers) != nil else {
      return target.clear()
    }
  }

  package mutating func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyBytes += (canvas?.byteCount ?? 0) + (ages?.byteCount ?? 0)
    canvas?.ring.describe(in: &report)
  }
}
