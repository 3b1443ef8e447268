// The command `slitscan presets` lists the presets.

import ArgumentParser
import GStreamer
import SlitScanCapture

struct PresetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List the presets, and the properties that they set.",
    discussion: """
        slitscan presets
        slitscan presets Vortex

      Your own presets are GStreamer presets: gst_preset_save_preset() writes them to \
      ~/.local/share/gstreamer-1.0/presets. GST_PRESET_PATH lists further folders.

      \(ExitStatus.help)
      """)

  @Argument(help: "Preset whose properties are listed.")
  var name: String?

  @Flag(help: "Print JSON for other programs: one object per line.")
  var json = false

  func run() async throws {
    let wanted = name
    let presets = try await endingAsSaid(json: json) {
      let all = try Preset.all()
      guard !all.isEmpty else {
        throw CaptureError(
          .badScan,
          "There are no presets. Set GST_PRESET_PATH to the folder of GstSlitScan.prs: gst/presets of the "
            + "sources, or share/gstreamer-1.0/presets of the installation.")
      }
      guard let wanted else { return all }
      let names = all.map(\.name)
      let spelling = Spelling(wanted, in: names)
      let found = all.filter { $0.name == spelling.match }
      guard !found.isEmpty else {
        throw CaptureError(
          .badScan,
          "There is no preset \(wanted).\(spelling.question) There are: "
            + "\(names.joined(separator: ", ")).")
      }
      return found
    }
    if json {
      for preset in presets { try printJSON(PresetLine(preset)) }
    } else if name != nil, let preset = presets.first {
      print(preset.name + (preset.summary.map { ": \($0)" } ?? ""))
      for (name, value) in preset.properties.sorted(by: { $0.key < $1.key }) {
        print("  \(name)=\(value.text)")
      }
    } else {
      let width = presets.map(\.name.count).max() ?? 0
      for preset in presets {
        print(preset.name.padded(to: width + 2) + (preset.summary ?? ""))
      }
    }
  }
}

/// A preset, as a line of JSON.
private struct PresetLine: Encodable {
  let name: String
  let summary: String?
  let properties: [String: JSONValue]

  init(_ preset: Preset) {
    name = preset.name
    summary = preset.summary
    properties = preset.properties.mapValues(JSONValue.init)
  }
}

/// A value of a property in JSON.
private struct JSONValue: Encodable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .bool(let bool): try container.encode(bool)
    case .int(let number): try container.encode(number)
    case .uint(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    default: try container.encode(value.text)
    }
  }
}
