// The element's properties, as the reference reads them and as the element is given them.

import CSlitScanSettings

/// The settings of a scan: those of the table of properties, in Swift's words.
public struct Settings: Sendable, Equatable {
  /// What the map does to the picture.
  public enum Mode: UInt32, Sendable, CaseIterable {
    case displace, sweep, strip
  }
  /// When the slit visits each pixel.
  public enum Map: UInt32, Sendable, CaseIterable {
    case linear, radial, angular, spiral, grid, random, image, luma, motion, live

    /// Whether it is another with every frame.
    var isMoving: Bool { slit_scan_source_moves(slit_scan_map_source(SlitScanMap(rawValue))) }
  }
  /// What brings the map's values back to 0…1.
  public enum Edge: UInt32, Sendable, CaseIterable {
    case clamp, wrap, mirror
  }
  /// What a delay between two frames shows.
  public enum Interpolation: UInt32, Sendable, CaseIterable {
    case nearest, linear
  }
  /// What a delay shows that is older than what has arrived.
  public enum Warmup: UInt32, Sendable, CaseIterable {
    case hold, live, black, transparent
  }
  /// What a sweep does when it is through.
  public enum SweepLoop: UInt32, Sendable, CaseIterable {
    case once, loop, pingPong
  }
  /// What a strip does when its canvas is full.
  public enum Canvas: UInt32, Sendable, CaseIterable {
    case scroll, wrap
  }

  /// What of the past is kept.
  public enum History: UInt32, Sendable, CaseIterable {
    case needed, whole
  }

  /// Property `mode`.
  public var mode: Mode
  /// Property `map`.
  public var map: Map
  /// Property `angle`, degrees.
  public var angle: Double
  /// Property `center-x`, as a fraction of the width.
  public var centerX: Double
  /// Property `center-y`, as a fraction of the height.
  public var centerY: Double
  /// Property `turns`.
  public var turns: Double
  /// Property `columns`.
  public var columns: Int
  /// Property `rows`.
  public var rows: Int
  /// Property `block-size`, pixels.
  public var blockSize: Int
  /// Property `seed`.
  public var seed: UInt32
  /// Property `motion-threshold`.
  public var motionThreshold: Double
  /// Property `motion-decay`.
  public var motionDecay: Double
  /// Property `invert`.
  public var invert: Bool
  /// Property `map-smoothing`, pixels.
  public var mapSmoothing: Double
  /// Property `gain`.
  public var gain: Double
  /// Property `offset`.
  public var offset: Double
  /// Property `edge`.
  public var edge: Edge
  /// Property `depth`, frames.
  public var depth: Int
  /// Property `duration`, nanoseconds, 0 where `depth` counts.
  public var duration: UInt64
  /// Property `component-spread`.
  public var componentSpread: Double
  /// Property `interpolation`.
  public var interpolation: Interpolation
  /// Property `warmup`.
  public var warmup: Warmup
  /// Property `freeze`.
  public var freeze: Bool
  /// Property `feedback`.
  public var feedback: Double
  /// Property `mix`.
  public var mix: Double
  /// Property `drain`.
  public var drain: Bool
  /// Property `sweep-duration`, nanoseconds.
  public var sweepDuration: UInt64
  /// Property `sweep-loop`.
  public var sweepLoop: SweepLoop
  /// Property `line-width`, pixels.
  public var lineWidth: Double
  /// Property `line-color`, 0xAARRGGBB.
  public var lineColor: UInt32
  /// Property `position`.
  public var position: Double
  /// Property `slit-width`, pixels.
  public var slitWidth: Int
  /// Property `canvas-length`, pixels, 0 for the picture's own.
  public var canvasLength: Int
  /// Property `canvas`.
  public var canvas: Canvas
  /// Property `history`.
  public var history: History

  /// The defaults.
  public init() { self.init(slit_scan_settings_default()) }

