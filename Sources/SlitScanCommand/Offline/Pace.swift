// How long something took, and how fast it was.

import Foundation

/// A number of frames and the time they took, as text whose figures agree: the count divided by the time that is
/// shown is the rate that is shown.
struct Pace {
  /// `1 frame`, `75 frames`.
  let count: String
  /// `0.57 s`, `12.3 s`, `2:05`.
  let time: String
  /// Frames a second: `131`, `8.2`.
  let rate: String

  init(frames: Int, seconds: Double) {
    count = "\(frames) frame\(frames == 1 ? "" : "s")"
    let seconds = max(seconds, 0.001)
    // Three digits, and milliseconds at least.
    let digits = seconds < 1 ? 3 : seconds < 10 ? 2 : seconds < 60 ? 1 : 0
    let scale = pow(10, Double(digits))
    let shown = (seconds * scale).rounded() / scale
    time =
      shown < 60
      ? String(format: "%.\(digits)f s", shown) : ProgressMeter.clock(shown)
    let rate = Double(frames) / shown
    self.rate = String(format: rate < 10 ? "%.1f" : "%.0f", rate)
  }
}
