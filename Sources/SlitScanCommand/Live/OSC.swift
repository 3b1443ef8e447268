// The command `slitscan osc` lists the OSC addresses that a show accepts.

import ArgumentParser
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
    do throws(StageError) {
      let stage = try PaperStage()
      print(
        openStageControl
          ? OSCAddresses.openStageControlSession(stage.knobs, presets: stage.presets)
          : OSCAddresses.list(stage.knobs, presets: stage.presets))
    } catch {
      throw CommandError(error.message)
    }
  }
}
