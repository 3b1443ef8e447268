// Tests of keys, without a terminal.

import Testing

@testable import SlitScanTerminal

@Suite struct KeyTests {
  private func read(_ bytes: [UInt8]) -> [String] {
    var reader = KeyReader()
    var keys = bytes.compactMap { reader.read($0) }
    if let key = reader.close() { keys.append(key) }
    return keys.map(\.name)
  }

  @Test(arguments: [
    ("a", ["a"]), ("A?", ["A", "?"]), ("\u{1b}[A\u{1b}[B", ["Up", "Down"]), ("\u{1b}OC", ["Right"]),
    ("\u{1b}[Z", ["Up"]), ("\u{1b}", ["Escape"]), ("\t\r", ["Tab", "Return"]),
    ("é€😀", ["é", "€", "😀"]),
    ("\u{1b}[23~", ["F11"]), ("\u{1b}[23;1~q", ["F11", "q"]), ("\u{1b}[24~\u{1b}[23;2~x", ["x"]),
    ("\u{1b}[[Ax", ["x"]),
    ("\u{1b}[1;5Cx", ["x"]), ("\u{1b}[200~x", ["x"]), ("\u{3}", ["q"]),
  ]) func bytesBecomeKeys(text: String, keys: [String]) { #expect(read(Array(text.utf8)) == keys) }

  @Test(arguments: 0..<200 as Range<UInt64>) func arbitraryBytesAreParsedSafely(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let bytes = (0..<500).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
    // After anything at all, and the end of what may be under way, a letter is a letter.
    #expect(read(bytes + [0x1b, 0x5b, 0x41] + Array("zz".utf8)).last == "z", "seed \(seed)")
  }

  @Test func windowsAndTerminalsNameKeysAlike() {
    #expect(Key("space") == Key(" "))
    #expect(Key("bracketleft") == Key("["))
    #expect(KeyMap.action(of: Key("space")) == .move(.tap))
  }

  @Test func eachKeyHasOneAction() {
    #expect(Set(KeyMap.entries.map(\.key)).count == KeyMap.entries.count)
  }
}
