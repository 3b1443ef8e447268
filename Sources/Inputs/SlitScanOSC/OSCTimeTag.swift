// An OSC time tag is the time at which a bundle takes effect.

import LibC

/// A moment as OSC and NTP write it: seconds since 1900, with 32 bits of fraction.
struct OSCTimeTag: Sendable, Hashable {
  let rawValue: UInt64

  static let immediately = OSCTimeTag(rawValue: 1)

  /// Whether it says at once; senders without a clock say 0.
  var isImmediate: Bool { rawValue <= 1 }

  /// From 1900 to 1970, in seconds.
  private static let epoch: UInt64 = 2_208_988_800

  static var now: OSCTimeTag {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    let fraction = (UInt64(clamping: time.tv_nsec) << 32) / 1_000_000_000
    // The seconds go round in 2036, as they are to.
    return OSCTimeTag(
      rawValue: (UInt64(bitPattern: Int64(time.tv_sec)) &+ epoch) << 32 | fraction)
  }

  /// The time since another moment, at most 68 years either way.
  func since(_ other: OSCTimeTag) -> Duration {
    let difference = Int64(bitPattern: rawValue &- other.rawValue)
    return .seconds(Double(difference) / 4_294_967_296)
  }
}
