// Tests of shows that go on where the last one was.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite struct LastShowTests {
  private let clock = ManualClock()

  private func makePerformance() async throws -> Performance {
    let stage = try InMemoryStage(sources: ["a.mp4", "b.mp4", "c.mp4"], clock: clock)
    return await Performance(on: stage, clock: clock)
  }

  @Test(arguments: [
    [],
    ["preset Vortex"],
    ["preset Vortex", "set depth 77 angle 12.5", "source 2", "map-source 3", "tempo 133.5"],
    ["preset Vortex 8", "glide 4", "quantize 8"],
    ["drive angle saw 8 0 360", "drive mix ramp 4 0.25", "set map radial"],
    ["deck a Vortex", "set depth 33", "deck b", "crossfade 0.25", "draw-fade 3"],
    ["deck a Vortex", "deck b Shattered", "crossfade 0.75", "deck b"],
    ["set map-location \"/a \\\"b\\\" \\u{A} c.png\" map image", "reset depth"],
  ])
  func aShowGoesOnWhereTheLastOneWas(moves: [String]) async throws {
    let before = try await makePerformance()
    for move in moves { try await before.perform(Move(move)) }
    var last = LastShow(arguments: ["a.mp4", "--set", "depth=7", "", "ü \"b\"\n"], folder: "/x y")
    last.moves = await before.resumingMoves
    last.time = .seconds(1.5)
    let read = try LastShow(last.text)
    #expect(read.text == last.text)
    #expect(read.arguments == last.arguments)
    #expect(read.time == last.time)
    let after = try await makePerformance()
    for move in read.moves { try await after.perform(move) }
    let (old, new) = (await before.goal, await after.goal)
    #expect(new.values == old.values)
    #expect(new.preset == old.preset)
    #expect(new.drives == old.drives.filter { if case .ramp = $0.value { false } else { true } })
    #expect(new.decks == old.decks)
    #expect(await after.decks == before.decks)
    #expect(new.crossfade == old.crossfade)
    #expect(new.source == old.source)
    #expect(new.mapSource == old.mapSource)
    #expect(new.drawingFade == old.drawingFade)
    #expect(new.tempo.beatsPerMinute == old.tempo.beatsPerMinute)
    #expect(new.glide == old.glide)
    #expect(new.quantize == old.quantize)
  }

  @Test func aResumedShowRunsAndIsSeen() async throws {
    let before = try await makePerformance()
    for move in ["set freeze true", "blackout on"] { try await before.perform(Move(move)) }
    let after = try await makePerformance()
    for move in await before.resumingMoves { try await after.perform(move) }
    #expect(await after.state.isBlack == false)
    #expect(await after.value(of: "freeze") == .bool(false))
  }

  @Test func aScriptGoesOnWhereItWas() throws {
    let script = try MoveScript("0 tap\n1 set depth 1\n2.5 set depth 2\n")
    #expect(try script.rest(after: .seconds(1)) == MoveScript("1.5 set depth 2\n"))
  }

  @Test(arguments: ["", "arguments a.mp4", "folder /x\n0 nonsense", "folder /x\nnonsense"])
  func whatIsNoLastShowIsRefused(text: String) throws {
    #expect(throws: StageError.self) { try LastShow(text) }
  }
}
