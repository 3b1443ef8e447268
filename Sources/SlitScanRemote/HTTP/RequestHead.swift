// The head of an HTTP request, as untrusted bytes. A value.

/// What a client asks for: RFC 9112, as much of it as a browser needs that has one page and a WebSocket.
struct RequestHead: Sendable, Equatable {
  /// How long a head gets, in bytes; browsers send about one thousand.
  static let limit = 8192
  /// How many fields a head gets.
  static let fieldLimit = 64

  /// What is asked to be done, as `GET`.
  let method: String
  /// Where, without what comes after a `?`.
  let path: String
  /// The fields, by their names in small letters.
  let fields: [String: String]

  /// What some bytes come to.
  enum Reading: Sendable, Equatable {
    /// More must come.
    case unfinished
    /// A head, and where it ends.
    case head(RequestHead, end: Int)
    /// None, and what to answer.
    case refused(Status)
  }

  /// Reads the head at the beginning of what has come.
  static func read(_ bytes: [UInt8]) -> Reading {
    guard let end = end(of: bytes.prefix(limit)) else {
      return bytes.count < limit ? .unfinished : .refused(.headTooLong)
    }
    // What is no printable ASCII has no meaning here, and could have one to who reads a log.
    let text = bytes.prefix(end - 4)
    let isPlain = text.allSatisfy { (0x20...0x7E).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
    guard isPlain else { return .refused(.badRequest) }
    let lines = String(decoding: text, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first, !lines.contains(where: { $0.contains(where: \.isNewline) })
    else { return .refused(.badRequest) }
    return head(first, lines.dropFirst(), end: end)
  }

  private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      let wanted: UInt8 = matched.isMultiple(of: 2) ? 0x0D : 0x0A
      matched = byte == wanted ? matched + 1 : byte == 0x0D ? 1 : 0
      if matched == 4 { return index + 1 }
    }
    return nil
  }

  private static func head(_ first: Substring, _ lines: ArraySlice<Substring>, end: Int) -> Reading
  {
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].first == "/" else { return .refused(.badRequest) }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      return .refused(.versionNotSupported)
    }
    guard lines.count <= fieldLimit else { return .refused(.headTooLong) }
    var fields: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { return .refused(.badRequest) }
      let name = line[..<colon].lowercased()
      guard !name.isEmpty, name.allSatisfy(isPartOfName) else { return .refused(.badRequest) }
      let value = trimmed(line[line.index(after: colon)...])
      // Who says two things, wants two readers to believe different ones.
      guard fields[name] == nil else { return .refused(.badRequest) }
      fields[name] = value
    }
    let path = words[1].prefix { $0 != "?" }
    return .head(
      RequestHead(method: String(words[0]), path: String(path), fields: fields), end: end)
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }

  // MARK: What is asked of it

  /// How many bytes follow, 0 where none are said to; nil for what is not taken.
  var bodyLength: Int? {
    guard fields["transfer-encoding"] == nil else { return nil }
    guard let text = fields["content-length"] else { return 0 }
    guard !text.isEmpty, text.count <= 9, text.allSatisfy({ ("0"..."9").contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// A cookie's value.
  func cookie(_ name: String) -> String? {
    for pair in (fields["cookie"] ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2, Self.trimmed(parts[0]) == name { return Self.trimmed(parts[1]) }
    }
    return nil
  }
}
