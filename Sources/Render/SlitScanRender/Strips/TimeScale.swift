// The time scale computes the time marks along the edge of a strip. A value: draws nothing.

import GStreamer

/// Marks at round times along a strip.
struct TimeScale: Sendable, Equatable {
  struct Mark: Sendable, Equatable {
    /// The strip's line it is at.
    var line: Int
    /// The text at it; nil for a small mark.
    var text: String?
    /// Whether it is longer than other marks without text.
    var isMedium = false
  }

  let marks: [Mark]

  /// Steps from one mark to the next, in milliseconds, and into how many smaller ones each is divided.
  private static let steps: [(milliseconds: UInt64, parts: UInt64)] = [
    (1, 1), (2, 2), (5, 5), (10, 10), (20, 10), (50, 5), (100, 10), (200, 10), (500, 5), (1000, 10),
    (2000, 10), (5000, 5), (10_000, 10), (15_000, 3), (30_000, 6), (60_000, 6), (120_000, 12),
    (300_000, 5), (600_000, 10), (900_000, 3), (1_800_000, 6), (3_600_000, 6), (7_200_000, 12),
    (10_800_000, 3), (21_600_000, 6), (43_200_000, 12), (86_400_000, 4),
  ]

  /// Marks for frames with one or more lines each.
  ///
  /// - Parameters:
  ///   - spacing: Lines from one text to the next, at least, if the frames come at a steady pace.
  ///   - origin: What a clock shows at time 0; nil where times are those of the film.
  init(times: [ClockTime], linesPerFrame: Int, spacing: Int, origin: ClockTime? = nil) {
    let start = origin ?? .zero
    let times = times.map { $0 + start }
    guard let first = times.first, let last = times.last, first < last, linesPerFrame > 0 else {
      marks = times.isEmpty ? [] : [Mark(line: 0, text: Self.text(times[0], step: 1))]
      return
    }
    let linesPerMillisecond =
      Double(times.count - 1) * Double(linesPerFrame) / ((last - first).seconds * 1000)
    let (step, parts) =
      Self.steps.first { Double($0.milliseconds) * linesPerMillisecond >= Double(spacing) }
      ?? Self.steps[Self.steps.count - 1]
    // Small marks that touch each other say nothing.
    let fine = Self.steps.first { (finer, _) in
      step.isMultiple(of: finer) && Double(finer) * linesPerMillisecond >= 5
    }
    let pace = (fine?.milliseconds ?? step) * 1_000_000
    let medium = step * 1_000_000 / parts
    // Where frames stop coming for a while, there are no lines for that time.
    let pause = 2 * (last - first).nanoseconds / UInt64(times.count - 1)

    var marks: [Mark] = []
    var frame = 0
    var number = first.nanoseconds / pace + (first.nanoseconds.isMultiple(of: pace) ? 0 : 1)
    while true {
      let (time, overflow) = number.multipliedReportingOverflow(by: pace)
      guard !overflow, time <= last.nanoseconds else { break }
      while times[frame].nanoseconds < time { frame += 1 }
      var line = frame * linesPerFrame
      let late = times[frame].nanoseconds - time
      if late > 0 {
        let gap = (times[frame] - times[frame - 1]).nanoseconds
        if gap <= pause {
          line -= Int((Double(late) / Double(gap) * Double(linesPerFrame)).rounded(.up))
        }
      }
      let mark = Mark(
        line: line,
        text: time.isMultiple(of: step * 1_000_000)
          ? Self.text(ClockTime(nanoseconds: time), step: step, isOfDay: origin != nil) : nil,
        isMedium: time.isMultiple(of: medium))
      // If frames are far apart, one of them has several times: the roundest is said.
      if let previous = marks.last, previous.line == mark.line {
        if mark.text != nil { marks[marks.count - 1] = mark }
      } else {
        marks.append(mark)
      }
      number += 1
    }
    self.marks = marks
  }

  /// The marks of a strip of so many lines, where the newest is the first.
  func reversed(lines: Int) -> TimeScale {
    TimeScale(
      marks: marks.reversed().map {
        Mark(line: lines - 1 - $0.line, text: $0.text, isMedium: $0.isMedium)
      })
  }

  private init(marks: [Mark]) { self.marks = marks }

  /// A time with as many digits as steps of so many milliseconds need, `1:02:03` or `0:01.25`.
  ///
  /// - Parameter isOfDay: Whether midnight follows 23:59:59.
  static func text(_ time: ClockTime, step: UInt64, isOfDay: Bool = false) -> String {
    let milliseconds = time.nanoseconds / 1_000_000
    let seconds = isOfDay ? milliseconds / 1000 % 86_400 : milliseconds / 1000
    var text = ClockTime(nanoseconds: seconds * 1_000_000_000).clock
    let digits = step % 1000 == 0 ? 0 : step % 100 == 0 ? 1 : step % 10 == 0 ? 2 : 3
    if digits > 0 { text += ".\(String(milliseconds % 1000, digits: 3).prefix(digits))" }
    return text
  }
}
