// Tests of the distributed plugin with the system's tools.

import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct PluginTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test func thePluginNeedsNoSwift() async throws {
    let result = try await Command.run("ldd $GST_PLUGIN_PATH/libgstslitscan.so")
    #expect(result.text.contains("libgstreamer-1.0"))
    #expect(!result.text.lowercased().contains("swift"))
    #expect(!result.text.contains("Foundation"))
    #expect(!result.text.contains("not found"))
  }

  @Test func thePluginShowsHowToLoadItAndItsType() async throws {
    let result = try await Command.run(
      "nm -D --defined-only $GST_PLUGIN_PATH/libgstslitscan.so | awk '{ print $3 }' | sort")
    #expect(
      result.text == "gst_plugin_slitscan_get_desc\ngst_plugin_slitscan_register\n"
        + "gst_slit_scan_get_type\n")
  }

  @Test func aSwiftProgramAndThePluginKeepTheirRuntimesApart() async throws {
    let result = try await Command.run(Command.pluginHost)
    #expect(
      result.text == "100 frames, the same from both\nlibgstslitscan.so libswiftCore.so\n",
      "\(result.text)")
  }

  @Test func everyPropertySaysWhatItIs() async throws {
    let result = try await Command.run("gst-inspect-1.0 slitscan")
    let described = try await Command.run("\(Command.slitscan) properties --json")
    let own = try described.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(own.count > 40)
    let words = [
      "px": "pixel", "ns": "nanoseconds", "°": "degrees", "B": "bytes", "frames": "frames",
      "lines": "lines", "0xAARRGGBB": "0xAARRGGBB",
    ]
    let lines = result.text.components(separatedBy: "\n")
    for property in own {
      let name = try #require(property["name"] as? String)
      let start = try #require(
        lines.firstIndex { $0.hasPrefix("  \(name) ") }, "no property \(name)")
      #expect(lines[start].split(separator: ":").count >= 2)
      #expect(lines[start + 1].contains("flags: readable"))
      // A structure has fields in its place.
      #expect(lines[start + 2].contains(name == "stats" ? "GstStructure" : "Default:"))
      #expect(property["group"] is String)
      guard let unit = property["unit"] as? String else { continue }
      let word = try #require(words[unit], "There is no word for the unit \(unit).")
      #expect(
        lines[start].drop { $0 != ":" }.contains(word),
        "\(name) does not say that it counts \(word).")
    }
    // Numbers without a unit, and those in a structure.
    for (name, word) in [
      ("center-x", "fraction"), ("motion-threshold", "fraction"), ("component-spread", "fraction"),
      ("stats", "nanoseconds"),
    ] {
      let line = try #require(lines.first { $0.hasPrefix("  \(name) ") })
      #expect(line.contains(word))
    }
    #expect(result.text.contains("Filter/Effect/Video"))
    #expect(result.text.contains("MPL-2.0"))
    #expect(result.text.contains("\"reset\""))
    #expect(result.text.contains("\"snapshot\""))
  }

  @Test func nothingLeaks() async throws {
    for properties in [
      "", "mode=sweep sweep-loop=loop", "mode=strip canvas-length=50", "max-memory=100000",
      "warmup=black interpolation=linear map=radial", "mix=0", "drain=true depth=20",
    ] {
      let result = try await Command.run(
        "gst-launch-1.0 -q videotestsrc num-buffers=30 ! video/x-raw,format=YUY2 ! "
          + "slitscan \(properties) ! video/x-raw,format=BGRx ! fakesink",
        environment: ["GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7"])
      // What is alive at the end has a line with its type; the line with %s declares the format.
      let alive = result.text.components(separatedBy: "\n").filter {
        $0.contains("object-alive, type-name=(string)") && !$0.contains("%s")
      }
      #expect(alive.isEmpty)
    }
  }

  @Test func theCommandHasThePluginsVersion() async throws {
    let plugin = try await Command.run(
      "gst-inspect-1.0 slitscan | awk '$1 == \"Version\" { print $2 }'")
    let command = try await Command.run("\(Command.slitscan) --version")
    #expect(command.text == plugin.text && command.text.contains("."), "\(command.text)")
  }

  @Test func aPresetHoldsTheEffectAndNothingElse() async throws {
    let presets = """
      [_presets_]
      version=1.22
      element-name=GstSlitScan

      [Mine]
      mode=strip
      angle=90
      canvas-length=123
      name=renamed
      max-memory=1
      freeze=true
      """
    try presets.write(
      to: folder.appending(path: "GstSlitScan.prs"), atomically: true, encoding: .utf8)
    let result = try await Command.run(
      "gst-launch-1.0 -v videotestsrc num-buffers=5 ! slitscan @preset=Mine ! fakesink",
      environment: ["GST_PRESET_PATH": folder.path, "XDG_DATA_HOME": folder.path])
    #expect(result.text.contains("width=(int)123"), "\(result.text)")
    #expect(!result.text.contains("renamed"))
    // Presets do not hold max-memory, which would warn of a canvas of one line.
    #expect(!result.text.contains("WARNING"))
  }

  @Test func presetsThatComeWithThePluginNeedNoFile() async throws {
    let play =
      "gst-launch-1.0 -v videotestsrc num-buffers=5 ! video/x-raw,width=64,height=48 ! slitscan "
    let alone = "unset GST_PRESET_PATH; export XDG_DATA_HOME=$PWD; "
    let shipped = try await Command.run(
      alone + "gst-inspect-1.0 slitscan; \(Command.slitscan) presets; "
        + play + "@preset='Photo Finish' ! fakesink", in: folder)
    #expect(shipped.text.contains("\"Video Wall\""), "\(shipped.text)")
    #expect(shipped.text.contains("Vortex          Spiral arms"), "\(shipped.text)")
    // One of the user's own counts more, and the others are still there.
    let own = """
      [_presets_]
      version=1.22
      element-name=GstSlitScan

      [Photo Finish]
      mode=strip
      angle=90
      canvas-length=123
      """
    let files = folder.appending(path: "gstreamer-1.0/presets")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try own.write(to: files.appending(path: "GstSlitScan.prs"), atomically: true, encoding: .utf8)
    let both = try await Command.run(
      alone + play + "@preset='Photo Finish' ! slitscan @preset=Vortex ! fakesink", in: folder)
    #expect(both.text.contains("width=(int)123"), "\(both.text)")
  }
}
