// The forecast of --dry-run, as text for people.

import GStreamer
import SlitScanCapture
import SlitScanRender

extension StripForecast {
  /// The forecast, line by line.
  var lines: [String] {
    let colours = [1: "grey", 3: "RGB", 4: "RGB with alpha"][channels] ?? ""
    return [
      "\(path): not written", "Image:   \(width)x\(height) pixels, \(colours), \(bits) bits",
      "Frames:  \(frames), \(text(duration.seconds)) s",
    ]
  }
}

extension RenderForecast {
  /// The forecast, line by line.
  var lines: [String] {
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
