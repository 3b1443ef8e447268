// The strip mode appends the slit's lines of every frame to a canvas.

internal import CSlitScanSettings

/// A slit, and the canvas that its lines are appended to.
struct StripMode: ~Copyable {
  private var canvas: StripCanvas?
  private var slit: (key: SlitKey, slit: Slit)?
  /// The lines of the canvas that settings allow.
  private var fitting = 0
  /// Whether the canvas has become full with the last frame.
  private var completes = false

  /// The key that a slit was made for.
  private struct SlitKey: Equatable {
    var map: MapSettings
    var surfaces: Int
    var position: Double
    var lineCount: Int
  }

  init() {}

  /// The bytes of memory that the canvas takes.
  var byteCount: Int {
    switch canvas {
    case .none: 0
    case .some(let canvas): canvas.byteCount
    }
  }

  /// The lines of the canvas, nil before the first frame.
  private var ring: StripRing? {
    switch canvas {
    case .none: nil
    case .some(let canvas): canvas.ring
    }
  }

  /// Which way the canvas grows, nil before the first frame.
  private var axis: StripAxis? {
    switch canvas {
    case .none: nil
    case .some(let canvas): canvas.axis
    }
  }

  /// Takes a frame in.
  ///
  /// - Throws: ``ScanError`` when there is no memory.
  mutating func take(
    _ frame: borrowing FrameSpan, settings: ScanSettings, input: TiledLayout, output: FrameLayout,
    map: inout MapInputs
  ) throws(ScanError) {
    completes = false
    let slit = try findSlit(settings, input, &map)
    let seeThrough = settings.warmup == .transparent
    let fitting = output.keptCount(along: slit.axis, within: settings.memoryLimit)
    if axis != slit.axis || fitting != self.fitting {
      canvas = nil
      canvas = StripCanvas(output, axis: slit.axis, keeping: fitting, seeThrough: seeThrough)
      guard canvas != nil else {
        throw .refused(output.lineBytes(along: slit.axis), for: "the canvas")
      }
      self.fitting = fitting
    }
    guard !settings.freeze else { return }
    completes = canvas?.push(frame, slit: slit, seeThrough: seeThrough) ?? false
  }

  /// Puts the canvas into a report.
  func describe(in report: inout FrameReport) {
    report.completes = completes
    ring?.describe(fitting: fitting, in: &report)
  }

  private mutating func findSlit(
    _ settings: ScanSettings, _ input: TiledLayout, _ map: inout MapInputs
  ) throws(ScanError) -> Slit {
    let isTraced = Slit.isTraced(settings.map)
    if isTraced { try map.prepare(settings.map, tiles: input, for: .pixels) }
    let key = SlitKey(
      map: settings.map, surfaces: isTraced ? map.valuesRevision ?? 0 : 0,
      position: settings.position, lineCount: settings.slitWidth)
    if let slit, slit.key == key { return slit.slit }
    var slit = Slit(
      key.map, position: key.position, lineCount: key.lineCount,
      width: input.layout.width, height: input.layout.height)
    if isTraced {
      switch map.surfaces {
      case .none: break
      case .some(let surfaces): slit.trace(surfaces.pixels)
      }
    }
    self.slit = (key, slit)
    return slit
  }

  /// Draws the canvas.
  func draw(_ settings: ScanSettings, into target: inout MutableFrameSpan) {
    canvas?.render(into: &target, scrolls: settings.canvas == .scroll)
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
