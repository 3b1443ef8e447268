// The command `slitscan osc` lists the OSC addresses that a show accepts.

import ArgumentParser
import SlitScanOSC
import SlitScanStage

struct OSC: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the OSC addresses that `slitscan live --osc` accepts.",
    discussion: """
      Examples:

        slitscan osc
        slitscan osc --open-stage-control > slitscan.json
      """)

  @Flag(help: "Print a session file for Open Stage Control instead.")
  var openStageControl = false

  func run() async throws {
    let stage = try InMemoryStage()
    print(
      openStageControl
        ? OSCAddresses.openStageControlSession(stage.parameters, presets: stage.presets)
        : OSCAddresses.list(stage.parameters, presets: stage.presets))
  }
}
