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
      return try all.named(wanted, "preset", \.name)
    }
    if json {
      for preset in presets { try printJSON(preset.json) }
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

extension Preset {
  fileprivate var json: JSONObject {
    ["name": name, "summary": summary, "properties": JSONObject(properties.mapValues(\.json))]
  }
}

extension Value {
  fileprivate var json: any Encodable {
    switch self {
    case .bool(let bool): bool
    case .int(let number): number
    case .uint(let number): number
    case .double(let number): number
    default: text
    }
  }
}
