// Tests of the presets that come with the plugin.

import Foundation
import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct PresetTests {
  /// The looks of a preset file by their names.
  private static func looks(_ path: String) throws -> [String: [String: Value]] {
    var looks: [String: [String: Value]] = [:]
    var name = ""
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("[") {
        name = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
        looks[name, default: [:]][String(line[..<equals])] = .string(
          String(line[line.index(after: equals)...]))
      }
    }
    looks["_presets_"] = nil
    return looks
  }

  /// GStreamer leaves out of a preset what it does not understand, and says so to nobody.
  @Test func everyWordOfEveryPresetIsUnderstood() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = folder.appending(path: "../../gst/presets/GstSlitScan.prs").standardized.path
    let looks = try Self.looks(path)
    #expect(looks.count == 20)
    for (name, properties) in looks {
      let values = properties.filter { !$0.key.hasPrefix("_") }
      #expect(!values.isEmpty, "\(name)")
      #expect(throws: Never.self, "\(name)") { _ = try ValidatedScan(Scan(preset: nil, values)) }
    }
  }
}
