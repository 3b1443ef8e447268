// A clock time is a time in nanoseconds, as GStreamer counts it.

/// A time or a duration, in nanoseconds.
///
/// `GST_CLOCK_TIME_NONE` is no time: where GStreamer may have none, this module has `ClockTime?`.
/// Sums and differences stop at the ends of the range instead of trapping.
public struct ClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Nanoseconds, 0 … 2⁶⁴ − 2.
  public let nanoseconds: UInt64

  /// A time of so many nanoseconds, at most 2⁶⁴ − 2.
  public init(nanoseconds: UInt64) {
    self.nanoseconds = min(nanoseconds, UInt64.max - 1)
  }

  /// A time as C has it, nil for `GST_CLOCK_TIME_NONE`.
  init?(gstClockTime: UInt) {
    guard gstClockTime != UInt.max else { return nil }
    self.init(nanoseconds: UInt64(gstClockTime))
  }

  /// A duration to the nearest nanosecond; negative ones are ``zero``.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = max(duration, .zero).components
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    self =
      ClockTime(nanoseconds: overflow ? .max : whole)
      + ClockTime(nanoseconds: (UInt64(attoseconds) + 500_000_000) / 1_000_000_000)
  }

  /// No time at all.
  public static let zero = ClockTime(nanoseconds: 0)

  /// A time in seconds; negative ones are ``zero``.
  public static func seconds(_ seconds: Double) -> ClockTime {
    ClockTime(nanoseconds: UInt64(exactly: (seconds * 1e9).rounded()) ?? (seconds > 0 ? .max : 0))
  }

  /// A time in milliseconds.
  public static func milliseconds(_ milliseconds: UInt64) -> ClockTime {
    let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return ClockTime(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// The time in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Which of two times is earlier.
  public static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The sum, at most the longest time.
  public static func + (left: ClockTime, right: ClockTime) -> ClockTime {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return ClockTime(nanoseconds: overflow ? .max : sum)
  }

  /// The difference, ``zero`` where it would be negative.
  public static func - (left: ClockTime, right: ClockTime) -> ClockTime {
    ClockTime(nanoseconds: left > right ? left.nanoseconds - right.nanoseconds : 0)
  }

  /// As GStreamer writes times, `0:00:01.500000000`.
  public var description: String {
    let seconds = nanoseconds / 1_000_000_000
    return "\(seconds / 3600):\(String(seconds / 60 % 60, digits: 2))"
      + ":\(String(seconds % 60, digits: 2)).\(String(nanoseconds % 1_000_000_000, digits: 9))"
  }
}

extension ClockTime? {
  /// The time as C has it.
  var gstClockTime: UInt { self.map { UInt($0.nanoseconds) } ?? UInt.max }
}

extension String {
  /// A number, with zeros before it where it has fewer digits.
  package init(_ number: UInt64, radix: Int = 10, digits: Int) {
    let text = String(number, radix: radix)
    self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}
