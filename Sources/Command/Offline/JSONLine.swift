// JSON output for other programs: one object per line.

import FoundationEssentials
import LibC
import SlitScanCapture
import SlitScanRender
import SlitScanStage

/// Prints a value as one line of JSON, at once.
func printJSON(_ value: some Encodable) throws {
  let line = String(decoding: try jsonData(value), as: UTF8.self) + "\n"
  guard write(line, to: STDOUT_FILENO) else {
    throw CommandError("Standard output cannot be written: \(systemReason()).")
  }
}

/// A value as JSON, its keys as `pre-roll` for `preRoll`.
func jsonData(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.keyEncodingStrategy = .custom { HyphenatedKey(stringValue: $0.last?.stringValue ?? "") }
  return try encoder.encode(value)
}

private struct HyphenatedKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(stringValue name: String) {
    stringValue = name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }

  init?(intValue: Int) { return nil }
}

/// The progress of a rendering, as a line of JSON.
struct ProgressLine: Encodable {
  let event = "progress"
  let stage: String
  let frames: Int
  let total: Int?
  /// The time in the film, in seconds.
  let time: Double
  /// Seconds that are left, about.
  let eta: Double?
}

/// The result of a rendering or a photograph, as a line of JSON.
struct ResultLine: Encodable {
  let event = "result"
  let path: String
  /// The size of a photograph, in pixels.
  private(set) var width: Int?
  private(set) var height: Int?
  let frames: Int
  private(set) var preRoll: Int?
  let start: Double
  let end: Double
  private(set) var sound: Bool?
  let bytes: Int
  let seconds: Double
  /// Seconds of these in which a rendering waited for frames, computed the effect, and waited for the encoders.
  private(set) var decodeSeconds: Double?
  private(set) var effectSeconds: Double?
  private(set) var encodeSeconds: Double?
  /// Whether everything could be read.
  let complete: Bool
  /// Frames that could not be read; nil where none is missing, or their number is not known.
  let lostFrames: Int?
  let warnings: [String]

  init(_ result: RenderResult, seconds: Double) {
    path = result.path
    frames = result.frames
    preRoll = result.preRoll
    start = result.start.seconds
    end = result.end.seconds
    sound = result.hasSound
    bytes = result.byteCount
    self.seconds = seconds
    decodeSeconds = result.times?.decoding
    effectSeconds = result.times?.effect
    encodeSeconds = result.times?.encoding
    complete = result.damage.isEmpty
    let lost = result.damage.compactMap(\.lostFrames)
    lostFrames = lost.isEmpty ? nil : lost.reduce(0, +)
    warnings = result.damage.map(\.message) + result.warnings
  }

  init(_ result: StripResult, seconds: Double) {
    path = result.path
    width = result.width
    height = result.height
    frames = result.frames
    start = result.start.seconds
    end = result.end.seconds
    bytes = result.byteCount
    self.seconds = seconds
    complete = result.damage == nil
    lostFrames = result.damage?.lostFrames
    warnings = [result.damage?.message].compactMap(\.self) + result.warnings
  }
}

struct ErrorLine: Encodable {
  let event = "error"
  let code: String
  let message: String
}
