// Options for the output format of a film: container, codecs and quality.

import ArgumentParser
import GStreamer
import SlitScanCapture
import SlitScanRender

extension VideoCodec: ExpressibleByArgument {}
extension AudioCodec: ExpressibleByArgument {}
extension EncoderSpeed: ExpressibleByArgument {}

extension VideoFormat: ExpressibleByArgument {
  /// As GStreamer names it, such as `I420`.
  public init?(argument: String) { self.init(rawValue: argument) }
}

extension Container: ExpressibleByArgument {
  /// As files of that kind end: `mp4`, `mov`, `mkv`, `webm`.
  public init?(argument: String) { self.init(path: "." + argument) }

  /// Those that are offered.
  public static var allValueStrings: [String] { allCases.map(\.pathExtension) }
}

struct VideoOptions: ParsableArguments {
  @Option(help: "Container. (default: from the extension of the output)")
  var container: Container?

  @Option(help: "Video codec. (default: the best for the container)")
  var codec: VideoCodec?

  @Option(
    help: ArgumentHelp(
      "Video quality from 0 to 100: \(VideoCodec.qualityHelp). (default: \(VideoEncoding.defaultQuality), for JPEG 95)",
      valueName: "number"))
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "Video bit rate, in bits per second, such as 8M, instead of a quality.", valueName: "bits"))
  var bitRate: BitRate?

  @Option(
    help: "Speed of the video encoder: a slower one writes smaller files. (default: medium)")
  var encoderSpeed: EncoderSpeed?

  @Option(
    help: ArgumentHelp(
      "Pixel format of the encoded video, by GStreamer's name, such as I420 or Y444_10LE. (default: the "
        + "one of the codec that keeps most)", valueName: "format"))
  var pixelFormat: VideoFormat?

  @Flag(help: "Encode without loss, with H.264, HEVC or FFV1.")
  var lossless = false
}

struct SoundOptions: ParsableArguments {
  @Option(help: "Audio codec. (default: the best for the container)")
  var audioCodec: AudioCodec?

  @Option(
    help: ArgumentHelp(
      "Audio bit rate of a stereo track, in bits per second; k and M are 1000 and 1000000. Tracks with more channels get "
        + "as much for each channel.", valueName: "bits"))
  var audioBitRate: BitRate = BitRate(160_000)
}

/// Bits a second: a number, or one with k or M.
struct BitRate: ExpressibleByArgument, CustomStringConvertible {
  let bits: Int

  init(_ bits: Int) { self.bits = bits }

  init?(argument: String) {
    let factor = argument.last.flatMap { ["k": 1000.0, "K": 1000, "M": 1_000_000][$0] }
    let digits = factor == nil ? argument[...] : argument.dropLast()
    guard let number = Double(digits).map({ $0 * (factor ?? 1) }), number > 0, number <= 2e9,
      let bits = Int(exactly: number.rounded()), bits > 0
    else { return nil }
    self.bits = bits
  }

  var description: String {
    bits.isMultiple(of: 1_000_000)
      ? "\(bits / 1_000_000)M" : bits.isMultiple(of: 1000) ? "\(bits / 1000)k" : "\(bits)"
  }
}

extension SoundDelay: ExpressibleByArgument {
  /// `none`, `mean`, `center`, or a time.
  public init?(argument: String) {
    switch argument {
    case "none": self = .none
    case "mean": self = .mean
    case "center": self = .center
    default:
      guard let time = ClockTime(argument: argument), time <= .seconds(3600) else { return nil }
      self = .fixed(time)
    }
  }
}

extension FilmPart: ExpressibleByArgument {
  /// `2/4`.
  public init?(argument: String) { self.init(argument) }
}

struct DamageOptions: ParsableArguments {
  @Flag(help: "Exit with 0, not 2, if frames of a damaged input could not be read.")
  var allowDamaged = false

  /// Ends the command where something is missing in what was written.
  func check(_ damage: [FilmDamage]) throws {
    if !damage.isEmpty, !allowDamaged { throw ExitStatus.incomplete }
  }
}

struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Output file.", valueName: "file"))
  var output: String

  var isStandardOutput: Bool { output == "-" }

  func validate() throws {
    guard !isStandardOutput || !json else {
      throw ValidationError("--json and -o - both write to standard output. Choose one.")
    }
  }

  /// Prints a result or a forecast: JSON for programs, or its warnings and what `lines` prints.
  func report(_ object: JSONObject, _ warnings: [String], _ lines: () -> Void) throws {
    guard !json else { return try printJSON(object) }
    for warning in warnings { complain("Warning: \(warning)") }
    lines()
  }

  /// Prints the line that says what was written.
  func tell(_ line: String) {
    guard !quiet else { return }
    if isStandardOutput { complain(line) } else { print(line) }
  }

  @Flag(name: .shortAndLong, help: "Overwrite an existing file.")
  var force = false

  @Flag(help: "Print progress and the result as JSON for other programs: one object per line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Do not show progress.")
  var quiet = false

  var meter: ProgressMeter { ProgressMeter(.chosen(json: json, quiet: quiet)) }
}
