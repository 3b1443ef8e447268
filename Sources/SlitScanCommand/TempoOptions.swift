// The tempo, as one types it.

import ArgumentParser
import SlitScanStage

/// The tempo of what is played.
struct TempoOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The tempo to begin with.", valueName: "beats a minute"))
  var bpm = 120.0

  func validate() throws {
    guard Tempo.range.contains(bpm) else {
      throw ValidationError("--bpm is a number from 20 to 400.")
    }
  }
}
