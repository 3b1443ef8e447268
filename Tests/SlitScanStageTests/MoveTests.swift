// Tests of moves as text.

import GStreamer
import Testing

@testable import SlitScanStage

@Suite struct MoveTests {
  @Test(arguments: [
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
    ("snapshot", .snapshot(nil)),
    ("snapshot a.png", .snapshot("a.png")),
    ("record on \"a b.mkv\"", .record(.on, "a b.mkv")),
    ("record toggle", .record(.toggle, nil)),
    ("blackout off", .blackout(.off)),
    ("tap", .tap),
    ("tempo 128.5", .tempo(128.5)),
    ("tempo 128.5 -3.25", .tempo(128.5, beat: -3.25)),
    ("quantize 4.0", .quantize(4)),
    ("drive angle sine 4.0 0.0 360.0", .drive("angle", .wave(.sine, beats: 4, from: 0, to: 360))),
    ("drive gain ramp 8.0 3.0", .drive("gain", .ramp(beats: 8, to: 3))),
    ("drive mix level 0.0 1.0", .drive("mix", .sound(nil, from: 0, to: 1))),
    ("drive mix band 20.0 200.0 0.0 1.0", .drive("mix", .sound(20...200, from: 0, to: 1))),
    ("release mix", .release("mix")),
    ("undo", .undo),
    ("redo", .redo),
  ]) func aLineIsAMoveAndTheOtherWayRound(line: String, move: Move) throws {
    #expect(try Move(line) == move)
    #expect(move.line == line)
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
