// The element's properties, as the reference reads them and as the element is given them.

import CSlitScanSettings

/// The settings of a scan: the fields of the table of properties, and its choices as Swift enums.
@dynamicMemberLookup
public struct Settings: Sendable, Equatable {
  /// The modes: what the map does to the video.
  public enum Mode: UInt32, Sendable, CaseIterable {
    case displace, sweep, strip
  }
  /// The maps: when the slit visits each pixel.
  public enum Map: UInt32, Sendable, CaseIterable {
    case linear, radial, angular, spiral, grid, random, image, luma, motion, live

    /// Whether it is another with every frame.
    var isMoving: Bool { slit_scan_source_moves(slit_scan_map_source(SlitScanMap(rawValue))) }
  }
  /// The ways to bring the map's values back to 0…1.
  public enum Edge: UInt32, Sendable, CaseIterable {
    case clamp, wrap, mirror
  }
  /// The ways to show a delay between two frames.
  public enum Interpolation: UInt32, Sendable, CaseIterable {
    case nearest, linear, motion
  }
  /// The ways to show a delay older than what has arrived.
  public enum Warmup: UInt32, Sendable, CaseIterable {
    case hold, live, black, transparent
  }
  /// The actions of a sweep at its end.
  public enum SweepLoop: UInt32, Sendable, CaseIterable {
    case once, loop, pingPong
  }
  /// The actions of a strip whose canvas is full.
  public enum Canvas: UInt32, Sendable, CaseIterable {
    case scroll, wrap
  }
  /// The parts of history that are kept.
  public enum History: UInt32, Sendable, CaseIterable {
    case needed, whole
  }

  private var values: SlitScanSettings

  /// The defaults.
  public init() { values = slit_scan_settings_default() }

  private init(_ values: SlitScanSettings) { self.values = values }

  /// Whether these are the same settings.
  public static func == (a: Settings, b: Settings) -> Bool {
    slit_scan_settings_equal(a.values, b.values)
  }

  /// A property that is no choice, by the name of its field.
  public subscript<Value>(dynamicMember field: WritableKeyPath<SlitScanSettings, Value>) -> Value {
    get { values[keyPath: field] }
    set { values[keyPath: field] = newValue }
  }

  /// Property `mode`.
  public var mode: Mode {
    get { choice(values.mode) }
    set { values.mode = SlitScanMode(newValue.rawValue) }
  }
  /// Property `map`.
  public var map: Map {
    get { choice(values.map) }
    set { values.map = SlitScanMap(newValue.rawValue) }
  }
  /// Property `edge`.
  public var edge: Edge {
    get { choice(values.edge) }
    set { values.edge = SlitScanEdge(newValue.rawValue) }
  }
  /// Property `interpolation`.
  public var interpolation: Interpolation {
    get { choice(values.interpolation) }
    set { values.interpolation = SlitScanInterpolation(newValue.rawValue) }
  }
  /// Property `warmup`.
  public var warmup: Warmup {
    get { choice(values.warmup) }
    set { values.warmup = SlitScanWarmup(newValue.rawValue) }
  }
  /// Property `sweep-loop`.
  public var sweepLoop: SweepLoop {
    get { choice(values.sweep_loop) }
    set { values.sweep_loop = SlitScanSweepLoop(newValue.rawValue) }
  }
  /// Property `canvas`.
  public var canvas: Canvas {
    get { choice(values.canvas) }
    set { values.canvas = SlitScanCanvas(newValue.rawValue) }
  }
  /// Property `history`.
  public var history: History {
    get { choice(values.history) }
    set { values.history = SlitScanHistory(newValue.rawValue) }
  }

  private func choice<Choice: RawRepresentable>(
    _ value: some RawRepresentable<UInt32>
  ) -> Choice where Choice.RawValue == UInt32 {
    guard let choice = Choice(rawValue: value.rawValue) else {
      preconditionFailure(
        "\(Choice.self) has no case \(value.rawValue): Tests/Support/Reference/Settings.swift.")
    }
    return choice
  }

  /// All properties with their values, as `gst-launch-1.0` takes them, and the modes or maps that use them;
  /// none where everything does.
  public var properties: [(name: String, value: String, users: [String])] {
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
      let users = unsafe String(cString: setting.used_by).split(separator: " ").map(String.init)
      return (String(name.map { $0 == "_" ? "-" : $0 }), value, users)
    }
  }

  /// These, each time with the default for one property.
  public var withOneDefault: [Settings] {
    let values = values
    return (0..<slit_scan_setting_count()).map { Settings(slit_scan_settings_without(values, $0)) }
  }

  /// These, with the switches of presets on or off by the bits of a number.
  public func withSwitches(_ bits: UInt64) -> Settings {
    Settings(slit_scan_settings_with_switches(values, bits))
  }

  /// These, with the default for everything that delays in frames, and what is kept for them, do not
  /// depend on.
  var delaysOnly: Settings {
    var delays = Settings()
    delays.map = map
    delays.angle = self.angle
    delays.center_x = self.center_x
    delays.center_y = self.center_y
    delays.turns = self.turns
    delays.columns = self.columns
    delays.rows = self.rows
    delays.block_size = self.block_size
    delays.seed = self.seed
    delays.motion_threshold = self.motion_threshold
    delays.motion_decay = self.motion_decay
    delays.map_smoothing = self.map_smoothing
    delays.invert = self.invert
    delays.gain = self.gain
    delays.offset = self.offset
    delays.edge = edge
    delays.depth = self.depth
    delays.duration = self.duration
    delays.reserve = self.reserve
    delays.component_spread = self.component_spread
    delays.interpolation = interpolation
    return delays
  }
}
