// The units of property values, as users write them: 5s, 200ms, #ff8000.

import GStreamer
import GstSlitScan

/// The kinds of properties whose values are written with a unit, by the unit that the element names.
package enum PropertyUnit: String, Sendable {
  /// A duration in nanoseconds, written as `5s`, `1.5s`, `200ms`, `2min` or `2m`.
  case time = "ns"
  /// A colour, written as `#rrggbb` or `#rrggbbaa`.
  case colour = "0xAARRGGBB"

  private static let nanoseconds: [(unit: String, factor: Double)] = [
    ("ns", 1), ("us", 1e3), ("ms", 1e6), ("min", 60e9), ("m", 60e9), ("s", 1e9), ("h", 3600e9),
  ]

  /// The kind of a property of the element; nil for properties that are written as plain values.
  package init?(of property: String, in element: Element) {
    guard let unit = element.note(GST_SLIT_SCAN_UNIT, of: property) else { return nil }
    self.init(rawValue: unit)
  }

  /// The possible values, in words.
  package var words: String {
    switch self {
    case .time: "a time such as 5s or 200ms, or a number of nanoseconds"
    case .colour: "a colour such as #ff8000, or a number as 0xAARRGGBB"
    }
  }

  /// The number that text stands for; nil if it is not written with a unit.
  package func number(_ text: String) -> UInt64? {
    switch self {
    case .time: Self.time(text)?.nanoseconds
    case .colour: Self.colour(text)
    }
  }

  /// A duration; nil if the text is not a number with a unit of time.
  package static func time(_ text: String) -> ClockTime? {
    for (unit, factor) in nanoseconds where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), 0...1e18 ~= number * factor else {
        continue
      }
      return ClockTime(nanoseconds: UInt64((number * factor).rounded()))
    }
    return nil
  }

  private static func colour(_ text: String) -> UInt64? {
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6 || digits.count == 8,
      digits.allSatisfy(\.isHexDigit), let number = UInt64(digits, radix: 16)
    else { return nil }
    return digits.count == 6 ? 0xff00_0000 | number : (number & 0xff) << 24 | number >> 8
  }

  /// A number with its unit.
  package func text(_ number: UInt64) -> String {
    switch self {
    case .time:
      let (unit, factor): (String, UInt64) =
        switch number {
        case 0, 1_000_000_000...: ("s", 1_000_000_000)
        case 1_000_000...: ("ms", 1_000_000)
        case 1000...: ("us", 1000)
        default: ("ns", 1)
        }
      guard !number.isMultiple(of: factor) else { return "\(number / factor)\(unit)" }
      return "\(Double(number) / Double(factor))\(unit)"
    case .colour:
      let (alpha, colour) = (number >> 24 & 0xff, number & 0xff_ffff)
      return "#" + String(colour, radix: 16, digits: 6)
        + (alpha == 0xff ? "" : String(alpha, radix: 16, digits: 2))
    }
  }
}
