// The pre-roll computes how many frames the effect must see before the first frame of a part.

import CSlitScanSettings
import GStreamer
import SlitScanCapture

/// Which frames the effect needs before a certain one, so that this one and all that follow are what
/// they are in the whole film, byte for byte.
///
/// Follows from the definitions in `Effect/Definitions.md`, for properties that do not change.
enum PreRoll: Equatable {
  /// All of them: what was once seen may be seen for ever.
  case everything
  /// The last so many; before them those of the last while, and the two before.
  case frames(Int, time: ClockTime? = nil)
  /// The last so many, and then as many more as make the number of all before a multiple of `step`.
  case aligned(Int, step: Int)
  /// The first one of all, and those since the round began: a round lasts so long.
  case round(ClockTime)

  /// The pre-roll of an element `slitscan`, for frames of a size in pixels.
  init(_ scan: Element, width: Int, height: Int) throws(GStreamerError) {
    let source = try SlitScanMapSource(ofMap: scan.get("map", as: String.self))
    // Motion spreads and fades, and never quite dies; what is frozen was the first frame of all.
    guard source != SLIT_SCAN_SOURCE_MOTION, source != SLIT_SCAN_SOURCE_PAD,
      try !scan.get("freeze", as: Bool.self)
    else {
      self = .everything
      return
    }
    switch try scan.get("mode", as: String.self) {
    case "displace": self = try Self.displace(scan)
    case "strip": self = try Self.strip(scan, longest: max(width, height))
    case "sweep":
      let isLoop = try scan.get("sweep-loop", as: String.self) == "loop"
      self =
        try isLoop
        ? .round(ClockTime(nanoseconds: scan.get("sweep-duration", as: UInt64.self))) : .everything
    default: self = .everything
    }
  }

  private static func displace(_ scan: Element) throws(GStreamerError) -> PreRoll {
    guard try scan.get("feedback", as: Double.self) == 0 else { return .everything }
    let duration = try scan.get("duration", as: UInt64.self)
    let shutterDuration = try scan.get("shutter-duration", as: UInt64.self)
    // Times may vary, so any number of frames may have been exposed.
    let shutter =
      try shutterDuration > 0 ? longestShutter : scan.get("shutter", as: Double.self)
    let exposed = Int(shutter.rounded(.up)) - 1
    guard duration == 0 else {
      return .frames(exposed, time: ClockTime(nanoseconds: duration))
    }
    return .frames(try max(0, scan.get("depth", as: Int.self) - 1) + exposed)
  }

  private static let longestShutter: Double = {
    var settings = slit_scan_settings_default()
    settings.shutter = .greatestFiniteMagnitude
    return slit_scan_settings_clamped(settings).shutter
  }()

  private static func strip(_ scan: Element, longest: Int) throws(GStreamerError) -> PreRoll {
    let width = max(1, try scan.get("slit-width", as: Int.self))
    let length = try scan.get("canvas-length", as: Int.self)
    let known = length > 0 ? length : longest
    let filling = known / width + 1
    guard try scan.get("canvas", as: String.self) == "wrap" else { return .frames(filling) }
    // Which of the two sides is the longer one is for the element to know.
    guard length > 0, width < length else { return .everything }
    return .aligned(filling, step: length / greatestCommonDivisor(length, width))
  }

  /// The frames that the effect is to see so that it shows frame `first` and those after it, in
  /// order and up to `end`.
  func spans(first: Int, end: Int, times: [ClockTime]) -> [Range<Int>] {
    func from(_ start: Int) -> [Range<Int>] { [max(0, min(start, first))..<max(first, end)] }
    guard times.indices.contains(first) else { return [] }
    switch self {
    case .everything: return from(0)
    case .frames(let count, let time):
      let start = first - min(count, first)
      guard let time else { return from(start) }
      let oldest = times[start] - time
      let before = times[..<start].lastIndex { $0 <= oldest } ?? 0
      return from(before - min(1, before))
    case .aligned(let count, let step):
      let start = first - min(count, first)
      return from(start - start % max(1, step))
    case .round(let duration):
      let length = max(1, duration.nanoseconds)
      let elapsed = times[first] - times[0]
      let round = times[0] + ClockTime(nanoseconds: elapsed.nanoseconds / length * length)
      let start = times[...first].firstIndex { $0 >= round } ?? 0
      return start > 1 ? [0..<1] + from(start) : from(0)
    }
  }
}

private func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (large, small) = (left, right)
  while small != 0 { (large, small) = (small, large % small) }
  return large
}
