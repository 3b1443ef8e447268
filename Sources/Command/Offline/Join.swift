// The command `slitscan join` joins the rendered parts of a film.

import ArgumentParser
import SlitScanCapture
import SlitScanRender

struct Join: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join the parts made by slitscan render --segment.",
    discussion: """
      The frames of all parts are copied into one film without re-encoding; the sound is encoded. The \
      order of the arguments does not matter. It is an error if a part is missing, duplicate, or of \
      another film.

        slitscan join part-*.mkv -o film.mp4

      \(ExitStatus.help)
      """)

  @Argument(help: ArgumentHelp("All parts of one film, in any order.", valueName: "part"))
  var parts: [String]

  @OptionGroup var sound: SoundOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = FilmSettings(
      audioCodec: sound.audioCodec, audioBitRate: sound.audioBitRate.bits)
    let joining = FilmJoining(
      parts, to: output.output, settings: settings, replacesOutput: output.force)
    let meter = output.meter
    let result = try await endingAsSaid(json: output.json, meter) {
      try await joining.run { meter.update($0) }
    }
    try output.tell(result, in: meter.seconds)
  }
}
