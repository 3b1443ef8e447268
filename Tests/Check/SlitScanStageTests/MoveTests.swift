// Tests of moves as text.

import Foundation
import GStreamer
import Testing

@testable import SlitScanStage

@Suite struct MoveTests {
  /// Lines and their moves, at least one of each case.
  private static let lines: [(String, Move)] = [
    ("set depth 60", Move.set("depth", .int(60))),
    ("set gain -1.5", .set("gain", .double(-1.5))),
    ("set map-location \"my map.png\"", .set("map-location", .string("my map.png"))),
    ("set gain 2 mix 0.5", .setAll(["gain": .int(2), "mix": .double(0.5)])),
    ("set map-location 007", .set("map-location", .string("007"))),
    ("set map-location \"a\\u{A}b\\u{2028}c\"", .set("map-location", .string("a\nb\u{2028}c"))),
    ("set map-location \"\u{301}\\\"\u{301}\"", .set("map-location", .string("\u{301}\"\u{301}"))),
    ("fade mix 0.25", .fade("mix", 0.25)),
    ("step mode -1", .step("mode", -1)),
    ("toggle freeze", .toggle("freeze")),
    ("reset", .reset(nil)),
    ("reset gain", .reset("gain")),
    ("preset Vortex", .preset("Vortex", beats: nil)),
    ("preset Vortex 0.0", .preset("Vortex", beats: 0)),
    ("save", .save(nil)),
    ("save \"My own\"", .save("My own")),
    ("deck a", .deck(.a, nil)),
    ("deck b \"Time Warp\"", .deck(.b, "Time Warp")),
    ("crossfade 0.5", .crossfade(0.5)),
    ("glide 4.0", .glide(4)),
    ("preset \"Time \\\"Warp\\\"\" 4.0", .preset("Time \"Warp\"", beats: 4)),
    ("next-preset -1", .nextPreset(-1)),
    ("source 2", .source(2, beats: nil)),
    ("source 2 4.0", .source(2, beats: 4)),
    ("next-source -1", .nextSource(-1)),
    ("map-source 3", .mapSource(3)),
    ("next-clip", .nextClip),
    ("previous-clip", .previousClip),
    ("map-source draw", .drawing(.mapSource)),
    ("map-image waves.png", .drawing(.image("waves.png"))),
    ("map-image 3", .drawing(.image("3"))),
    ("next-map", .drawing(.nextImage)),
    ("previous-map", .drawing(.previousImage)),
    ("draw-clear", .drawing(.clear)),
    ("draw-fade 10.0", .drawing(.fade(10))),
    ("snapshot", .snapshot(nil)),
    ("snapshot a.png", .snapshot("a.png")),
    ("record on \"a b.mkv\"", .record(.on, "a b.mkv")),
    ("record toggle", .record(.toggle, nil)),
    ("blackout off", .blackout(.off)),
    ("output 1 reopen", .reopenOutput(1, display: nil)),
    ("output 2 reopen HDMI-1", .reopenOutput(2, display: "HDMI-1")),
    ("tap", .tap),
    ("tempo 128.5", .tempo(128.5)),
    ("tempo 128.5 -3.25", .tempo(128.5, beat: -3.25)),
    ("follow-sound on", .followSound(.on)),
    ("quantize 4.0", .quantize(4)),
    ("drive angle sine 4.0 0.0 360.0", .drive("angle", .wave(.sine, beats: 4, from: 0, to: 360))),
    ("drive gain ramp 8.0 3.0", .drive("gain", .ramp(beats: 8, to: 3))),
    ("drive mix level 0.0 1.0", .drive("mix", .sound(nil, from: 0, to: 1))),
    ("drive mix band 20.0 200.0 0.0 1.0", .drive("mix", .sound(20...200, from: 0, to: 1))),
    ("release mix", .release("mix")),
    ("midi-learn", .midiLearn(nil)),
    ("midi-learn depth", .midiLearn("depth")),
    (
      "midi-learn depth \"channel 1 cc 7\" \"nano KONTROL\"",
      .midiLearn("depth", replacing: "channel 1 cc 7", device: "nano KONTROL")
    ),
    ("midi-remove \"cc 7\"", .midiRemove("cc 7")),
    ("midi-remove pressure box", .midiRemove("pressure", device: "box")),
    ("keep", .keep(nil)),
    ("keep film.mkv", .keep("film.mkv")),
    ("undo", .undo),
    ("redo", .redo),
  ]

  private static let examples = lines + strokes

  private static let strokes = [
    Stroke(
      value: 0.5, size: 0.25, softness: 1, mirror: .xy,
      points: [Stroke.Point(0, 0.125), Stroke.Point(1, 0.75)])
  ].compactMap(\.self).map {
    ("draw 0.5 0.25 1.0 xy 0.0 0.125 1.0 0.75", Move.drawing(.stroke($0)))
  }

  @Test(arguments: examples) func aLineIsAMoveAndTheOtherWayRound(line: String, move: Move) throws {
    #expect(try Move(line) == move)
    #expect(move.line == line)
  }

  /// The cases of a move.
  ///
  /// A new one does not compile until it stands here, and then needs an example.
  private enum Case: CaseIterable {
    case set, setAll, fade, step, toggle, reset, preset, nextPreset, save, deck, crossfade, source
    case nextSource, mapSource, glide, snapshot, record, keep, blackout, tap, tempo, quantize,
      followSound
    case reopenOutput, drive, release, drawing, nextClip, previousClip, midiLearn, midiRemove
    case undo, redo

