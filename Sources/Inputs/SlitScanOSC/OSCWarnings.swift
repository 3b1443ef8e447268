// OSC warnings report invalid messages at a limited rate. A value, without a clock.

struct OSCWarnings: Sendable {
  /// The time for which nothing more is said.
  static let pause = Duration.seconds(2)
  /// The longest sentence, in characters.
  static let length = 300

  private var silence: ContinuousClock.Instant?
  private var last = ""
  private var count = 0

  mutating func add(_ sentence: String) {
    last = Self.printable(sentence)
    count += 1
  }

  /// The warning that is due at a moment; nil for none.
  mutating func take(at moment: ContinuousClock.Instant) -> String? {
    guard count > 0, next.map({ $0 <= moment }) ?? true else { return nil }
    defer { count = 0 }
    silence = moment + Self.pause
    return count == 1 ? last : "\(last) (And \(count - 1) more of this kind.)"
  }

  /// When there is something to be said next; nil where there is nothing, or at once.
  var next: ContinuousClock.Instant? { count > 0 ? silence : nil }

  /// Text from the network can be anything; a terminal must not obey it.
  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(length).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        Unicode.Scalar(UInt8(ascii: "?"))
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
