// The strip mode appends the slit's lines of every frame to a canvas.

/// A slit, and the canvas that its lines are appended to.
package struct StripMode: ~Copyable, CanvasMode {
  private let tiles: TiledLayout
  private var canvas: StripCanvas?
  private var slit: (key: Slit.Key, slit: Slit)?

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) { self.tiles = tiles }

  package mutating func forget() { canvas = nil }

  package mutating func take(
    _ frame: borrowing FrameSpan, settings: ScanSettings, output: FrameLayout,
    past: borrowing DisplaceMode?, memory: inout SystemMemory
  ) throws(ScanError) {
    canvas?.ring.beginFrame()
    let slit = try findSlit(settings, &memory.map)
    let seeThrough = settings.warmup == .transparent
    let lineCount = output.lineCount(along: slit.axis, settings)
    let fitting = min(
      max(settings.memoryLimit / output.lineBytes(along: slit.axis), 1), lineCount)
    if canvas?.ring.suits(slit.axis, lineCount: lineCount, fitting: fitting) != true {
      canvas = nil
      canvas = StripCanvas(output, along: slit.axis, lineCount: lineCount, fitting: fitting)
      guard canvas != nil else {
        throw .refused(output.lineBytes(along: slit.axis), for: "the canvas")
      }
      // The frame is the newest of a reserve.
      if settings.reserve > 0 {
        return Self.fill(&canvas, from: past, settings, slit, seeThrough: seeThrough)
      }
    }
    if !settings.freeze { canvas?.push(frame, count: 1, slit: slit, seeThrough: seeThrough) }
  }

  /// Begins a canvas with the lines of the frames in the reserve.
  private static func fill(
    _ canvas: inout StripCanvas?, from past: borrowing DisplaceMode?, _ settings: ScanSettings,
    _ slit: Slit, seeThrough: Bool
  ) {
    switch past {
    case .none: break
    case .some(let past):
      canvas?.push(
        past.history, count: min(past.history.count, settings.reserve), slit: slit,
        seeThrough: seeThrough)
    }
  }

  private mutating func findSlit(
    _ settings: ScanSettings, _ map: inout MapInputs
  ) throws(ScanError) -> Slit {
    let isTraced = Slit.isTraced(settings)
    if isTraced { try map.prepare(settings, tiles: tiles, for: .pixels) }
    let key = Slit.Key(settings, revision: isTraced ? map.valuesRevision ?? 0 : 0)
    if let slit, slit.key == key { return slit.slit }
    var slit = Slit(key, width: tiles.layout.width, height: tiles.layout.height)
    if isTraced {
      switch map.surfaces {
      case .none: break
      case .some(let surfaces): slit.trace(surfaces, pixels: tiles.pixelPlane)
      }
    }
    self.slit = (key, slit)
    return slit
  }

  package mutating func draw(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) throws(ScanError) {
    try canvas?.draw(settings, warmup: settings.warmup, into: &target, workers: memory.workers)
  }

  package mutating func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyBytes += canvas?.byteCount ?? 0
    canvas?.ring.describe(in: &report)
  }
}
