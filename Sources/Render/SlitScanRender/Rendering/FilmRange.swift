// The in and out points of a film, and the frames between them.

import GStreamer
import SlitScanCapture

/// A place in one or several films in a row, at which a frame begins.
public enum FilmPoint: Sendable, Hashable {
  /// The first frame that is shown at this time or later.
  case time(ClockTime)
  /// A frame by its number, from 0 on.
  case frame(Int)
}

extension FilmPoint: CustomStringConvertible {
  /// A point as people write it: seconds as `10`, `10s` or `1.5min`, a clock's time as `0:10` or `1:02:03.5`, or a
  /// frame as `300f`; nil for anything else.
  public init?(_ text: String) {
    if text.hasSuffix("f") {
      guard text.dropLast().allSatisfy(\.isNumber), let number = Int(text.dropLast()) else {
        return nil
      }
      self = .frame(number)
      return
    }
    guard let time = ClockTime(clock: text) ?? PropertyUnit.time(text) else { return nil }
    self = .time(time)
  }

  /// As people write it, `0:01:02.5` or `300f`.
  public var description: String {
    switch self {
    case .time(let time): time.clock
    case .frame(let number): "\(number)f"
    }
  }
}

extension ClockTime {
  /// A time as a clock shows it, `0:10` or `1:02:03.5`, or a number of seconds; nil for anything else.
  package init?(clock text: String) {
    let pattern = /(?:(?:([0-9]+):)?([0-9]+):)?([0-9]+(?:\.[0-9]+)?)/
    guard let (_, hours, minutes, seconds) = text.wholeMatch(of: pattern)?.output else {
      return nil
    }
    let fields = [hours ?? "", minutes ?? "", seconds].map { Double($0) ?? 0 }
    let total = 3600 * fields[0] + 60 * fields[1] + fields[2]
    guard total <= 1e9, minutes == nil || fields[2] < 60, hours == nil || fields[1] < 60 else {
      return nil
    }
    self = .seconds(total)
  }

  /// The time as a clock shows it, `0:10` or `1:02:03.5`.
  package var clock: String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (minutes, seconds) = whole.quotientAndRemainder(dividingBy: 60)
    var text =
      (minutes < 60 ? "\(minutes)" : "\(minutes / 60):\(String(minutes % 60, digits: 2))")
      + ":\(String(seconds, digits: 2))"
    let milliseconds = rest / 1_000_000
    if milliseconds > 0 {
      text += ".\(String(milliseconds, digits: 3))"
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }
}

/// The part of a film between an in and an out point.
public struct FilmRange: Sendable, Hashable {
  /// The first frame; nil for that of the film.
  public var from: FilmPoint?
  /// The frame after the last one; nil for all to the end.
  public var to: FilmPoint?

  /// All frames, or those between two points.
  public init(from: FilmPoint? = nil, to: FilmPoint? = nil) {
    self.from = from
    self.to = to
  }

  /// Whether no frame is left out.
  public var isAll: Bool { from == nil && to == nil }

  /// The numbers of the frames, of films with so many.
  ///
  /// - Throws: ``CaptureError/Code/badRequest`` where there are none, or fewer than is said.
  func frames(of times: FilmTimes) throws(CaptureError) -> Range<Int> {
    let count = times.times.count
    let end = times.starts.last ?? .zero
    let film = "the film has \(count) frames and ends at \(end.clock)"
    func number(of point: FilmPoint) -> Int {
      switch point {
      case .frame(let number): number
      case .time(let time): times.times.firstIndex { $0 >= time } ?? count
      }
    }
    func isBeyond(_ point: FilmPoint) -> Bool {
      switch point {
      case .frame(let number): number > count
      case .time(let time): time > end
      }
    }
    let first = from.map(number) ?? 0
    guard first < count else {
      throw CaptureError(
        .badRequest,
        "There is no frame at --from \(from?.description ?? "0f"): \(film). Choose an earlier point."
      )
    }
    guard let to else { return first..<count }
    guard !isBeyond(to) else {
      throw CaptureError(
        .badRequest,
        "--to \(to) is beyond the end: \(film). Choose an earlier point, or leave --to out.")
    }
    let last = number(of: to)
    guard first < last else {
      throw CaptureError(
        .badRequest,
        "There is no frame between --from \(from?.description ?? "0f") and --to \(to), which is not "
          + "included. Choose a later --to.")
    }
    return first..<last
  }
}
