// Tests that the configuration file applies, unless an option overrides it.

import ArgumentParser
import CommandUnderTest
import Foundation
import TemporaryFolder
import Testing

@testable import SlitScanCommand

struct ConfigTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  /// Gives `body` an environment with a configuration file.
  private func withConfig<Result>(
    _ config: String, _ body: ([String: String]) async throws -> Result
  ) async throws -> Result {
    let place = folder.appending(path: "slitscan")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(config.utf8).write(to: place.appending(path: "config"))
    return try await body(["XDG_CONFIG_HOME": folder.path])
  }

  private func parse(_ line: String, config: String) async throws -> any ParsableCommand {
    try await withConfig(config) {
      try EntryPoint.parse(line.split(separator: " ").map(String.init), environment: $0)
    }
  }

  @Test func optionsOfACommandAreItsOwn() async throws {
    let config = "# Mine\n[presets]\njson=true\n[live]\nnonsense=1\n"
    let json = try await withConfig(config) {
      try await Command.run([Command.slitscan, "presets", "Vortex"], environment: $0).text
    }
    #expect(json.hasPrefix("{"), "\(json)")
    #expect(try await parse("osc", config: config) is OSC)
  }

  @Test func theFileMayBeginWithAByteOrderMark() async throws {
    let config = "\u{FEFF}[live]\nmoves=show.txt\n"
    #expect(try await (parse("live pattern:ball", config: config) as? Live)?.moves == "show.txt")
  }

  @Test func optionsOverrideTheFile() async throws {
    let config = """
      [live]
      duration=100
      output=sink:fakesink;sink:nonsense
      set=depth=7;map=radial
      moves=/proc/no
      """
    let typed = "live pattern:ball --duration=0.5 --output sink:fakesink --set map=spiral --moves m"
    let live = try #require(try await parse(typed, config: config) as? Live)
    #expect(live.duration == .milliseconds(500) && live.outputs == ["sink:fakesink"])
    #expect(live.presetOptions.scan() == ["depth": "7", "map": "spiral"])
    #expect(live.moves == "m")
    let written = try #require(
      try await parse("live pattern:ball --moves m", config: config) as? Live)
    #expect(written.duration == .seconds(100))
    #expect(written.outputs == ["sink:fakesink", "sink:nonsense"])
  }

  /// The message of an error of usage.
  private func mistake(_ line: String, config: String) async throws -> String {
    let error = try #require(
      await #expect(throws: (any Error).self) { try await parse(line, config: config) })
    #expect(SlitScanCommand.exitCode(for: error) == .validationFailure)
    return SlitScanCommand.fullMessage(for: error)
  }

  @Test(arguments: [
    ("[live]\nnonsense=1\n", "Unknown option '--nonsense'"), ("[live]\nbpm=fast\n", "fast"),
    ("nonsense", "/slitscan/config"), ("[live\n", "/slitscan/config"),
    ("[live]\nset=depth=abc\n", "depth must be a whole number"),
    ("[nope]\nset=depth=3\n", "[nope]"), ("[lvie]\nbpm=90\n", "Did you mean live?"),
  ]) func aFileThatMakesNoSenseIsNamed(config: String, sentence: String) async throws {
    let text = try await mistake("live pattern:ball --output sink:fakesink", config: config)
    #expect(text.contains("/slitscan/config: ") && text.contains(sentence), "\(text)")
    // What is typed wrong is not the file's fault.
    let typed = try await mistake("live --no-such-option", config: "[live]\nfps=30\n")
    #expect(!typed.contains("config: "), "\(typed)")
  }

  @Test func aFileThatIsNamedMustBeThere() throws {
    let error = try #require(
      #expect(throws: (any Error).self) {
        try EntryPoint.parse(["osc"], environment: ["SLITSCAN_CONFIG": "/no/such/config"])
      })
    #expect(SlitScanCommand.fullMessage(for: error).contains("/no/such/config: "))
    _ = try EntryPoint.parse(["osc"], environment: ["SLITSCAN_CONFIG": ""])
    _ = try EntryPoint.parse(["osc"], environment: ["HOME": "/no/such/home"])
  }
}
