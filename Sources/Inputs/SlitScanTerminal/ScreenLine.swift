// A screen line is text in pieces, each with a style.

/// One line of the live screen.
public struct ScreenLine: Sendable, Equatable {
  /// The look of a piece of text.
  public enum Style: Sendable, Hashable, CaseIterable {
    case plain
    /// The most important text.
    case strong
    /// The least important text.
    case faint
    /// The line under the keys.
    case selected
    /// A value that moves by itself.
    case moving
    /// A recording goes on.
    case recording
    /// The video is not what the audience expects: black, frozen, or broken off; a recording loses frames.
    case warning
    /// A message that says what went wrong, and was not seen yet.
    case error
  }

  /// The pieces, from left to right: each has a text and a style.
  public private(set) var pieces: [(text: String, style: Style)] = []

  /// A line of one piece.
  public init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

  /// Adds a piece at the end.
  public mutating func add(_ text: String, _ style: Style = .plain) {
    if !text.isEmpty { pieces.append((text, style)) }
  }

  mutating func add(_ line: ScreenLine) { pieces += line.pieces }

  /// The text without styles.
  public var text: String { pieces.map(\.text).joined() }

  var cells: Int { pieces.reduce(0) { $0 + $1.text.cells } }

  func prefix(cells room: Int) -> ScreenLine {
    var line = ScreenLine()
    var left = room
    for (text, style) in pieces {
      let fitting = text.prefix(cells: left)
      line.add(fitting, style)
      left -= fitting.cells
      guard fitting.count == text.count else { break }
    }
    return line
  }

  func padded(toCells width: Int) -> ScreenLine {
    var line = cells >= width ? prefix(cells: width - 1) : self
    line.add(String(repeating: " ", count: max(0, width - line.cells)))
    return line
  }

  /// Whether two lines have the same pieces.
  public static func == (left: ScreenLine, right: ScreenLine) -> Bool {
    left.pieces.elementsEqual(right.pieces) { $0 == $1 }
  }
}

// MARK: Terminals

extension ScreenLine {
  /// The text with the escape sequences of ECMA-48 that give it its styles.
  ///
  /// - Parameter hasColor: Whether colours are wanted; else weight and inversion have to do.
  func escaped(hasColor: Bool) -> String {
    pieces.map { text, style in
      let code = style.code(hasColor: hasColor)
      return code.isEmpty ? text : "\u{1b}[\(code)m\(text)\u{1b}[0m"
    }.joined()
  }
}

extension ScreenLine.Style {
  fileprivate func code(hasColor: Bool) -> String {
    switch self {
    case .plain: ""
    case .strong: "1"
    case .faint: "2"
    case .selected: "7"
    case .moving: hasColor ? "1;36" : "1"
    case .recording: hasColor ? "1;37;41" : "1;7"
    case .warning: hasColor ? "1;30;43" : "1;7"
    case .error: hasColor ? "1;31" : "1"
    }
  }
}
