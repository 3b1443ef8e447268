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

/// A value as JSON.
func jsonData(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value)
}

/// An object of JSON, which has no key for what is nil.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private let fields: [String: any Encodable]

  init(_ fields: [String: any Encodable]) { self.fields = fields }

  init(dictionaryLiteral fields: (String, (any Encodable)?)...) {
    self.fields = Dictionary(
      uniqueKeysWithValues: fields.compactMap { key, value in value.map { (key, $0) } })
  }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (key, value) in fields { try container.encode(value, forKey: Name(stringValue: key)) }
  }
}

func printError(code: String, _ message: String) throws {
  try printJSON(["event": "error", "code": code, "message": message] as JSONObject)
}

// Times are seconds.

extension RenderResult {
  func json(seconds: Double) -> JSONObject {
    let lost = damage.compactMap(\.lostFrames)
    return [
      "event": "result", "path": path, "frames": frames, "pre-roll": preRoll,
      "start": start.seconds, "end": end.seconds, "sound": hasSound, "bytes": byteCount,
      "seconds": seconds,
      // In which it waited for frames, computed the effect, and waited for the encoders.
      "decode-seconds": times?.decoding, "effect-seconds": times?.effect,
      "encode-seconds": times?.encoding,
      "complete": damage.isEmpty,
      // None where no frame is missing, or their number is not known.
      "lost-frames": lost.isEmpty ? nil : lost.reduce(0, +),
      "warnings": damage.map(\.message) + warnings,
    ]
  }
}

extension StripResult {
  func json(seconds: Double) -> JSONObject {
    [
      "event": "result", "path": path, "width": width, "height": height, "frames": frames,
      "start": start.seconds, "end": end.seconds, "bytes": byteCount, "seconds": seconds,
      "complete": damage == nil, "lost-frames": damage?.lostFrames,
      "warnings": [damage?.message].compactMap(\.self) + warnings,
    ]
  }
}

extension StripForecast {
  var json: JSONObject {
    [
      "event": "forecast", "path": path, "width": width, "height": height,
      // 1 for grey, 3 for RGB, 4 for RGBA.
      "channels": channels, "bits": bits, "frames": frames, "duration": duration.seconds,
      "warnings": warnings,
    ]
  }
}

extension RenderForecast {
  var json: JSONObject {
    [
      "event": "forecast", "path": path, "container": container?.pathExtension,
      "codec": codec?.rawValue, "encoder": encoder, "pixel-format": pixelFormat.rawValue,
      "width": width, "height": height, "frame-rate": frameRate, "frames": frames,
      "pre-roll": preRoll, "duration": duration.seconds,
      "sound": sounds.map { track -> JSONObject in
        [
          "codec": track.codec?.rawValue ?? "pcm", "sample-rate": track.sampleRate,
          "channels": track.channels, "language": track.language,
        ]
      },
      "history-frames": historyFrames, "history-bytes": historyBytes, "memory": hasMemory,
      "seconds": seconds, "measured-frames": measuredFrames, "warnings": warnings,
    ]
  }
}
