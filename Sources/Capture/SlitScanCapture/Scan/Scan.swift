// The scan parameters of a capture: the element's properties as a value.

import GStreamer
import SlitScanPlugin

/// The parameters of the effect: a preset, and properties of the element `slitscan`.
///
/// ```swift
/// let scan = Scan(map: .radial, depth: 60, interpolation: .linear)
/// let another = Scan(preset: "Vortex", gain: 4)
/// let typed: Scan = ["map": "radial", "duration": "2s"]
/// try typed.validate()
/// ```
///
/// `slitscan properties` lists the properties with their ranges. What is not named has its
/// default value, or the preset's.
public struct Scan: Sendable, Equatable {
  /// The preset to begin with; nil for the defaults.
  public var preset: String?
  /// Values by the names of properties.
  public var properties: [String: Value]

  /// The effect as its defaults make it.
  public init() { properties = [:] }

  /// The effect as a preset and some properties make it.
  public init(preset: String? = nil, _ properties: [String: Value]) {
    self.preset = preset
    self.properties = properties
  }

  /// Frames leave as they came.
  package static let off = Scan(mix: 0, depth: 1)

  /// Checks the preset, the names and the values, as every use of the scan does.
  ///
  /// Whether the image at `map-location` can be read is found out by what starts with it.
  ///
  /// - Throws: ``CaptureError/Code/badScan``, with what there is instead;
  ///   ``CaptureError/Code/missingElement``.
  public func validate() throws(CaptureError) { _ = try ValidatedScan(self) }
}

/// A type of the values of typed properties.
protocol ScanValue {
  /// The type from the value of a property, nil where it does not fit.
  init?(scanValue: Value)
  /// As the value of a property.
  var scanValue: Value { get }
}

extension Scan {
  /// A property by its name; nil if it is not named, or its value has another type.
  func typed<Property: ScanValue>(_ name: String) -> Property? {
    properties[name].flatMap { Property(scanValue: $0) }
  }

  /// Names a property, or no longer.
  mutating func setTyped(_ name: String, _ value: (some ScanValue)?) {
    properties[name] = value?.scanValue
  }
}

extension ScanValue where Self: ValueConvertible {
  init?(scanValue: Value) { self.init(from: scanValue) }
  var scanValue: Value { value }
}

extension ScanValue where Self: RawRepresentable<String> {
  init?(scanValue: Value) { self.init(rawValue: scanValue.text) }
  var scanValue: Value { .string(rawValue) }
}

extension Bool: ScanValue {}
extension Int: ScanValue {}
extension UInt32: ScanValue {}
extension UInt64: ScanValue {}
extension String: ScanValue {}

extension Double: ScanValue {
  init?(scanValue: Value) {
    if case .int(let number) = scanValue {
      self = Double(number)
    } else {
      self.init(from: scanValue)
    }
  }
}

extension ClockTime: ScanValue {
  init?(scanValue: Value) {
    if case .string(let text) = scanValue {
      guard let time = PropertyUnit.time(text) else { return nil }
      self = time
    } else {
      guard let nanoseconds = UInt64(from: scanValue) else { return nil }
      self.init(nanoseconds: nanoseconds)
    }
  }

  var scanValue: Value { nanoseconds.value }
}

extension Scan: ExpressibleByDictionaryLiteral {
  /// The effect as some properties make it.
  public init(dictionaryLiteral properties: (String, Value)...) {
    self.init(preset: nil, Dictionary(properties) { _, last in last })
  }
}

