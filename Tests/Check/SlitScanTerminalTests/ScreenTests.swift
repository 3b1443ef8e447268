// Tests of the live screen's layout, without a terminal.

import Foundation
import GStreamer
import Testing

@testable import SlitScanCapture
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

  @Test(arguments: [(40, 12), (80, 24)])
  func whatMIDIControlsDoIsShownAndChangedByKeys(columns: Int, rows: Int) {
    #expect(screen.learning == screen.selected.map { .midiLearn($0.name) })
    screen.showsAssignments = true
    #expect(screen.lines(columns: 80, rows: rows).contains { $0.text.contains("--midi") })
    #expect(screen.learning == nil && screen.unassigning == nil)
    screen.performance.assignments = (0..<40).map {
      ControlAssignment(
        device: "box", control: "cc \($0)", action: $0 == 7 ? "do tap" : "fader depth",
        property: $0 == 7 ? nil : "depth")
    }
    for number in [0, 1, 2, 3, 4, 5, 6, 7] + (8..<40) {
      let control = "cc \(number)"
      let lines = screen.lines(columns: columns, rows: rows)
      #expect(lines.count <= rows && lines.allSatisfy { $0.cells <= columns })
      let selected = lines.flatMap(\.pieces).filter { $0.style == .selected }.map(\.text)
      #expect(selected.count == 1 && selected[0].contains("\(control) "), "\(selected)")
      #expect(
        screen.learning
          == (number == 7 ? nil : .midiLearn("depth", replacing: control, device: "box")))
      #expect(screen.unassigning == .midiRemove(control, device: "box"))
      screen.select(1)
    }
    // The last is gone meanwhile.
    screen.select(-1)
    screen.performance.assignments?.removeLast(10)
    #expect(screen.unassigning == .midiRemove("cc 29", device: "box"))
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
      "mix 1", "~angle 0°", "tempo 120", "glide off", "quantize off",
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

  private func text(columns: Int = 80, rows: Int = 24) -> String {
    screen.lines(columns: columns, rows: rows).map(\.text).joined(separator: "\n")
  }

  @Test func noticesGoAwayAndErrorsStayUntilTheyAreSeen() async throws {
    screen.say("a notice")
    screen.say("some trouble", isWarning: true)
    #expect(text().contains("a notice"))
    #expect(text().contains("! some trouble"))
    // That is too soon to have been read.
    screen.acknowledge()
    screen.now += .seconds(3600)
    #expect(!text().contains("a notice"))
    #expect(text().contains("! some trouble"))
    screen.acknowledge()
    screen.now += .seconds(10)
    #expect(text().contains("! some trouble"))
    screen.now += .seconds(10)
    #expect(!text().contains("some trouble"))
  }

  @Test func errorsThatFindNoRoomWaitForIt() async throws {
    let sentences = (0..<30).map { "trouble \($0) " + String(repeating: "and more ", count: 10) }
    for sentence in sentences { screen.say(sentence, isWarning: true) }
    var seen: Set<String> = []
    for _ in sentences {
      let shown = text()
      #expect(shown.contains("trouble"), "\(seen.count) seen")
      seen.formUnion(sentences.filter { shown.contains($0.prefix(11)) })
      screen.now += .seconds(2)
      screen.acknowledge()
      screen.now += .seconds(20)
      if seen.count == sentences.count { break }
      #expect(shown.contains("more error"), "\(shown)")
    }
    #expect(seen.count == sentences.count)
    #expect(!text().contains("trouble"))
  }

  @Test func longMessagesAreWrappedAndNoneOfTheirWordsIsLost() async throws {
    let path = "/home/performer/" + String(repeating: "folder/", count: 20) + "take.mkv"
    let message = "The disk is full. What was recorded before is in \(path) and can be played."
    screen.say(message, isWarning: true)
    for columns in [24, 40, 80, 200] {
      let lines = screen.lines(columns: columns, rows: 60)
      let start = try #require(lines.firstIndex { $0.text.contains("The disk") })
      let joined = lines[start...].map { $0.text.filter { !$0.isWhitespace } }.joined()
      #expect(joined.contains(message.filter { !$0.isWhitespace }), "\(columns): \(joined)")
    }
  }

  @Test func messagesTakeAllRowsThatAreFree() async throws {
    for number in 0..<200 { screen.say("message \(number)") }
    let shown = text(columns: 300, rows: 100)
    #expect(shown.components(separatedBy: "message").count - 1 > 40)
    #expect(!shown.contains("more"), "The parameters are there, too.")
  }

  @Test func whatIsToldAgainIsShownOnce() async throws {
    for _ in 0..<5 { screen.say("the same", isWarning: true) }
    screen.say("another")
    #expect(text().components(separatedBy: "the same").count == 2)
    #expect(text().contains("the same (5 times)"))
  }

  @Test func aRecordingSaysHowManyFramesItHasLost() async throws {
    screen.performance.recording = "take.mkv"
    func style() -> ScreenLine.Style? {
      screen.lines(columns: 80, rows: 24).flatMap(\.pieces).first { $0.text.contains("REC") }?.style
    }
    for (lost, words) in [(0, "● REC take.mkv"), (1, "1 frame lost"), (12, "12 frames lost")] {
      screen.performance.lostFrames = UInt64(lost)
      #expect(text().contains(words))
      #expect(style() == (lost > 0 ? .warning : .recording))
    }
    // The number stays, but none is lost any more.
    screen.now += .seconds(10)
    screen.performance.isBlack = true
    #expect(text().contains("12 frames lost"))
    #expect(style() == .recording)
  }

  @Test func theDecksStandOnBothSidesOfTheCrossfader() async throws {
    screen.performance.decks = [.a: "Vortex"]
    #expect(text().contains("A Vortex"))
    #expect(text().contains("B fill the other deck"))
    screen.performance.decks[.b] = "Shattered"
    screen.performance.crossfade = 0.9
    #expect(text().contains("A Vortex — 0.9 — B Shattered"))
  }

  @Test func theReserveIsShownInSecondsAsItsOptionTakesIt() async throws {
    screen.performance.values["reserve"] = .uint(300)
    screen.capture.frameInterval = .seconds(1.0 / 30)
    screen.capture.historyFrames = 75
    #expect(text(columns: 300, rows: 60).matches(of: /reserve .* 10 s/).count == 1)
    #expect(text().contains("history 2.5 s"))
  }

  @Test func aLongHistoryIsShownInMinutesWithItsPartOfTheDisk() async throws {
    screen.performance.values["reserve"] = .uint(36_000)
    screen.capture.frameInterval = .seconds(1.0 / 30)
    screen.capture.historyFrames = 13_500
    screen.capture.historyBytes = 512_000_000
    #expect(text().contains("history 7.5 min, 512 MB"))
    #expect(!text().contains("disk,") && !text().contains(" memory,"))
    screen.capture.diskBytes = 41_500_000_000
    #expect(text().contains("history 7.5 min, 512 MB memory, 41.5 GB disk"))
    #expect(text(columns: 300, rows: 60).matches(of: /reserve .* 20 min/).count == 1)
  }

  @Test(arguments: ["mode", "warmup", "drain", "component-spread"])
  func theSelectedParameterIsExplained(name: String) async throws {
    while screen.selected?.name != name { screen.select(1) }
    let parameter = try #require(screen.selected)
    let shown = text().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(shown.contains(parameter.property.summary))
    guard name == "mode" || name == "warmup" else { return }
    #expect(
      shown.contains(
        name == "mode"
          ? "displace: Each pixel is delayed in proportion to its map value"
          : "hold: The oldest frame in history"))
  }

  @Test(arguments: [40, 80, 160]) func oneLineSaysWhatToPressNext(columns: Int) async throws {
    func line() -> String {
      screen.lines(columns: columns, rows: 24).map(\.text).first { $0.hasPrefix("Press  ") } ?? ""
    }
    #expect(line().hasPrefix("Press  ? all keys  1-9 0 presets"))
    screen.performance.isBlack = true
    #expect(line().contains("b show the video"))
    screen.performance.isBlack = false
    screen.performance.recording = "take.mkv"
    #expect(line().contains("r stop recording"))
    screen.showsKeys = true
    #expect(line().contains("? properties"))
  }
}
