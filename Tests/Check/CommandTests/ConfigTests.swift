// Tests that the configuration file applies, unless an option overrides it.

import CommandUnderTest
import Foundation
import Testing

@Suite(.serialized, .enabled(if: Command.isPrepared))
struct ConfigTests {
  /// Runs the command with a configuration file.
  private func run(_ arguments: String, config: String) async throws -> CommandResult {
    try await Command.withFolder { folder in
      let place = folder.appending(path: "slitscan")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data(config.utf8).write(to: place.appending(path: "config"))
      return try await Command.run(
        "\(Command.slitscan) \(arguments)",
        environment: [
          "XDG_CONFIG_HOME": folder.path,
          "GST_PRESET_PATH": Command.root.appending(path: "gst/presets").path,
        ])
    }
  }

  @Test func optionsOfACommandAreItsOwn() async throws {
    let config = "# Mine\n[presets]\njson=true\n[live]\nnonsense=1\n"
    let json = try await run("presets Vortex", config: config)
    #expect(json.status == 0 && json.text.hasPrefix("{"), "\(json.text)")
    let other = try await run("osc", config: config)
    #expect(other.status == 0 && !other.text.contains("{\""), "\(other.text)")
  }

  @Test func optionsOverrideTheFile() async throws {
    let config = """
      [live]
      duration=100
      output=sink:fakesink;sink:nonsense
      set=depth=7;map=radial
      moves=/proc/no
      """
    try await Command.withFolder { folder in
      let result = try await run(
        "live pattern:ball --duration=0.5 --output sink:fakesink --set map=spiral "
          + "--moves \(folder.path)/moves.txt", config: config)
      #expect(result.status == 0, "\(result.text)")
      #expect(!result.text.contains("nonsense"), "\(result.text)")
    }
    let written = try await run("live pattern:ball --moves /dev/null", config: config)
    #expect(written.status == 1)
    #expect(written.text.contains("nonsense"), "\(written.text)")
  }

  @Test(arguments: [
    ("[live]\nnonsense=1\n", "Unknown option '--nonsense'"), ("[live]\nbpm=fast\n", "fast"),
    ("nonsense", "/slitscan/config"), ("[live\n", "/slitscan/config"),
  ]) func aFileThatMakesNoSenseIsNamed(config: String, sentence: String) async throws {
    let result = try await run("live pattern:ball --output sink:fakesink", config: config)
    #expect(result.status == 64)
    #expect(result.text.contains("/slitscan/config: "), "\(result.text)")
    #expect(result.text.contains(sentence), "\(result.text)")
    // What is typed wrong is not the file's fault.
    let typed = try await run("live --no-such-option", config: "[live]\nfps=30\n")
    #expect(typed.status == 64 && !typed.text.contains("config: "), "\(typed.text)")
  }
}
