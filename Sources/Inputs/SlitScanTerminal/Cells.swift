// The width of text in terminal cells.

extension Character {
  /// The cells that it takes: 0, 1 or 2, as terminals count (Unicode, UAX #11 and UTS #51).
  var cells: Int { unicodeScalars.map(\.cells).max() ?? 0 }
}

extension Unicode.Scalar {
  fileprivate var cells: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: properties.isEmojiPresentation || Self.isWide(value) ? 2 : 1
    }
  }

  /// Whether it is in one of the blocks of East Asian width W or F.
  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x17000...0x18AFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension String {
  var cells: Int { reduce(0) { $0 + $1.cells } }

  /// As much from the beginning as fits into some cells.
  ///
  /// Control characters are replaced, as a terminal obeys them: names of files come from outside.
  func prefix(cells room: Int) -> String {
    var text = ""
    var used = 0
    for character in self {
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      let shown = isControl ? "\u{FFFD}" : character
      guard used + shown.cells <= room else { break }
      used += shown.cells
      text.append(shown)
    }
    return text
  }

  /// Cut or filled with spaces to some cells, with a space at the end where it is cut.
  func padded(toCells width: Int) -> String {
    let text = cells >= width ? prefix(cells: width - 1) : self
    return text + String(repeating: " ", count: max(0, width - text.cells))
  }

  /// The text in lines of at most some cells, broken at spaces where there are any.
  func wrapped(toCells width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      var word = String(word)
      if !line.isEmpty, line.cells + 1 + word.cells <= width {
        line += " \(word)"
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while word.cells > width {
        // A character may be wider than the line.
        let part = word.prefix(cells: width)
        guard !part.isEmpty else { break }
        lines.append(part)
        word = String(word.dropFirst(part.count))
      }
      line = word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
