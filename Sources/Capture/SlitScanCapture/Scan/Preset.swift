// A preset is a named set of property values.

import GStreamer

/// A set of property values that has a name: one that came with the plugin, or of the user's own.
public struct Preset: Sendable, Equatable {
  /// Its name, which ``Scan/preset`` takes.
  public let name: String
  /// Its description in a sentence; nil if it has none.
  public let summary: String?
  /// The properties that are not at their defaults, in the order of their names.
  public let properties: [(name: String, value: Value)]

  /// All that there are, in the order of their names.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public static func all() throws(CaptureError) -> [Preset] {
    let element = try ValidatedScan.makeElement()
    var presets: [Preset] = []
    for name in element.presets.sorted() {
      guard let settled = try? ValidatedScan(Scan(preset: name)) else { continue }
      let changed = element.properties.compactMap { property in
        settled.value(of: property.name).flatMap { value in
          value == property.defaultValue ? nil : (property.name, value)
        }
      }
      presets.append(
        Preset(
          name: name, summary: element.presetComment(name),
          properties: changed.sorted { $0.0 < $1.0 }))
    }
    return presets
  }

  /// Whether both are alike.
  public static func == (left: Preset, right: Preset) -> Bool {
    left.name == right.name && left.summary == right.summary
      && left.properties.elementsEqual(right.properties) {
        $0.name == $1.name && $0.value == $1.value
      }
  }
}
