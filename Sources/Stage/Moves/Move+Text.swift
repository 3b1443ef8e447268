// The text form of moves, for scripts, messages and logs.

import GStreamer

extension Move {
  /// A move from a line: words separated by spaces; one with spaces is in double quotes, in which `\`
  /// goes before quotes and itself, and `\u{A}` is a line break.
  ///
  /// Whether there is such a property is not known here.
  ///
  /// - Throws: ``StageError/Code/badMove``, which says what it should look like.
  public init(_ line: String) throws(StageError) {
    guard let words = Self.words(of: line), let name = words.first,
      let move = Self.row(name)?.move(words.dropFirst())
    else { throw Self.refusal(of: line) }
    self = move
  }

  private static func refusal(of line: String) -> StageError {
    let name = words(of: line)?.first ?? line.split(separator: " ").first.map(String.init) ?? ""
    guard let row = row(name) else {
      let names = table.map(\.name)
      return StageError(
        .badMove,
        "\(name.isEmpty ? "An empty line" : name) is not a move.\(Spelling(name, in: names).question)"
          + " There are: \(names.sorted().joined(separator: ", ")).")
    }
    return StageError(
      .badMove, "`\(line)` is not a move. Write: \(row.forms.joined(separator: ", or ")).")
  }

  // MARK: Words

  /// The words of a line; nil where a quote does not end.
  ///
  /// By scalars, as an accent after a quote would make one character of both.
  package static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var isQuoted = false
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\\" where isQuoted:
        guard let escaped = unescaped(&scalars) else { return nil }
        word = word ?? String.UnicodeScalarView()
        word?.append(escaped)
      case "\"":
        isQuoted.toggle()
        word = word ?? String.UnicodeScalarView()
      case " " where !isQuoted, "\t" where !isQuoted:
        if let word { words.append(String(word)) }
        word = nil
      default:
        word = word ?? String.UnicodeScalarView()
        word?.append(scalar)
      }
    }
    if let word { words.append(String(word)) }
    return isQuoted ? nil : words
  }

  /// The character behind a backslash; nil where there is none.
  private static func unescaped(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    guard scalar == "u", rest.first == "{", let end = rest.firstIndex(of: "}") else {
      return scalar
    }
    let digits = String(rest[rest.index(after: rest.startIndex)..<end])
    guard let number = UInt32(digits, radix: 16) else { return nil }
    rest = rest[rest.index(after: end)...]
    return Unicode.Scalar(number)
  }

  /// A word as it stands in a line.
  static func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars
    let isPlain = !scalars.contains {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
        || $0 == "\"" || $0 == "\\"
    }
    // An accent at the beginning would belong to the space before it.
    let beginsPlainly = scalars.first.map { !$0.properties.isGraphemeExtend } ?? false
    guard !isPlain || !beginsPlainly else { return word }
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar {
      case "\"", "\\": text.append(contentsOf: "\\\(scalar)".unicodeScalars)
      // A line of a script ends at each of these.
      case _ where Character(scalar).isNewline:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      default: text.append(scalar)
      }
    }
    return "\"\(String(text))\""
  }

  /// The line that stands for the move.
  public var line: String {
    words.map { Self.quoted($0) }.joined(separator: " ")
  }

  private var words: [String] { row.map { [$0.name] + ($0.words(of: self) ?? []) } ?? [] }
}
