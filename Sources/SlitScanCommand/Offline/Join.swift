// The command `slitscan join` joins the rendered parts of a film.

import ArgumentParser
import SlitScanCapture
import SlitScanRender

struct Join: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join the parts that slitscan render --segment has made.",
    discussion: """
      The pictures of all parts go into one film as they are, and their sound is encoded. The order in \
      which parts are named does not matter; a part that is missing, twice there, or of another film is \
      refused.

        slitscan join part-*.mkv -o film.mp4

      \(ExitStatus.help)
      """)

  @Argument(help: ArgumentHelp("All parts of a film.", valueName: "part"))
  var parts: [String]

  @OptionGroup var sound: SoundOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = FilmSettings(
      audioCodec: sound.audioCodec, audioBitRate: sound.audioBitRate.bits)
    let joining = FilmJoining(
      parts, to: output.output, settings: settings, replacesOutput: output.force)
    let meter = output.meter
    let begin = ContinuousClock.now
    let result = try await endingAsSaid(json: output.json, meter) {
      try await joining.run { meter.update($0) }
    }
    try output.tell(result, since: begin)
  }
}
