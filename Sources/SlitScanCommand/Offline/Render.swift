// The command `slitscan render` renders films through the effect.

import ArgumentParser
import GStreamer
import SlitScanCapture
import SlitScanRender
import SlitScanStage

struct Render: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put films through the effect, with their sound.",
    discussion: """
      Each picture goes through the effect, as fast as the machine can. Several films, which must have \
      one size, follow each other in one. The kind of file follows from the output's name: .mp4, .mkv \
      or .webm. Until it is complete, it has another name, and nothing is left where it fails. A film may \
      also be a URL, as https://example.org/in.mp4; -o - writes to standard output.

        slitscan render in.mp4 -o out.mp4 --preset Vortex
        slitscan render in.mp4 -o out.mkv --set map=radial --set depth=60 --lossless
        slitscan render in.mp4 -o out.mp4 --set depth=50 --sound-delay center
        slitscan render in.mp4 -o out.mp4 --replay show.txt
        slitscan render in.mp4 -o - --container mkv | mpv -

      --segment renders one of n parts, which several machines can do at a time. A part begins where \
      the one before ends, and looks as it does in the whole film: the effect first sees the pictures \
      that it needs for that. With --lossless, the film that slitscan join makes of the parts has the \
      same pictures as the one that is rendered at once, byte for byte. Parts are .mkv files.

        parallel slitscan render in.mp4 -o {}.mkv --preset Vortex --segment {}/4 ::: 1 2 3 4
        slitscan join 1.mkv 2.mkv 3.mkv 4.mkv -o out.mp4

      A feedback, a motion map, a sweep that does not loop, and a show reach back to the first picture: a \
      part then shows the effect everything before it, and only the encoding is shared out.

      --replay does what slitscan live --moves has written down, each move with its picture; the first \
      beat is with the first picture, and properties that follow the sound follow the film's. Stills and \
      recordings are left out.

      \(ExitStatus.helpWithFilms)
      """)

  @Argument(help: ArgumentHelp("Films, one after the other.", valueName: "film"))
  var inputs: [String]

  @OptionGroup var look: LookOptions

  @Option(help: ArgumentHelp("Do what a file of slitscan live --moves says.", valueName: "file"))
  var replay: String?

  @OptionGroup var tempo: TempoOptions

  @Option(help: "The kind of file; by default what the output's name says.")
  var container: Container?

  @Option(help: "How pictures are encoded; by default what suits the file.")
  var codec: VideoCodec?

  @Option(
    help: ArgumentHelp(
      "Bits a second of the pictures, as 8M; by default as many as good pictures take.",
      valueName: "bits"))
  var bitRate: BitRate?

  @Flag(help: "Write every pixel as it is, with H.264.")
  var lossless = false

  @OptionGroup var sound: SoundOptions

  @Flag(help: "Leave the sound out.")
  var noSound = false

  @Option(
    help: ArgumentHelp(
      "How much later than it came sound is heard, as the picture shows the past: none, mean or center "
        + "for as much as the picture or its centre is late, or seconds.", valueName: "delay"))
  var soundDelay: SoundDelay = .none

  @Option(
    help: ArgumentHelp(
      "Render one part of several, as 2/4 for the second of four.", valueName: "k/n"))
  var segment: FilmPart?

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = FilmSettings(
      codec: codec, bitRate: bitRate?.bits, isLossless: lossless, audioCodec: sound.audioCodec,
      audioBitRate: sound.audioBitRate.bits, container: container)
    let request = RenderRequest(
      inputs, to: output.output, scan: look.scan(), settings: settings, keepsSound: !noSound,
      soundDelay: soundDelay, part: segment, replacesOutput: output.force)
    let meter = output.meter
    let begin = ContinuousClock.now
    let show = try await rehearse(meter)
    let result = try await endingAsSaid(json: output.json, meter) {
      var request = request
      if let show { (request.scan, request.timeline) = (show.scan, show.timeline) }
      var result = try await FilmRendering(request).run { meter.update($0) }
      result.warnings = (show?.troubles ?? []) + result.warnings
      return result
    }
    try output.tell(result, since: begin)
    try damage.check(result.damage)
  }
}

extension Render {
  /// Goes through the show; nil where there is none.
  private func rehearse(_ meter: ProgressMeter) async throws -> Rehearsal? {
    guard let replay else { return nil }
    let (films, scan, preset, bpm) = (inputs, look.scan(), look.unchangedPreset, tempo.bpm)
    return try await endingAsSaid(json: output.json, meter) {
      let script = try MoveScript(file: replay)
      let loudness = try await LoudnessCurve(of: films, in: script.soundBands) { meter.update($0) }
      return try await Rehearsal(
        of: script, scan: scan, preset: preset, beatsPerMinute: bpm, loudness: loudness)
    }
  }
}

extension OutputOptions {
  /// Says what was written.
  func tell(_ result: RenderResult, since begin: ContinuousClock.Instant) throws {
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let warnings = result.damage.map(\.message) + result.warnings
    for warning in warnings where !json { complain("Warning: \(warning)") }
    guard !json else { return try printJSON(ResultLine(result, seconds: seconds)) }
    let preRoll = result.preRoll > 0 ? ", after \(result.preRoll) to warm up" : ""
    let pace = Pace(frames: result.pictures, seconds: seconds)
    tell(
      "\(isStandardOutput ? "Standard output" : result.path): \(result.damage.isEmpty ? "" : "incomplete, ")\(pace.count)\(preRoll)"
        + (result.hasSound ? ", with sound" : ", without sound")
        + ", in \(pace.time) (\(pace.rate) a second)")
  }
}
