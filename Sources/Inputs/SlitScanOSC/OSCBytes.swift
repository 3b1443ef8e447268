// Numbers and texts as OSC writes them: the highest byte first, and all of it in fours.

extension ArraySlice<UInt8> {
  /// Takes a number off the front; nil where there are not that many bytes.
  mutating func takeNumber<Number: FixedWidthInteger & UnsignedInteger>(
    _: Number.Type
  ) -> Number? {
    let size = MemoryLayout<Number>.size
    guard count >= size else { return nil }
    defer { removeFirst(size) }
    return prefix(size).reduce(0) { $0 << 8 | Number($1) }
  }

  /// Takes a text off the front, with the zeros behind it; nil where it does not end, or ends in anything
  /// else.
  mutating func takeText() -> ArraySlice<UInt8>? {
    let text = prefix { $0 != 0 }
    let size = (text.count / 4 + 1) * 4
    guard count >= size, prefix(size).dropFirst(text.count).allSatisfy({ $0 == 0 }) else {
      return nil
    }
    removeFirst(size)
    return text
  }
}

extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    for place in (0..<number.bitWidth / 8).reversed() {
      append(UInt8(truncatingIfNeeded: number >> (place * 8)))
    }
  }

  /// Appends a text as far as its first zero, which ends it.
  mutating func append(text: String) {
    self += text.utf8.prefix { $0 != 0 }
    // The bytes so far come in fours, so this is as long as the text asks for.
    repeat { append(0) } while !count.isMultiple(of: 4)
  }
}
