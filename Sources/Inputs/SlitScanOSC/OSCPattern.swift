// Patterns of names, as OSC has them. A value.

/// A part of an address that stands for several names: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`.
struct OSCPattern {
  /// The longest pattern, in characters of Unicode.
  private static let limit = 256

  private enum Piece {
    /// Any characters, or none.
    case anything
    /// One character of those, or of all others.
    case character([ClosedRange<Unicode.Scalar>], isOther: Bool)
    /// One of several texts.
    case text([ArraySlice<Unicode.Scalar>])
  }

  private var pieces: [Piece] = []

  /// A pattern; nil where a bracket is empty, or has no partner.
  init?(_ text: Substring) {
    var rest = Array(text.unicodeScalars)[...]
    guard rest.count <= Self.limit else { return nil }
    while let character = rest.popFirst() {
      switch character {
      case "*": if rest.first != "*" { pieces.append(.anything) }
      case "?": pieces.append(.character([], isOther: true))
      case "[":
        guard var content = Self.content(of: &rest, until: "]") else { return nil }
        let isOther = content.first == "!"
        if isOther { content.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = content.popFirst() {
          let isRange = content.count > 1 && content.first == "-"
          let last = isRange ? content.dropFirst().first ?? first : first
          content = content.dropFirst(isRange ? 2 : 0)
          ranges.append(min(first, last)...max(first, last))
        }
        guard !ranges.isEmpty else { return nil }
        pieces.append(.character(ranges, isOther: isOther))
      case "{":
        guard let texts = Self.content(of: &rest, until: "}"), !texts.isEmpty else { return nil }
        pieces.append(.text(texts.split(separator: ",", omittingEmptySubsequences: false)))
      case "]", "}": return nil
      default: pieces.append(.text([[character]]))
      }
    }
  }

  /// Takes off what is within a bracket; nil where there is another one in it, or no end.
  private static func content(
    of rest: inout ArraySlice<Unicode.Scalar>, until end: Unicode.Scalar
  ) -> ArraySlice<Unicode.Scalar>? {
    let content = rest.prefix { !["[", "]", "{", "}"].contains($0) }
    rest = rest.dropFirst(content.count)
    return rest.popFirst() == end ? content : nil
  }

  /// Whether it stands for a name.
  ///
  /// Follows all ways at once, so none is gone twice, whatever the pattern.
  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    // The parts of the name that the pieces so far can stand for.
    var ends = [true] + name.map { _ in false }
    for piece in pieces {
      var next = ends.map { _ in false }
      for end in ends.indices where ends[end] {
        switch piece {
        case .anything: for longer in end...name.count { next[longer] = true }
        case .character(let ranges, let isOther):
          guard end < name.count else { break }
          if ranges.contains(where: { $0.contains(name[end]) }) != isOther { next[end + 1] = true }
        case .text(let texts):
          for text in texts where name[end...].starts(with: text) { next[end + text.count] = true }
        }
      }
      ends = next
    }
    return ends[name.count]
  }
}
