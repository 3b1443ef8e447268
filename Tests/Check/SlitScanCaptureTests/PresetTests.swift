// Tests of the presets that come with the plugin.

import Foundation
import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct PresetTests {
  /// The presets of a file by their names.
  private static func presets(_ path: String) throws -> [String: [String: Value]] {
    var presets: [String: [String: Value]] = [:]
    var name = ""
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("[") {
        name = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
        presets[name, default: [:]][String(line[..<equals])] = .string(
          String(line[line.index(after: equals)...]))
      }
    }
    presets["_presets_"] = nil
    return presets
  }

  /// GStreamer silently ignores entries of a preset that it does not understand.
  @Test func everyWordOfEveryPresetIsUnderstood() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = folder.appending(path: "../../../gst/presets/GstSlitScan.prs").standardized.path
    let presets = try Self.presets(path)
    #expect(!presets.isEmpty)
    for (name, properties) in presets {
      let values = properties.filter { !$0.key.hasPrefix("_") }
      #expect(!values.isEmpty, "\(name)")
      #expect(throws: Never.self, "\(name)") { _ = try ValidatedScan(Scan(preset: nil, values)) }
    }
  }
}
