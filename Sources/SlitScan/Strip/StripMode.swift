// The strip mode appends the slit's lines of every frame to a canvas.

internal import CSlitScanSettings

/// A slit, and the canvas that its lines are appended to.
package struct StripMode: ~Copyable, ScanMode {
  private let tiles: TiledLayout
  private var canvas: StripCanvas?
  private var slit: (key: Slit.Key, slit: Slit)?

  package init(_ memory: borrowing SystemMemory, _ tiles: TiledLayout) { self.tiles = tiles }

  package mutating func forget() { canvas = nil }

  package mutating func take(
    _ frame: borrowing FrameSpan, time: UInt64, settings: ScanSettings, output: FrameLayout,
    memory: inout SystemMemory
  ) throws(ScanError) {
    canvas?.ring.beginFrame()
    let slit = try findSlit(settings, &memory.map)
    let seeThrough = settings.warmup == .transparent
    let fitting = output.keptCount(along: slit.axis, within: settings.memoryLimit)
    if canvas?.ring.suits(slit.axis, fitting: fitting) != true {
      canvas = nil
      canvas = StripCanvas(output, along: slit.axis, fitting: fitting, seeThrough: seeThrough)
      guard canvas != nil else {
        throw .refused(output.lineBytes(along: slit.axis), for: "the canvas")
      }
    }
    if !settings.freeze { canvas?.push(frame, slit: slit, seeThrough: seeThrough) }
  }

  private mutating func findSlit(
    _ settings: ScanSettings, _ map: inout MapInputs
  ) throws(ScanError) -> Slit {
    let isTraced = Slit.isTraced(settings.map)
    if isTraced { try map.prepare(settings.map, tiles: tiles, for: .pixels) }
    let key = Slit.Key(settings, revision: isTraced ? map.valuesRevision ?? 0 : 0)
    if let slit, slit.key == key { return slit.slit }
    var slit = Slit(key, width: tiles.layout.width, height: tiles.layout.height)
    if isTraced {
      switch map.surfaces {
      case .none: break
      case .some(let surfaces): slit.trace(surfaces.pixels)
      }
    }
    self.slit = (key, slit)
    return slit
  }

  package func draw(
    _ settings: ScanSettings, memory: inout SystemMemory, into target: inout MutableFrameSpan
  ) {
    canvas?.render(into: &target, scrolls: settings.canvas == .scroll)
  }

  package mutating func describe(_ settings: ScanSettings, in report: inout FrameReport) {
    report.historyBytes += canvas?.byteCount ?? 0
    canvas?.ring.describe(in: &report)
  }
}

// MARK: Settings

extension ScanSettings {
  /// The behaviour when the canvas of a strip is full.
  public enum Canvas: UInt32, Sendable {
    /// The newest line is always at the far end; older ones move on.
    case scroll
    /// Lines stay where they are; the next one starts again at the near end.
    case wrap
  }

  /// The map value at which the slit of a strip lies, 0…1.
  public var position: Double {
    get { values.position }
    set { values.position = newValue }
  }

  /// Lines a strip takes from each frame, in pixels, at least 1.
  public var slitWidth: Int {
    get { values.slit_width }
    set { values.slit_width = newValue }
  }

  /// Length of the canvas along its growth in pixels; 0 is as long as the frame.
  public var canvasLength: Int {
    get { values.canvas_length }
    set { values.canvas_length = newValue }
  }

  /// The behaviour when the canvas of a strip is full.
  public var canvas: Canvas {
    get { Canvas(rawValue: values.canvas.rawValue) ?? .scroll }
    set { values.canvas = SlitScanCanvas(newValue.rawValue) }
  }
}
