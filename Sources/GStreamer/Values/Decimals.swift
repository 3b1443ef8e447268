// Decimals of numbers, the same in every language.

import CGStreamer

extension Double {
  /// The number with so many digits after the point.
  package func decimals(_ digits: Int) -> String {
    // The largest number has 309 digits before the point.
    var text = [CChar](repeating: 0, count: 320 + digits)
    _ = unsafe g_ascii_formatd(&text, gint(text.count), "%.\(digits)f", self)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
  }

  /// The number with so many digits after the point at most, without zeros at its end.
  package func decimals(atMost digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return Value.double((self * scale).rounded(.toNearestOrEven) / scale).text
  }
}

/// A number of bytes as people read it, such as `62.2 MB`, in powers of a thousand.
package func text(ofBytes count: Int) -> String {
  var (number, digits, rest) = (Double(count) / 1000, 0, ["kB", "MB", "GB", "TB", "PB"][...])
  // None is shown as 1000 of a smaller unit.
  while number >= 999.5, rest.count > 1 {
    (number, digits, rest) = (number / 1000, min(digits + 1, 2), rest.dropFirst())
  }
  return "\(number.decimals(atMost: digits)) \(rest[rest.startIndex])"
}
