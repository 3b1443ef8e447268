// The command `slitscan`.

import ArgumentParser
import FoundationEssentials
import GStreamer
import LibC
import SlitScanCapture
import SlitScanPlugin
import SlitScanStage

struct SlitScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slitscan",
    abstract: "Slit-scan video: each pixel from another earlier frame.",
    discussion: """
      The configuration file ~/.config/slitscan/config ($XDG_CONFIG_HOME/slitscan/config) holds default \
      options: a section per command, options without their dashes, several values separated by \
      semicolons, true for flags. Options on the command line override it.

        [live]
        output=window;fullscreen:2
        osc=9000
        remote=true
        set=depth=90;edge=mirror

      SLITSCAN_CONFIG names another file; if it is empty, no file is read.
      """,
    version: SlitScanPlugin.version,
    subcommands: [
      Live.self, OSC.self, Render.self, Join.self, PhotoCommand.self, PresetsCommand.self,
      PropertiesCommand.self, DevicesCommand.self, Bench.self, GPUTrial.self,
    ])
}

@main enum EntryPoint {
  static func main() async {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    GPU.trialCommand = program.map { [$0, GPUTrial.name] }
    var failure: (any Error)?
    do {
      var command = try parse(words(), environment: ProcessInfo.processInfo.environment)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      failure = error
    }
    // Before libraries clean up: graphics drivers crash where something still draws.
    Pipeline.waitUntilAllAreDown()
    if let failure { SlitScanCommand.exit(withError: failure) }
  }

  /// The words that were typed after the name of the command.
  ///
  /// Swift's `CommandLine` has none where a library changes the environment before `main`, as SDL 2 does that is made of
  /// SDL 3.
  ///
  /// - Throws: Where one is not UTF-8: the path in it would become another one.
  static func words() throws -> [String] {
    let line = try Data(ofFile: "/proc/self/cmdline").dropLast()
    return try line.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map { word in
      guard let text = String(validating: word, as: UTF8.self) else {
        throw ValidationError(
          "\"\(String(decoding: word, as: UTF8.self))\" is not UTF-8, as all file names must be. Rename the file."
        )
      }
      return text
    }
  }

  /// The command that was typed, with the settings of the configuration file.
  static func parse(
    _ typed: [String], environment: [String: String]
  ) throws -> any ParsableCommand {
    if typed.first == Live._commandName, typed.contains("--resume"), typed.count > 2 {
      throw ValidationError(
        "--resume starts the last show as it was started. Leave out all other options and sources.")
    }
    guard let path = ConfigFile.path(environment), let name = typed.first, !name.hasPrefix("-")
    else {
      return try SlitScanCommand.parseAsRoot(typed)
    }
    let arguments: [String]
    do throws(CommandError) {
      let file = try ConfigFile(path: path, isNamed: environment["SLITSCAN_CONFIG"] != nil)
      try file.requireSections(
        of: SlitScanCommand.configuration.subcommands.map { $0._commandName })
      arguments = file.arguments(typed)
    } catch {
      throw ValidationError("\(path): \(error)")
    }
    do {
      return try SlitScanCommand.parseAsRoot(arguments)
    } catch {
      // A mistake that is there without the file, too, is not the file's fault.
      guard arguments != typed, (try? SlitScanCommand.parseAsRoot(typed)) != nil else {
        _ = try SlitScanCommand.parseAsRoot(typed)
        throw error
      }
      throw ValidationError("\(path): \(SlitScanCommand.message(for: error))")
    }
  }
}

/// Tries OpenGL, for a process that must survive it.
struct GPUTrial: AsyncParsableCommand {
  static let name = "try-gpu"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Print whether OpenGL works.", shouldDisplay: false)

  func run() async throws {
    GPU.trialCommand = nil
    write(try await GPU.trialAnswer(), to: STDOUT_FILENO)
    // Without the cleanup of graphics libraries, whatever threads of theirs do.
    _exit(0)
  }
}
