// The element's properties, as the reference reads them and as the element is given them.

internal import CSettingList
internal import CSlitScanSettings

/// The settings of a scan.
///
/// Their properties and choices are written from the table of properties.
public struct Settings: Sendable, Equatable {
  var values: SlitScanSettings

  /// The defaults.
  public init() { values = slit_scan_settings_default() }

  private init(_ values: SlitScanSettings) { self.values = values }

  /// These, with another value for one property.
  public func with<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var settings = self
    settings[keyPath: property] = value
    return settings
  }

  /// Whether these are the same settings.
  public static func == (a: Settings, b: Settings) -> Bool {
    slit_scan_settings_equal(a.values, b.values)
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
    var delays = Settings(slit_scan_settings_of_map(values, true))
    delays.depth = depth
    delays.duration = duration
    delays.reserve = reserve
    // Of an exposure, the frames that are held for it.
    delays.shutter = shutter == 1 ? 1 : shutter.rounded(.down) + 0.5
    delays.shutterDuration = shutterDuration
    delays.componentSpread = componentSpread
    delays.interpolation = interpolation
    return delays
  }
}

extension Settings.Map {
  /// Whether the map is another with every frame.
  var isMoving: Bool { slit_scan_source_moves(slit_scan_map_source(SlitScanMap(rawValue))) }
}