    init(_ move: Move) {
      self =
        switch move {
        case .set: .set
        case .setAll: .setAll
        case .fade: .fade
        case .step: .step
        case .toggle: .toggle
        case .reset: .reset
        case .preset: .preset
        case .nextPreset: .nextPreset
        case .save: .save
        case .deck: .deck
        case .crossfade: .crossfade
        case .source: .source
        case .nextSource: .nextSource
        case .mapSource: .mapSource
        case .glide: .glide
        case .snapshot: .snapshot
        case .keep: .keep
        case .record: .record
        case .blackout: .blackout
        case .reopenOutput: .reopenOutput
        case .tap: .tap
        case .tempo: .tempo
        case .quantize: .quantize
        case .followSound: .followSound
        case .drive: .drive
        case .release: .release
        case .drawing: .drawing
        case .nextClip: .nextClip
        case .previousClip: .previousClip
        case .midiLearn: .midiLearn
        case .midiRemove: .midiRemove
        case .undo: .undo
        case .redo: .redo
        }
    }
  }

  @Test func everyMoveHasARowOfTheTableAndAnExample() {
    #expect(Set(Self.examples.map { Case($0.1) }) == Set(Case.allCases))
    for (line, move) in Self.examples {
      #expect(Move.table.filter { $0.contains(move) }.count == 1, "\(line)")
    }
    #expect(
      Set(Move.table.map(\.name)) == Set(Self.examples.map { "\($0.0.prefix { $0 != " " })" }))
    #expect(Set(Move.table.map(\.name)).count == Move.table.count)
  }

  @Test func undoTakesBackTheMovesThatSaySo() async throws {
    let pictures = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../examples/pictures")
    for row in Move.table where !["undo", "redo"].contains(row.name) {
      let stage = try InMemoryStage(sources: ["a", "b", "c"])
      let performance = await Performance(on: stage, maps: try MapFolder(pictures.path))
      let assigner = Assigner()
      await performance.setAssigner(assigner)
      try await performance.perform(.deck(.a, "Vortex"))
      try await performance.perform(.deck(.b, "Time Warp Scan"))
      let move = try #require(
        Self.examples.map(\.1).first { row.contains($0) && Case($0) != .setAll })
      if move == .drawing(.clear) {
        for (_, stroke) in Self.strokes { try await performance.perform(stroke) }
      }
      let before = await performance.state
      try await performance.perform(Self.possible(move))
      guard row.traits.contains(.look) else {
        let error = await #expect(throws: StageError.self) { try await performance.perform(.undo) }
        #expect(error?.code == .nothingToUndo, "\(row.name)")
        continue
      }
      try await performance.perform(.undo)
      #expect(await performance.state.values == before.values, "\(row.name)")
      #expect(await performance.state.drives == before.drives, "\(row.name)")
    }
  }

  private actor Assigner: ControlAssigner {
    func learn(_ property: String, replacing control: String?, of device: String?) {}
    func cancelLearning() {}
    func remove(_ control: String, of device: String?) {}
  }

  /// An example as it can be done at the beginning of a show.
  private static func possible(_ move: Move) -> Move {
    switch move {
    case .save: .save("A new one")
    case .drawing(.image): .drawing(.image("1"))
    default: move
    }
  }

  @Test func anotherMachineNamesNoFileByAnyMove() throws {
    let stage = try InMemoryStage()
    let bounds = MoveBounds(stage.parameters, from: [:])
    let files = Move.table.filter { row in row.arguments.contains { $0.kind == .file } }
    #expect(files.count > 1)
    for row in files {
      let named = try #require(
        Self.examples.map(\.1).first { row.words(of: $0)?.count == row.arguments.count })
      #expect(throws: StageError.self, "\(row.name)") { try bounds.confine(named) }
    }
  }

  @Test func anotherMachineMovesOnlyWhatIsForEverybodyByAnyMove() throws {
    let stage = try InMemoryStage()
    let bounds = MoveBounds(stage.parameters, from: [:])
    let closed = try #require(stage.parameters.all.first { !$0.isForEverybody })
    for (line, move) in Self.examples {
      guard let row = move.row, let first = row.arguments.first?.kind, row.words(of: move) != [],
        first == .property || first == .settings
      else { continue }
      // Of the same form, with a property that others cannot move.
      let words = try #require(Move.words(of: line))
      let other = try Move(
        ([words[0], closed.name] + words.dropFirst(2)).map { Move.quoted($0) }
          .joined(separator: " "))
      #expect(throws: StageError.self, "\(other.line)") { try bounds.confine(other) }
    }
  }

  @Test func thePageForPerformersListsEveryMove() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/Command/Live.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    for (forms, summary) in Move.descriptions {
      let forms = forms.map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: "<br>")
      let row = "| \(forms) | \(summary) |"
      #expect(text.contains(row), "Live.md must have the row: \(row)")
    }
  }

  @Test func aMistypedMoveGetsASuggestion() {
    let error = #expect(throws: StageError.self) { try Move("prest Vortex") }
    #expect(error?.message.contains("Did you mean preset?") == true)
  }

  @Test(arguments: [
    "", "jump", "set", "set depth", "set depth 60 70", "set depth 60 depth 70", "tempo 90 nan",
    "set name \"\\u{D800}\"", "fade mix", "fade mix much", "fade mix nan",
    "step mode 1.5", "preset Vortex -1", "source", "source two", "source 2 -1", "source 1.5",
    "map-source", "record maybe", "tempo", "drive angle", "drive angle sine",
    "drive angle sine 0 1 2", "drive angle sine 4 0", "drive angle ramp -1 2",
    "drive mix band 200 20 0 1", "snapshot a b", "set name \"open",
  ]) func invalidMovesAreErrorsThatSayWhatWouldBeValid(line: String) {
    let error = #expect(throws: StageError.self) { try Move(line) }
    #expect(error?.code == .badMove)
    #expect(error?.message.isEmpty == false)
  }
}
