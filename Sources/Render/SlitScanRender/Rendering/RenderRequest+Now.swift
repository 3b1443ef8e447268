// The map value that shows the present: how far the effect must be ahead of the output.

import CSlitScanSettings
import GStreamer
import SlitScanCapture

extension RenderRequest {
  /// The number of frames by which the effect is later than the output: the delay of the map value
  /// ``now``, to the nearest frame.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where delay alone does not say what a frame shows.
  func lead(of scan: Element, _ times: [ClockTime]) throws -> Int {
    guard now > 0 else { return 0 }
    func require(_ isPossible: Bool, _ reason: String, _ advice: String) throws(CaptureError) {
      guard isPossible else {
        throw CaptureError(.badRequest, "--now shows the future, but \(reason). \(advice)")
      }
    }
    let mode = try scan.get("mode", as: String.self)
    try require(
      mode == "displace", "mode=\(mode) does not delay the frame", "Choose mode=displace.")
    let map = try scan.get("map", as: String.self)
    try require(
      !SlitScanMapSource(ofMap: map).moves, "map=\(map) follows the newest frame",
      "Choose another map.")
    try require(
      scan.get("feedback", as: Double.self) == 0,
      "with feedback each frame depends on those before",
      "Set feedback=0.")
    try require(
      scan.get("mix", as: Double.self) == 1, "mix adds the newest frame", "Set mix=1.")
    try require(
      !scan.get("freeze", as: Bool.self), "with freeze no frame follows", "Set freeze=false.")
    try require(timeline.isEmpty, "a show changes the delay", "Leave out --replay or --now.")
    let duration = try scan.get("duration", as: UInt64.self)
    guard duration > 0 else {
      return Int((now * Double(try scan.get("depth", as: Int.self) - 1)).rounded())
    }
    guard let first = times.first, let last = times.last, first < last else { return 0 }
    let step = (last - first).seconds / Double(times.count - 1)
    let isSteady = times.enumerated().allSatisfy { frame, time in
      abs((time - first).seconds - Double(frame) * step) < step / 2
    }
    try require(
      isSteady, "with a duration, frames must come at a steady pace",
      "Set depth instead of duration, or convert the film, for example with ffmpeg -i \(inputs[0]) -fps_mode cfr "
        + "steady.mkv.")
    return Int((now * Double(duration) / 1e9 / step).rounded())
  }
}

extension FilmTimes {
  /// The times of all frames, and of so many repetitions of the last one, at the pace of the film.
  func times(holdingLast count: Int) -> [ClockTime] {
    guard let last = times.last, let end = starts.last else { return times }
    return times
      + (0..<count).map { end + ClockTime(nanoseconds: (end - last).nanoseconds * UInt64($0)) }
  }
}
