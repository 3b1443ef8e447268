// JSON output for other programs: one object per line.

import Foundation
import SlitScanCapture
import SlitScanRender

/// Prints a value as one line of JSON, at once.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let data = try encoder.encode(value)
  try FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
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

  private enum CodingKeys: String, CodingKey {
    case event, stage, frames, total, time, eta
  }
}

/// The result of a rendering, as a line of JSON.
struct ResultLine: Encodable {
  let event = "result"
  let path: String
  let frames: Int
  let preRoll: Int
  let start: Double
  let end: Double
  let sound: Bool
  let bytes: Int
  let seconds: Double
  /// Whether everything could be read.
  let complete: Bool
  /// Frames that could not be read; nil where none is missing, or their number is not known.
  let lost: Int?
  let warnings: [String]

  private enum CodingKeys: String, CodingKey {
    case event, path, frames, start, end, sound, bytes, seconds, complete, warnings
    case preRoll = "pre-roll"
    case lost = "lost-frames"
  }

  init(_ result: RenderResult, seconds: Double) {
    path = result.path
    frames = result.frames
    preRoll = result.preRoll
    start = result.start.seconds
    end = result.end.seconds
    sound = result.hasSound
    bytes = result.byteCount
    self.seconds = seconds
    complete = result.damage.isEmpty
    let lost = result.damage.compactMap(\.lostFrames)
    self.lost = lost.isEmpty ? nil : lost.reduce(0, +)
    warnings = result.damage.map(\.message) + result.warnings
  }
}

/// An error, as a line of JSON.
struct ErrorLine: Encodable {
  let event = "error"
  let code: String
  let message: String

  private enum CodingKeys: String, CodingKey { case event, code, message }
}
