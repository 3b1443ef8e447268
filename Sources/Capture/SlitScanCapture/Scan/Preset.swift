// A preset is a named set of property values.

import GStreamer

/// A set of property values that has a name: one that came with the plugin, or of the user's own.
public struct Preset: Sendable, Equatable {
  /// Its name, which ``Scan/preset`` takes.
  public let name: String
  /// Its description in a sentence; nil if it has none.
  public let summary: String?
  /// The properties that are not at their defaults, by their names.
  public let properties: [String: Value]

  /// All that there are, in the order of their names.
  ///
  /// - Throws: ``CaptureError/Code/missingElement``.
  public static func all() throws(CaptureError) -> [Preset] {
    let element = try ValidatedScan.makeElement()
    var presets: [Preset] = []
    for name in element.presets.sorted() {
      guard let settled = try? ValidatedScan(Scan(preset: name)) else { continue }
      var changed: [String: Value] = [:]
      for property in element.properties {
        let value = settled.value(of: property.name)
        if value != property.defaultValue { changed[property.name] = value }
      }
      presets.append(
        Preset(
          name: name, summary: element.presetMetadata("comment", of: name), properties: changed))
    }
    return presets
  }
}