  private init(_ values: SlitScanSettings) {
    mode = Mode(rawValue: values.mode.rawValue) ?? .displace
    map = Map(rawValue: values.map.rawValue) ?? .linear
    angle = values.angle
    centerX = values.center_x
    centerY = values.center_y
    turns = values.turns
    columns = Int(values.columns)
    rows = Int(values.rows)
    blockSize = Int(values.block_size)
    seed = values.seed
    motionThreshold = values.motion_threshold
    motionDecay = values.motion_decay
    invert = values.invert
    mapSmoothing = values.map_smoothing
    gain = values.gain
    offset = values.offset
    edge = Edge(rawValue: values.edge.rawValue) ?? .clamp
    depth = Int(values.depth)
    duration = values.duration
    componentSpread = values.component_spread
    interpolation = Interpolation(rawValue: values.interpolation.rawValue) ?? .nearest
    warmup = Warmup(rawValue: values.warmup.rawValue) ?? .hold
    freeze = values.freeze
    feedback = values.feedback
    mix = values.mix
    drain = values.drain
    sweepDuration = values.sweep_duration
    sweepLoop = SweepLoop(rawValue: values.sweep_loop.rawValue) ?? .once
    lineWidth = values.line_width
    lineColor = values.line_color
    position = values.position
    slitWidth = Int(values.slit_width)
    canvasLength = Int(values.canvas_length)
    canvas = Canvas(rawValue: values.canvas.rawValue) ?? .scroll
    history = History(rawValue: values.history.rawValue) ?? .needed
  }

  /// These, as the table has them; the defaults for what changes no picture.
  private var values: SlitScanSettings {
    let others = slit_scan_settings_default()
    return SlitScanSettings(
      mode: SlitScanMode(mode.rawValue), map: SlitScanMap(map.rawValue), mix: mix,
      depth: UInt32(depth), gain: gain, offset: offset, feedback: feedback,
      component_spread: componentSpread, angle: angle, center_x: centerX, center_y: centerY,
      turns: turns, columns: UInt32(columns), rows: UInt32(rows), block_size: UInt32(blockSize),
      seed: seed, motion_threshold: motionThreshold, motion_decay: motionDecay,
      map_smoothing: mapSmoothing, invert: invert, edge: SlitScanEdge(edge.rawValue),
      pointer: others.pointer, duration: duration,
      interpolation: SlitScanInterpolation(interpolation.rawValue),
      warmup: SlitScanWarmup(warmup.rawValue), freeze: freeze, drain: drain,
      history: SlitScanHistory(history.rawValue), sweep_duration: sweepDuration,
      sweep_loop: SlitScanSweepLoop(sweepLoop.rawValue), line_width: lineWidth,
      line_color: lineColor, position: position, slit_width: UInt32(slitWidth),
      canvas_length: UInt32(canvasLength), canvas: SlitScanCanvas(canvas.rawValue),
      max_memory: others.max_memory, threads: others.threads, line_samples: others.line_samples,
      reset_count: others.reset_count)
  }

  /// All properties with their values, as `gst-launch-1.0` would be told them.
  public var properties: [(name: String, value: String)] {
    let values = values
    return (0..<slit_scan_setting_count()).map { index in
      let setting = unsafe slit_scan_setting(values, index)
      let value =
        switch unsafe setting.kind {
        case SLIT_SCAN_KIND_CHOICE: unsafe String(cString: setting.nick)
        case SLIT_SCAN_KIND_SWITCH: unsafe "\(setting.whole != 0)"
        case SLIT_SCAN_KIND_NUMBER: unsafe "\(setting.number)"
        default: unsafe "\(setting.whole)"
        }
      let name = unsafe String(cString: setting.name)
      return (String(name.map { $0 == "_" ? "-" : $0 }), value)
    }
  }

  /// These, each time with the default for one property.
  public var withOneDefault: [Settings] {
    let values = values
    return (0..<slit_scan_setting_count()).map { Settings(slit_scan_settings_without(values, $0)) }
  }

  /// These, with the default for everything that delays in frames do not depend on.
  var delaysOnly: Settings {
    var others = self
    let standard = Settings()
    others.mode = standard.mode
    others.warmup = standard.warmup
    others.freeze = standard.freeze
    others.feedback = standard.feedback
    others.mix = standard.mix
    others.drain = standard.drain
    others.sweepDuration = standard.sweepDuration
    others.sweepLoop = standard.sweepLoop
    others.lineWidth = standard.lineWidth
    others.lineColor = standard.lineColor
    others.position = standard.position
    others.slitWidth = standard.slitWidth
    others.canvasLength = standard.canvasLength
    others.canvas = standard.canvas
    return others
  }
}
