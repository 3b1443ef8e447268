// The command `slitscan osc` lists the OSC addresses that a show accepts.

import ArgumentParser
import SlitScanStage

struct OSC: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the addresses of OSC that `slitscan live --osc` takes.",
    discussion: """
      Examples:

        slitscan osc
        slitscan osc --open-stage-control > slitscan.json
      """)

  @Flag(help: "Print a surface for Open Stage Control instead.")
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