/// A checked ``Scan``: a value for each property of the effect.
///
/// Validated on an element outside of any pipeline, so errors are known before anything changes.
package struct ValidatedScan: Sendable {
  private let values: [(name: String, value: Value)]

  package init(_ scan: Scan) throws(CaptureError) {
    let element = try Self.makeElement()
    do throws(GStreamerError) {
      if let preset = scan.preset { try element.loadPreset(preset) }
      for (name, value) in scan.properties.sorted(by: { $0.key < $1.key }) {
        try Self.set(name, to: value, of: element)
      }
      values = try element.properties.filter { !$0.isInherited && $0.isWritable }.map {
        (property) throws(GStreamerError) in
        (property.name, try element.get(property.name))
      }
    } catch {
      throw CaptureError(.badScan, error.message, underlying: error)
    }
  }

  /// Sets a property, whose text may have a unit, such as `5s`.
  private static func set(
    _ name: String, to value: Value, of element: Element
  ) throws(GStreamerError) {
    guard case .string(let text) = value, let unit = PropertyUnit(of: name, in: element) else {
      return try element.set(name, to: value)
    }
    if let number = unit.number(text) { return try element.set(name, to: number) }
    // A number is one of the property's own unit, as in a launch line.
    guard Double(text) != nil || text.hasPrefix("0x") else {
      throw GStreamerError(
        .wrongType, "The property \(name) must be \(unit.words), not \"\(text)\".",
        source: element.name)
    }
    try element.set(name, to: value)
  }

  /// The value of a property, nil if there is none of this name.
  package func value(of property: String) -> Value? {
    values.first { $0.name == property }?.value
  }

  /// The folder in which history is kept for which there is no memory; nil for none.
  package var historyLocation: String? {
    guard case .string(let folder)? = value(of: "history-location"), !folder.isEmpty else {
      return nil
    }
    return folder
  }

  /// Reads the image of the map, where the settings name one or need one.
  package func requireMapImage() async throws(CaptureError) {
    guard case .string(let location)? = value(of: "map-location"), !location.isEmpty else {
      guard value(of: "map") == .nick("image") else { return }
      throw CaptureError(
        .badMapImage,
        "map=image has no image file. Set map-location to a PNG, JPEG or PGM file.")
    }
    try await Self.requireMapImage(at: location)
  }

  /// Reads an image as the effect does, which says what comes of it.
  package static func requireMapImage(at location: String) async throws(CaptureError) {
    let element = try makeElement()
    do {
      try element.set("map-location", to: location)
      let pipeline = try Pipeline()
      try await pipeline.add(element)
      let messages = pipeline.bus.messages
      try await pipeline.stopping {
        try await pipeline.pause()
        for await message in messages {
          if message.structure?.name == "slitscan-map-loaded" { break }
          if let error = message.mapImageWarning { throw error }
        }
      }
      try Task.checkCancellation()
    } catch {
      throw .of(error, before: "the map image was read") {
        CaptureError(.badMapImage, $0.message, underlying: $0)
      }
    }
  }

  /// A new element `slitscan`.
  package static func makeElement(name: String? = nil) throws(CaptureError) -> Element {
    guard SlitScanPlugin.isRegistered else {
      throw CaptureError(.missingElement, "GStreamer cannot start or cannot register slitscan.")
    }
    do throws(GStreamerError) {
      return try Element("slitscan", name: name)
    } catch {
      throw CaptureError(.missingElement, error.message, underlying: error)
    }
  }

  /// Sets what differs.
  ///
  /// - Important: For all to take effect with the same frame, no frame may be under way.
  package func apply(to element: Element) {
    for (name, value) in values where (try? element.get(name, as: Value.self)) != value {
      // Another element of the kind has taken it.
      try? element.set(name, to: value)
    }
  }
}

extension Message {
  /// The effect's warning that it has no image for its map; nil where the message is another.
  package var mapImageWarning: GStreamerError? {
    effectWarning.flatMap { $0.debug?.contains("map-location is") == true ? $0 : nil }
  }

  /// The effect's warning about its history on disk; nil where the message is another.
  package var historyWarning: GStreamerError? {
    let codes: [GStreamerError.Code] = [
      .resourceOpenReadWrite, .resourceWrite, .resourceRead, .resourceBusy, .resourceSettings,
    ]
    return effectWarning.flatMap { codes.contains($0.code) ? $0 : nil }
  }

  private var effectWarning: GStreamerError? {
    ["slitscan", "glslitscan"].contains(source?.factoryName) && kind == .warning ? error : nil
  }
}
