// The number in a file's name, and the natural order of names.

/// A path with a number in the name: the last digits before the extension.
struct NumberedName: Sendable {
  /// The path before the digits and after them.
  let prefix, suffix: Substring
  let digits: Substring
  let number: Int

  init?(_ path: String) {
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let end = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
    func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
    guard let last = path[name..<end].lastIndex(where: isDigit) else { return nil }
    let after = path.index(after: last)
    let first =
      path[name..<after].lastIndex { !isDigit($0) }.map(path.index(after:)) ?? name
    guard let number = Int(path[first..<after]) else { return nil }
    (prefix, suffix) = (path[..<first], path[after...])
    digits = path[first..<after]
    self.number = number
  }
}

/// Whether a name comes before another as people count: `shot9` before `shot10`.
func comesBefore(_ left: String, _ right: String) -> Bool {
  var (left, right) = (left.utf8[...], right.utf8[...])
  let (wholeLeft, wholeRight) = (left, right)
  func digits(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
  while let first = left.first, let second = right.first {
    let (number, other) = (digits(left), digits(right))
    if !number.isEmpty, !other.isEmpty {
      let zero = UInt8(ascii: "0")
      let (value, otherValue) = (number.drop { $0 == zero }, other.drop { $0 == zero })
      if value.count != otherValue.count { return value.count < otherValue.count }
      if !value.elementsEqual(otherValue) { return value.lexicographicallyPrecedes(otherValue) }
      (left, right) = (left.dropFirst(number.count), right.dropFirst(other.count))
    } else {
      if first != second { return first < second }
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
  }
  if left.isEmpty != right.isEmpty { return left.isEmpty }
  return wholeLeft.lexicographicallyPrecedes(wholeRight)
}
