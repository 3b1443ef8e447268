// The command `slitscan`: what a terminal can ask of the effect.

import ArgumentParser

@main
struct SlitScanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slitscan",
    abstract: "Slit-scan video: every pixel from a different moment.",
    subcommands: [
      Live.self, OSC.self, Render.self, Join.self, PhotoCommand.self, PresetsCommand.self,
      DevicesCommand.self, Bench.self,
    ])
}
