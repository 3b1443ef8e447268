// The progress meter shows progress and speed on a terminal.

import GStreamer
import LibC
import SlitScanRender
import StreamingThread

final class ProgressMeter: Sendable {
  enum Style: Sendable {
    /// A bar that is drawn over itself.
    case bar
    /// A line with each tenth.
    case lines
    /// A line of JSON, ten times a second at most.
    case json
    case none

    /// A bar on a terminal.
    static func chosen(json: Bool, quiet: Bool) -> Style {
      json ? .json : quiet ? .none : isatty(STDERR_FILENO) != 0 ? .bar : .lines
    }
  }

  private let style: Style
  private let clock: any SteadyClock
  private let begin: ContinuousClock.Instant
  private let lines: Lock<ProgressLines>

  init(_ style: Style, on clock: any SteadyClock = ContinuousClock()) {
    self.style = style
    self.clock = clock
    begin = clock.now
    lines = Lock(ProgressLines(style))
  }

  /// The seconds since it was made.
  var seconds: Double { (clock.now - begin) / .seconds(1) }

  /// Takes note of progress, and shows it where it is time to.
  func update(_ progress: RenderProgress) {
    guard style != .none,
      let line = lines.withLock({ $0.next(progress, at: clock.now) })
    else { return }
    switch style {
    case .json:
      try? printJSON(
        [
          "event": "progress", "stage": progress.stage.rawValue, "frames": progress.frames,
          "total": progress.total, "time": progress.time.seconds, "eta": line.eta,
        ] as JSONObject)
    case .bar: write("\r" + line.text)
    case .lines: write(line.text + "\n")
    case .none: break
    }
  }

  /// Takes the bar away.
  func finish() {
    guard style == .bar else { return }
    let width = lines.withLock { $0.clear() }
    if width > 0 { write("\r" + String(repeating: " ", count: width) + "\r") }
  }

  private func write(_ text: String) {
    LibC.write(text, to: STDERR_FILENO)
  }

  /// Seconds as a clock shows them, `1:05` or `2:03:00`.
  static func clock(_ seconds: Double) -> String {
    ClockTime.seconds(max(0, seconds).rounded(.up)).clock
  }
}

struct ProgressLines: Sendable {
  private let style: ProgressMeter.Style
  private var stage: RenderProgress.Stage?
  /// When the stage began.
  private var begin: ContinuousClock.Instant?
  /// When the last line was shown.
  private var shown: ContinuousClock.Instant?
  private var tenth = -1
  /// The width of the bar that is to be drawn over.
  private var width = 0

  init(_ style: ProgressMeter.Style) { self.style = style }

  /// The next line, with the seconds that are left; nil where it is not time for one.
  mutating func next(
    _ progress: RenderProgress, at now: ContinuousClock.Instant
  ) -> (text: String, eta: Double?)? {
    if stage != progress.stage {
      (stage, begin, tenth) = (progress.stage, now, -1)
    } else if style != .lines, let shown, now - shown < .milliseconds(100) {
      return nil
    }
    let elapsed = (now - (begin ?? now)) / .seconds(1)
    let share = progress.total.map { min(1, Double(progress.frames) / Double(max(1, $0))) }
    if style == .lines {
      let tenth = share.map { Int($0 * 10) } ?? Int(elapsed / 10)
      guard tenth > self.tenth else { return nil }
      self.tenth = tenth
    }
    shown = now
    // The beginning is no measure of what follows.
    let eta = share.flatMap { $0 > 0 && elapsed > 0.5 ? elapsed / $0 - elapsed : nil }
    let text = Self.text(progress, share: share, eta: eta, isBar: style == .bar)
    let padding = String(repeating: " ", count: max(0, width - text.count))
    width = style == .bar ? text.count : 0
    return (text + padding, eta)
  }

  /// - Returns: The width that the bar had.
  mutating func clear() -> Int {
    defer { width = 0 }
    return width
  }

  private static func text(
    _ progress: RenderProgress, share: Double?, eta: Double?, isBar: Bool
  ) -> String {
    let name =
      switch progress.stage {
      case .looking: "Looking up times"
      case .listening: "Listening"
      case .warmingUp: "Warming up"
      case .rendering: "Rendering"
      case .joining: "Joining"
      case .writing: "Writing"
      }
    var text = name
    if let share, isBar {
      let length = 24
      let done = Int((share * Double(length)).rounded(.down))
      text += " [" + String(repeating: "#", count: done)
      text += String(repeating: ".", count: length - done) + "]"
    }
    if let share { text += " \(Int((share * 100).rounded(.down))) %" }
    text += ", \(progress.frames)" + (progress.total.map { " of \($0)" } ?? "")
    text += progress.stage == .writing ? " rows" : " frames"
    if let eta, eta.isFinite, (share ?? 1) < 1 { text += ", \(ProgressMeter.clock(eta)) left" }
    return text
  }
}

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
      ? shown.decimals(digits) + " s" : ProgressMeter.clock(shown)
    let rate = Double(frames) / shown
    self.rate = rate.decimals(rate < 10 ? 1 : 0)
  }
}
