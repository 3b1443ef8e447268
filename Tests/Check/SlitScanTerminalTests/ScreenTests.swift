// Tests of the live screen's layout, without a terminal.

import GStreamer
import Testing

@testable import SlitScanTerminal
@testable import SlitScanStage

@Suite final class ScreenTests {
  private var screen: Screen

  init() async throws {
    let stage = try InMemoryStage()
    let performance = await Performance(on: stage)
    screen = Screen(await performance.state, parameters: stage.parameters, presets: stage.presets)
  }

  @Test(arguments: [(1, 1), (20, 5), (40, 12), (80, 24), (150, 40), (200, 60), (300, 100)])
  func theScreenFitsAndShowsTheSelection(columns: Int, rows: Int) async throws {
    for number in 0..<200 { screen.say("message \(number)") }
    for _ in 0..<60 {
      screen.select(1)
      let lines = screen.lines(columns: columns, rows: rows)
      #expect(lines.count <= rows)
      #expect(lines.allSatisfy { $0.cells <= columns })
      guard columns >= 40, rows >= 12 else { continue }
      let name = try #require(screen.selected).name
      let isSelected = lines.contains { line in
        line.pieces.contains { $0.style == .selected && $0.text.contains(name) }
      }
      #expect(isSelected, "\(name)")
      #expect(lines.last?.text.contains("message 199") == true)
    }
    screen.showsKeys = true
    #expect(screen.lines(columns: columns, rows: rows).count <= rows)
  }

  @Test(arguments: [(40, 12), (80, 24), (160, 40)])
  func theEssentialsAreAlwaysShown(columns: Int, rows: Int) async throws {
    screen.source = "a.mp4"
    screen.performance.isBlack = true
    screen.performance.values["freeze"] = .bool(true)
    screen.performance.values["depth"] = .uint(77)
    screen.performance.drives["angle"] = .ramp(beats: 4, to: 1)
    screen.performance.recording = "take.mkv"
    let lines = screen.lines(columns: columns, rows: rows)
    let text = lines.map(\.text).joined(separator: "\n")
    for part in [
      "take.mkv", "BLACK", "FROZEN", "mode displace", "map linear", "depth 77 frames", "gain 1",
      "mix 1", "~angle 0°", "tempo 120", "glide 0 beats", "quantize off",
    ] { #expect(text.contains(part), "\(part)") }
    let styles = Set(lines.flatMap { $0.pieces.map(\.style) })
    #expect(styles.isSuperset(of: [.recording, .warning, .moving]))
  }

  @Test func theNumberKeysReachAllPresets() async throws {
    screen.presets = (1...23).map { "preset \($0)" }
    #expect(screen.preset(1) == "preset 1")
    #expect(screen.preset(10) == "preset 10")
    screen.changeBank(by: 2)
    #expect(
      (1...10).map { screen.preset($0) } == ["preset 21", "preset 22", "preset 23"]
        + Array(repeating: nil, count: 7))
    let lines = screen.lines(columns: 120, rows: 40)
    #expect(
      lines.contains { $0.text.contains("Bank 3 of 3: 1 preset 21, 2 preset 22, 3 preset 23") })
    screen.changeBank(by: 1)
    #expect(screen.preset(1) == "preset 1")
  }

  @Test func waitingChangesAreShownWithTheBeatsThatAreLeft() async throws {
    screen.now = screen.performance.tempo.origin + .milliseconds(600)
    screen.performance.waiting["preset"] = WaitingChange(
      "Vortex", at: screen.performance.tempo.origin + .seconds(2))
    let text = screen.lines(columns: 160, rows: 40).map(\.text).joined(separator: "\n")
    #expect(text.contains("preset Vortex in 3 beats"))
    // The second beat of four.
    #expect(text.contains("tempo 120 ·●··"))
  }

  @Test func parametersStandInTheirGroupsWithMarksWhereThereAreMore() async throws {
    let all = screen.lines(columns: 300, rows: 100).map(\.text).joined(separator: "\n")
    #expect(!all.contains("more"))
    for group in Set((try InMemoryStage()).parameters.groups) {
      let hasParameters = try InMemoryStage().parameters.all.contains { $0.group == group }
      #expect(all.contains(group) == hasParameters)
    }
    let first = screen.lines(columns: 80, rows: 24).map(\.text).joined(separator: "\n")
    #expect(first.contains("↓"))
    #expect(!first.contains("↑"))
    screen.select(-1)
    let last = screen.lines(columns: 80, rows: 24).map(\.text).joined(separator: "\n")
    #expect(last.contains("↑"))
    #expect(!last.contains("↓"))
  }

  @Test func theSelectedParameterSaysWhatItCanBe() async throws {
    while screen.selected?.name != "edge" { screen.select(1) }
    let text = screen.lines(columns: 160, rows: 40).map(\.text).joined(separator: "\n")
    #expect(text.contains("[clamp] wrap mirror"))
  }

  @Test func allKeysCanBeScrolledTo() async throws {
    screen.showsKeys = true
    let all = screen.lines(columns: 200, rows: 60).map(\.text).joined(separator: "\n")
    var seen = ""
    for _ in 0..<80 {
      seen += screen.lines(columns: 80, rows: 24).map(\.text).joined(separator: "\n")
      screen.select(1)
    }
    for entry in KeyMap.entries where !entry.label.isEmpty {
      #expect(all.contains(entry.summary))
      #expect(seen.contains(entry.summary), "\(entry.summary)")
    }
  }

  @Test func messagesGoAwayAndWarningsStayLonger() async throws {
    let start = screen.now
    screen.say("a notice")
    screen.say("some trouble", isWarning: true)
    for (later, notice, warning) in [(0, true, true), (30, false, true), (120, false, false)] {
      screen.now = start + .seconds(later)
      let text = screen.lines(columns: 80, rows: 24).map(\.text).joined(separator: "\n")
      #expect(text.contains("a notice") == notice, "after \(later) s")
      #expect(text.contains("! some trouble") == warning, "after \(later) s")
    }
  }
}
