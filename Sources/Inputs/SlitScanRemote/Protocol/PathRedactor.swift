// The path redactor removes stream addresses and folders from texts that are sent to phones.

/// Removes private parts of names and sentences.
///
/// Addresses of streams may have passwords in them, so they are only called streams. Of a file, only the name stays.
enum PathRedactor {
  static let stream = "a stream"

  static func isStream(_ text: some StringProtocol) -> Bool { text.contains("://") }

  /// A sentence without addresses and folders.
  ///
  /// It goes by words: of a folder with spaces in its name, some words may stay.
  static func redacted(_ text: String) -> String {
    var redacted = ""
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isWhitespace }
      let space = rest[word.endIndex...].prefix(while: \.isWhitespace)
      redacted += Self.redacted(word: word) + space
      rest = rest[space.endIndex...]
    }
    return redacted
  }

  private static func redacted(word: Substring) -> String {
    let start = word.prefix { "`'\"([<".contains($0) }
    var core = word[start.endIndex...]
    while let last = core.last, "`'\")]>.,:;!?".contains(last) { core.removeLast() }
    let end = word[core.endIndex...]
    if isStream(core) { return start + stream + end }
    guard isPath(core), let name = core.split(separator: "/").last else { return String(word) }
    return String(start + name + end)
  }

  /// Addresses of OSC and fractions are no paths.
  private static func isPath(_ word: Substring) -> Bool {
    let name = word.split(separator: "/").last ?? ""
    let suffix = name.split(separator: ".").dropFirst().last
    if word.contains("/"), suffix?.contains(where: \.isLetter) ?? false { return true }
    return ["/", "~/", "./", "../"].contains(where: word.hasPrefix)
      && !word.hasPrefix("/slitscan/")
  }
}
