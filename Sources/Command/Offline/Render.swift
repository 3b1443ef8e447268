// The command `slitscan render` renders films through the effect.

import ArgumentParser
import GStreamer
import SlitScanCapture
import SlitScanRender
import SlitScanStage

struct Render: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render films through the effect, with their sound.",
    discussion: """
      Renders every frame, as fast as the machine allows. Several films are joined into one; they must \
      have the same frame size. The extension of the output selects the container: .mp4, .mov, .mkv or .webm. \
      The file is written under a temporary name and renamed when complete; if rendering fails, nothing is \
      left. A film can also be a URL, such as https://example.org/in.mp4; -o - writes to standard output.

        slitscan render in.mp4 -o out.mp4 --preset Vortex
        slitscan render in.mp4 -o out.mkv --set map=radial --lossless
        slitscan render in.mp4 -o out.mp4 --sound-delay center
        slitscan render in.mp4 -o out.mp4 --from 0:10 --to 0:20
        slitscan render in.mp4 -o out.mp4 --replay show.txt
        slitscan render in.mp4 -o out.mp4 --age age.mkv
        slitscan render in.mp4 -o - --container mkv | mpv -

      An image sequence is a film, too: a folder of images, a pattern of numbers or a glob, both in quotes, \
      or a list of files. All images must have the same size.

        slitscan render shot/ -o out.mp4 --frame-rate 24
        slitscan render 'shot.%04d.png' -o out.mp4 --frame-rate 24000/1001
        slitscan render 'shot.*.exr' -o out.mp4
        slitscan render 'shot.%04d.png' -o 'frames/%04d.png'

      --from and --to render the frames between two points of the films, which follow each other. The effect \
      is first given the earlier frames that it needs, so these frames are the same as in the whole film.

      --segment k/n renders part k of n, of what is between the points, so that several machines can share the work. A part begins where \
      the previous one ends and has the same frames as the whole film: the effect is first given the \
      earlier frames that it needs. With --lossless, the film that slitscan join makes of the parts has \
      the same frames as one rendered at once, byte for byte. Parts are .mkv files.

        parallel slitscan render in.mp4 -o {}.mkv --segment {}/4 ::: 1 2 3 4
        slitscan join 1.mkv 2.mkv 3.mkv 4.mkv -o out.mp4

      Feedback, the motion map, a sweep that does not loop, and --replay depend on all frames from the \
      first: each part then processes everything before it, and only the encoding is divided.

      --replay performs the moves that slitscan live --moves has logged, each at its frame. The first beat \
      is at the first frame of the film, also with --from, and properties that follow the sound follow the \
      film's. Photos and recordings are not made, and changes of the source are left out.

      \(ExitStatus.helpWithFilms)
      """)

  @Argument(
    help: ArgumentHelp(
      "Films to render, in order: files, URLs or image sequences.", valueName: "film"))
  var inputs: [String]

  @OptionGroup var sequence: SequenceOptions

  @OptionGroup var presetOptions: PresetOptions
  @OptionGroup var historyOptions: HistoryOptions

  @OptionGroup var points: PointOptions
  @OptionGroup var replayOptions: ReplayOptions
  @OptionGroup var tempo: TempoOptions

  @Option(
    help: ArgumentHelp(
      "Also write how old each pixel is, in grey of 16 bits and steps of age-unit: FFV1 in .mkv, or images such as "
        + "age.%04d.png.", valueName: "file"))
  var age: String?

  @OptionGroup var video: VideoOptions
  @OptionGroup var sound: SoundOptions

  @Flag(help: "Do not write sound.")
  var noSound = false

  @Option(
    help: ArgumentHelp(
      "Delay of the sound, to match the delayed video: none, mean or center for the average delay of the "
        + "frame or that of its centre, or a number of seconds.", valueName: "delay"))
  var soundDelay: SoundDelay = .none

  @Option(
    help: ArgumentHelp(
      "Render one part, such as 2/4 for the second of four.", valueName: "k/n"))
  var segment: FilmPart?

  @Flag(help: "Go on with less history, or a part of the canvas, where memory is short.")
  var allowLessHistory = false

  @Flag(
    help:
      "Write nothing: print what would come out, and how long it takes, from a moment of rendering."
  )
  var dryRun = false

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = FilmSettings(
      codec: video.codec, quality: video.quality, bitRate: video.bitRate?.bits,
      speed: video.encoderSpeed, pixelFormat: video.pixelFormat, isLossless: video.lossless,
      audioCodec: sound.audioCodec, audioBitRate: sound.audioBitRate.bits,
      container: video.container)
    let scan = try historyOptions.locate(presetOptions.scan())
    var request = RenderRequest(
      inputs, to: output.output, scan: scan, settings: settings,
      keepsSound: !noSound,
      soundDelay: soundDelay, part: segment, replacesOutput: output.force)
    request.frameRate = sequence.frameRate
    request.ageOutput = age
    let meter = output.meter
    let show = try await rehearse(scan, meter)
    request.allowsLessHistory = allowLessHistory
    request.range = points.range
    if let show { (request.scan, request.timeline) = (show.scan, show.timeline) }
    let rendering = FilmRendering(request)
    let warnings = show?.warnings ?? []
    guard !dryRun else {
      let forecast = try await endingAsSaid(json: output.json, meter) {
        var forecast = try await rendering.forecast { meter.update($0) }
        forecast.warnings = warnings + forecast.warnings
        return forecast
      }
      return try output.report(forecast.json, forecast.warnings) {
        for line in forecast.lines { print(line) }
      }
    }
    let result = try await endingAsSaid(json: output.json, meter) {
      var result = try await rendering.run { meter.update($0) }
      result.warnings = warnings + result.warnings
      return result
    }
    try output.tell(result, in: meter.seconds)
    try damage.check(result.damage)
  }

  /// Goes through the show; nil where there is none.
  private func rehearse(_ scan: Scan, _ meter: ProgressMeter) async throws -> Rehearsal? {
    guard replayOptions.replay != nil else { return nil }
    let (options, films, rate, preset, bpm) = (
      replayOptions, inputs, sequence.frameRate, presetOptions.unchangedPreset, tempo.bpm
    )
    return try await endingAsSaid(json: output.json, meter) {
      guard let script = try options.script() else { return nil }
      let bands = try await Rehearsal.soundBands(of: script, scan: scan, preset: preset)
      let loudness = try await LoudnessCurve(of: films, in: bands, frameRate: rate) {
        meter.update($0)
      }
      return try await Rehearsal(
        of: script, scan: scan, preset: preset, beatsPerMinute: bpm, loudness: loudness)
    }
  }
}

extension OutputOptions {
  func tell(_ result: RenderResult, in seconds: Double) throws {
    let warnings = result.damage.map(\.message) + result.warnings
    try report(result.json(seconds: seconds), warnings) {
      let preRoll = result.preRoll > 0 ? ", after \(result.preRoll) to warm up" : ""
      let pace = Pace(frames: result.frames, seconds: seconds)
      tell(
        "\(isStandardOutput ? "Standard output" : result.path): \(result.damage.isEmpty ? "" : "incomplete, ")\(pace.count)\(preRoll)"
          + (result.hasSound ? ", with sound" : ", without sound")
          + ", in \(pace.time) (\(pace.rate) a second)")
    }
  }
}
