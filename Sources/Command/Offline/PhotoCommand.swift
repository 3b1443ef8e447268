// The command `slitscan photo` makes a strip photograph of a whole film.

import ArgumentParser
import GStreamer
import SlitScanCapture
import SlitScanRender

struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Make a strip photograph (photo finish) of a film.",
    discussion: """
      Places a line of pixels of each frame side by side, so that time runs across the photograph: \
      static parts become stripes, and objects that pass the slit keep a shape. The photograph grows with \
      the length of the film, and may exceed memory.

        slitscan photo street.mp4 -o street.png --slit-width 4
        slitscan photo race.mp4 -o finish.png --position 0.7 --direction left --scale \
          --start-time 14:03:27.50 --title "100 m final, camera 1"
        slitscan photo fall.mp4 -o fall.png --direction up --from 0:10 --to 0:20
        slitscan photo dance.mp4 -o rings.png --set map=radial --position 0.3

      The slit is the line where the map value is --position: a column with --direction right or left, a \
      row with down or up, and another line with a map chosen by --set. Time runs in that direction. \
      Choose the one against which the objects move: left for objects that move to the right, down for \
      objects that move up. They are mirrored otherwise, as their front passes the slit first.

      Films with more than 8 bits become images with 16 bits, and transparency is kept. Many programs \
      cannot open images longer than 65535 pixels.

      \(ExitStatus.helpWithFilms)
      """)

  /// Which way time runs.
  enum Direction: String, CaseIterable, ExpressibleByArgument {
    case right, left, down, up

    /// The angle of the linear map.
    var angle: Int64 { self == .right || self == .left ? 90 : 0 }

    /// Whether the newest lines come first.
    var isReversed: Bool { self == .left || self == .up }
  }

  @Argument(
    help: ArgumentHelp("Film to read: a file, a URL, or an image sequence.", valueName: "film"))
  var inputs: [String]

  @OptionGroup var sequence: SequenceOptions

  @Option(help: "Position of the slit, from 0 (left or top) to 1 (right or bottom).")
  var position: Double = 0.5

  @Option(help: ArgumentHelp("Width of the slit, in pixels.", valueName: "pixels"))
  var slitWidth: Int = 1

  @Option(help: "Direction in which time runs.")
  var direction: Direction = .right

  @OptionGroup var points: PointOptions

  @Flag(help: "Draw a time scale along the edge, as fine as the frame rate and --slit-width allow.")
  var scale = false

  @Option(
    help: ArgumentHelp(
      "Time of day or of the race at the first frame of the film, such as 14:03:27.50, from which scale "
        + "and title count.", valueName: "time"), transform: Self.startTime)
  var startTime: ClockTime?

  @Option(
    help: ArgumentHelp(
      "Text below the photograph, such as event and camera, with the date of the film, the time, the frame "
        + "rate and the slit.", valueName: "text"))
  var title: String?

  @Flag(help: "Write nothing: print what would come out.")
  var dryRun = false

  @OptionGroup var presetOptions: PresetOptions
  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions

  private static func startTime(_ text: String) throws -> ClockTime {
    guard let time = ClockTime(clock: text) else {
      throw ValidationError("A start time is hours, minutes and seconds, such as 14:03:27.50.")
    }
    return time
  }

  func validate() throws {
    guard startTime == nil || scale || title != nil else {
      throw ValidationError(
        "--start-time says where --scale and --title count from. Add one of them.")
    }
  }

  func run() async throws {
    var scan = presetOptions.scan()
    let own: [String: Value] = [
      "angle": .int(direction.angle), "position": .double(position),
      "slit-width": .int(Int64(slitWidth)),
    ]
    scan.properties.merge(own) { set, _ in set }
    var request = StripRequest(
      to: output.output, scan: scan, hasScale: scale, replacesOutput: output.force)
    request.isReversed = direction.isReversed
    request.range = points.range
    request.startTime = startTime
    request.title = title
    request.inputs = inputs
    request.frameRate = sequence.frameRate
    let photographing = StripPhotographing(request)
    let meter = output.meter
    guard !dryRun else {
      let forecast = try await endingAsSaid(json: output.json, meter) {
        try await photographing.forecast { meter.update($0) }
      }
      return try output.report(forecast.json, forecast.warnings) {
        for line in forecast.lines { print(line) }
      }
    }
    let result = try await endingAsSaid(json: output.json, meter) {
      try await photographing.run { meter.update($0) }
    }
    let seconds = meter.seconds
    let warnings = [result.damage?.message].compactMap(\.self) + result.warnings
    try output.report(result.json(seconds: seconds), warnings) {
      let pace = Pace(frames: result.frames, seconds: seconds)
      output.tell(
        "\(result.path): \(result.damage == nil ? "" : "incomplete, ")"
          + "\(result.width)x\(result.height) pixels of \(pace.count), in \(pace.time)")
    }
    try damage.check([result.damage].compactMap(\.self))
  }
}
