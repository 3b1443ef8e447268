// The history reserve is how much of the past a show keeps, whatever the look: in seconds, and within memory.

import CLinux
import GStreamer

/// The length of the past that a show keeps, whatever presets, maps, modes and depths are set.
public enum HistoryReserve: Sendable, Hashable {
  /// ``standardTime``, but at most half of what the effect's memory limit allows; all of it where history is on disk.
  case standard
  /// So much of it, as far as memory or the disk allows.
  case time(ClockTime)
  /// As many frames as the property `reserve` says.
  case property

  /// The seconds that a show keeps by default.
  public static let standardTime = ClockTime.seconds(10)

  /// Bytes that half of the effect's memory limit is, where `max-memory` is this.
  public static func standardBytes(maximumMemory: UInt64 = 0) -> UInt64 {
    (maximumMemory > 0 ? maximumMemory : unsafe linux_memory_limit("") / 4) / 2
  }

  /// The frames that this is, of a rate and size; nil where the property `reserve` stays as it is.
  ///
  /// - Parameter maximumMemory: That of the effect; nil where memory limits no history.
  func frames(rate: Fraction, byteCount: Int, maximumMemory: UInt64?) -> Double? {
    let time: ClockTime
    switch self {
    case .standard: time = Self.standardTime
    case .time(let given): time = given
    case .property: return nil
    }
    // Where the rate varies, it is guessed.
    let perSecond = rate.quotient.flatMap { $0 > 0 ? $0 : nil } ?? 30
    let wanted = (time.seconds * perSecond).rounded(.up)
    guard self == .standard, let maximumMemory else { return wanted }
    let fitting = Self.standardBytes(maximumMemory: maximumMemory) / UInt64(max(byteCount, 1))
    return min(wanted, Double(fitting))
  }
}
