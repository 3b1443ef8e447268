// The forecast of --dry-run, as text for people and as JSON for programs.

import GStreamer
import SlitScanCapture
import SlitScanRender

/// The forecast of a rendering, as a line of JSON.
struct ForecastLine: Encodable {
  struct Sound: Encodable {
    let codec: String
    let sampleRate: Int
    let channels: Int
    let language: String?
  }

  let event = "forecast"
  let path: String
  let container: String?
  let codec: String?
  let encoder: String
  let pixelFormat: String
  let width: Int
  let height: Int
  /// Frames a second; nil where they come unevenly.
  let frameRate: Double?
  let frames: Int
  let preRoll: Int
  /// Seconds.
  let duration: Double
  let sound: [Sound]
  let historyFrames: Int
  let historyBytes: Int
  /// Whether there is memory for the history.
  let memory: Bool
  /// Seconds that the rendering takes, about.
  let seconds: Double?
  let measuredFrames: Int
  let warnings: [String]

  init(_ forecast: RenderForecast) {
    path = forecast.path
    container = forecast.container?.pathExtension
    codec = forecast.codec?.rawValue
    encoder = forecast.encoder
    pixelFormat = forecast.pixelFormat.rawValue
    width = forecast.width
    height = forecast.height
    frameRate = forecast.frameRate
    frames = forecast.frames
    preRoll = forecast.preRoll
    duration = forecast.duration.seconds
    sound = forecast.sounds.map { track in
      Sound(
        codec: track.codec?.rawValue ?? "pcm", sampleRate: track.sampleRate,
        channels: track.channels, language: track.language)
    }
    historyFrames = forecast.historyFrames
    historyBytes = forecast.historyBytes
    memory = forecast.hasMemory
    seconds = forecast.seconds
    measuredFrames = forecast.measuredFrames
    warnings = forecast.warnings
  }
}

/// The forecast of a photograph, as a line of JSON.
struct StripForecastLine: Encodable {
  let event = "forecast"
  let path: String
  let width: Int
  let height: Int
  /// 1 for grey, 3 for RGB, 4 for RGBA.
  let channels: Int
  /// Of a sample.
  let bits: Int
  let frames: Int
  /// Seconds.
  let duration: Double
  let warnings: [String]

  init(_ forecast: StripForecast) {
    path = forecast.path
    width = forecast.width
    height = forecast.height
    channels = forecast.channels
    bits = forecast.bits
    frames = forecast.frames
    duration = forecast.duration.seconds
    warnings = forecast.warnings
  }
}

extension OutputOptions {
  func tell(_ forecast: StripForecast) throws {
    guard !json else { return try printJSON(StripForecastLine(forecast)) }
    for warning in forecast.warnings { complain("Warning: \(warning)") }
    let colours = [1: "grey", 3: "RGB", 4: "RGB with alpha"][forecast.channels] ?? ""
    print("\(forecast.path): not written")
    print(
      "Image:   \(forecast.width)x\(forecast.height) pixels, \(colours), \(forecast.bits) bits")
    print("Frames:  \(forecast.frames), \(text(forecast.duration.seconds)) s")
  }

  func tell(_ forecast: RenderForecast) throws {
    guard !json else { return try printJSON(ForecastLine(forecast)) }
    for warning in forecast.warnings { complain("Warning: \(warning)") }
    for line in forecast.lines { print(line) }
  }
}

extension RenderForecast {
  /// The forecast, line by line.
  fileprivate var lines: [String] {
    let rate = frameRate.map { "\(text($0)) frames a second" } ?? "frames that come unevenly"
    var lines = [
      "\(path): not written",
      "Video:   \(width)x\(height) pixels, \(rate), \(codec.map { "\($0)" } ?? "images") by \(encoder) in \(pixelFormat)",
      "Frames:  \(frames), \(text(duration.seconds)) s"
        + (preRoll > 0 ? ", after \(preRoll) to warm up" : ""),
    ]
    lines += sounds.map { track in
      let channels = track.channels == 1 ? "1 channel" : "\(track.channels) channels"
      let codec = track.codec.map { "\($0)" } ?? "uncompressed"
      return "Sound:   \(codec), \(channels), \(track.sampleRate) Hz"
        + (track.language.map { ", \($0)" } ?? "")
    }
    if sounds.isEmpty { lines.append("Sound:   none") }
    if historyFrames > 0 {
      let bytes = text(ofBytes: historyBytes)
      let place = historyLocation.map { "room in \($0)" } ?? "memory"
      lines.append(
        "History: \(historyFrames) frames, about \(bytes), for which there is \(hasMemory ? "" : "not enough ")\(place)"
      )
    }
    if let seconds, measuredFrames > 0 {
      let pace = Pace(frames: frames + preRoll, seconds: seconds)
      lines.append(
        "Time:    about \(pace.time) (\(pace.rate) frames a second, measured over \(measuredFrames))"
      )
    }
    return lines
  }
}

private func text(_ number: Double) -> String { number.decimals(atMost: 3) }
