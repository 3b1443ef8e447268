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

        slitscan photo race.mp4 -o finish.png --position 0.7 --scale
        slitscan photo street.mp4 -o street.png --slit-width 4
        slitscan photo fall.mp4 -o fall.png --direction down
        slitscan photo dance.mp4 -o rings.png --set map=radial --position 0.3

      The slit is the line where the map value is --position: a column with --direction right, a row \
      with down, and another line with a map chosen by --set. Many programs cannot open images longer \
      than 65535 pixels.

      \(ExitStatus.helpWithFilms)
      """)

  /// Which way the strip grows.
  enum Direction: String, CaseIterable, ExpressibleByArgument {
    case right, down

    /// The angle of the linear map.
    var angle: Int64 { self == .right ? 90 : 0 }
  }

  @Argument(help: ArgumentHelp("Film to read: a file or a URL.", valueName: "film"))
  var input: String

  @Option(help: "Position of the slit, from 0 (left or top) to 1 (right or bottom).")
  var position: Double = 0.5

  @Option(help: ArgumentHelp("Width of the slit, in pixels.", valueName: "pixels"))
  var slitWidth: Int = 1

  @Option(help: "Direction in which the photograph grows.")
  var direction: Direction = .right

  @Flag(help: "Draw a time scale along the edge.")
  var scale = false

  @OptionGroup var presetOptions: PresetOptions
  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var scan = presetOptions.scan()
    let own: [String: Value] = [
      "angle": .int(direction.angle), "position": .double(position),
      "slit-width": .int(Int64(slitWidth)),
    ]
    scan.properties.merge(own) { set, _ in set }
    let photographing = StripPhotographing(
      StripRequest(
        input, to: output.output, scan: scan, hasScale: scale, replacesOutput: output.force))
    let meter = output.meter
    let result = try await endingAsSaid(json: output.json, meter) {
      try await photographing.run { meter.update($0) }
    }
    let seconds = meter.seconds
    if let damage = result.damage, !output.json { complain("Warning: \(damage.message)") }
    if output.json {
      try printJSON(ResultLine(result, seconds: seconds))
    } else {
      let pace = Pace(frames: result.frames, seconds: seconds)
      output.tell(
        "\(result.path): \(result.damage == nil ? "" : "incomplete, ")"
          + "\(result.width)x\(result.height) pixels of \(pace.count), in \(pace.time)")
    }
    try damage.check([result.damage].compactMap(\.self))
  }
}
