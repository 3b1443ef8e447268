// Tests of keys, without a terminal.

import Testing

@testable import SlitScanStage

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

  @Test(arguments: 0..<200 as Range<UInt64>) func anyBytesAtAllDoNoHarm(seed: UInt64) {
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

  @Test func noKeyDoesTwoThings() {
    #expect(Set(KeyMap.entries.map(\.key)).count == KeyMap.entries.count)
  }
}

@Suite struct ScreenTests {
  private func make() async throws -> Screen {
    let stage = try InMemoryStage()
    let performance = await Performance(on: stage)
    return Screen(await performance.state, parameters: stage.parameters, presets: stage.presets)
  }

  @Test(arguments: [(1, 1), (20, 5), (80, 24), (150, 40), (300, 100)])
  func itFitsAndShowsWhatIsSelected(columns: Int, rows: Int) async throws {
    var screen = try await make()
    for number in 0..<200 { screen.say("message \(number)") }
    for _ in 0..<60 {
      screen.select(1)
      let lines = screen.lines(columns: columns, rows: rows)
      #expect(lines.count <= rows)
      #expect(lines.allSatisfy { $0.count <= columns })
      if columns >= 80, rows >= 24 {
        let name = try #require(screen.selected).name
        #expect(
          lines.contains {
            $0.contains("> \(name)".replacing("> ", with: ">  ")) || $0.contains("> ~\(name)")
              || $0.contains("> \(name)")
          })
        #expect(lines.last?.contains("message 199") == true)
      }
    }
    screen.showsKeys = true
    #expect(screen.lines(columns: columns, rows: rows).count <= rows)
  }

  @Test func whatMattersIsOnIt() async throws {
    var screen = try await make()
    screen.performance.recording = "take.mkv"
    screen.performance.isBlack = true
    screen.performance.values["freeze"] = .bool(true)
    screen.performance.drives["angle"] = .ramp(beats: 4, to: 1)
    let text = screen.lines(columns: 160, rows: 40).joined(separator: "\n")
    for part in ["take.mkv", "BLACK", "FROZEN", ">~angle", "tempo 120"] {
      #expect(text.contains(part), "\(part)")
    }
    screen.showsKeys = true
    let keys = screen.lines(columns: 160, rows: 60).joined(separator: "\n")
    for entry in KeyMap.entries where !entry.label.isEmpty {
      #expect(keys.contains(entry.summary))
    }
  }
}
