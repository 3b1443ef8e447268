// Tests of move scripts.

import Foundation
import GStreamer
import StageUnderTest
import TemporaryFolder
import Testing

@testable import SlitScanStage

@Suite struct ScriptTests {
  private let folder = TemporaryFolder()

  @Test func aScriptIsItsTextAndTheOtherWayRound() throws {
    let text = """
      # intro
      0 preset "Time Tunnel"

      16 drive angle saw 8 0 360
        12.5 set depth 90
      12.5 undo
      """
    let script = try MoveScript(text)
    #expect(
      script.entries == [
        .init(.zero, .preset("Time Tunnel", beats: nil)),
        .init(.milliseconds(12_500), .set("depth", .int(90))),
        .init(.milliseconds(12_500), .undo),
        .init(.seconds(16), .drive("angle", .wave(.saw, beats: 8, from: 0, to: 360))),
      ])
    #expect(try MoveScript(script.text) == script)
  }

  @Test func linesMayEndAsTheyDoElsewhere() throws {
    let lines = ["0 tap", "1 undo", "# end"]
    let script = try MoveScript(lines.joined(separator: "\n"))
    #expect(script.entries.count == 2)
    #expect(try MoveScript(lines.joined(separator: "\r\n") + "\r\n") == script)
    #expect(try MoveScript(lines.joined(separator: "\r")) == script)
  }

  @Test(arguments: [("x", 1), ("0 tap\n-1 tap", 2), ("\n\n1e99 tap", 3), ("5", 1), ("5 jump", 1)])
  func aBadLineIsNamed(text: String, line: Int) {
    let error = #expect(throws: StageError.self) { try MoveScript(text) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains("ine \(line)") == true)
  }

  @Test func movesAreLoggedAndPlayAgain() async throws {
    let path = folder.path + "/moves.txt"
    let clock = ManualClock()
    let stage = try InMemoryStage(clock: clock)
    let performance = await Performance(on: stage, clock: clock)
    let log = try MoveLog(of: performance, to: path)
    let writing = Task { try? await log.run() }
    for move: Move in [.set("depth", .int(50)), .toggle("freeze"), .step("map", 2)] {
      try await performance.perform(move)
    }
    // What does not work is no part of the show.
    await performance.play(.set("depth", .string("deep")))
    writing.cancel()
    // What was done until now is written before that ends.
    _ = await writing.value
    #expect(try MoveScript(file: path).entries.count == 3)
    let again = try InMemoryStage(clock: clock)
    let second = await Performance(on: again, clock: clock)
    try await second.play(try MoveScript(file: path))
    #expect(await again.log == stage.log)
  }

  /// Moves go by the time of the frames, which may stop.
  @Test func aMoveWaitsForItsFrameHoweverLateThatIs() async throws {
    let (clock, frames) = (ManualClock(), ManualClock())
    let stage = try InMemoryStage(clock: frames)
    let performance = await Performance(on: stage, clock: clock)
    let script = try MoveScript("10 set depth 7")
    let playing = Task { try await performance.play(script) }
    await clock.crank(until: clock.now + .seconds(1000))
    await clock.sleepers(1)
    #expect(await stage.log.isEmpty)
    // Their time may jump, and the move comes soon then.
    frames.advance(by: .seconds(10))
    let moment = clock.now
    await clock.crank()
    try await playing.value
    #expect(clock.now - moment <= .milliseconds(250))
    #expect(await stage.log == ["depth=7"])
  }

  @Test func aScriptWhoseTaskIsCancelledDoesNoMoreAndSaysSo() async throws {
    let (clock, frames) = (ManualClock(), ManualClock())
    let stage = try InMemoryStage(clock: frames)
    let performance = await Performance(on: stage, clock: clock)
    let script = try MoveScript("10 set depth 7")
    let playing = Task { try await performance.play(script) }
    await clock.sleepers(1)
    playing.cancel()
    let error = await #expect(throws: StageError.self) { try await playing.value }
    #expect(error?.code == .cancelled)
    #expect(await stage.log.isEmpty)
  }

  /// The file may be a device that other programs need.
  @Test func anExistingFileIsWrittenToAndNotReplaced() async throws {
    let (link, file) = (folder.path + "/link", try folder.write("file", "old".utf8))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let performance = await Performance(on: try InMemoryStage())
    _ = try MoveLog(of: performance, to: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    let error = #expect(throws: StageError.self) {
      _ = try MoveLog(of: performance, to: folder.path)
    }
    #expect(error?.code == .badFile)
  }

  @Test(
    arguments: [
      (nil, [3]), (1, [1]), (2, [2]), (3, [3]),
    ] as [(Int?, [Int64])])
  func oneShowOfSeveralIsPlayed(show: Int?, depths: [Int64]) throws {
    // The first without a line of its own, as one that was written by hand; the second broke off.
    let text = """
      1 set depth 1
      # a comment
      show 2026-11-26T20:00:00Z
      1 set depth 2
      show 2026-11-27T20:00:00Z

      1 set depth 3
      """
    #expect(
      try MoveScript(text, show: show).entries.map(\.move) == depths.map { .set("depth", .int($0)) }
    )
    let error = #expect(throws: StageError.self) { try MoveScript(text, show: 4) }
    #expect(error?.message.contains("There is no show 4") == true)
    #expect(throws: StageError.self) { try MoveScript(text, show: 0) }
    // What broke off is no part of the others.
    #expect(try MoveScript("1 set dep\nshow x\n2 undo").entries.map(\.move) == [.undo])
  }

  @Test func aFileMayBeginWithAByteOrderMarkAndIsUTF8() throws {
    let path = folder.path + "/show.txt"
    try Data([0xef, 0xbb, 0xbf] + "1 undo\n".utf8).write(to: URL(filePath: path))
    #expect(try MoveScript(file: path).entries.map(\.move) == [.undo])
    try Data("1 snapshot a".utf8 + [0xff] + ".png\n".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: StageError.self) { try MoveScript(file: path) }
    #expect(error?.message.contains("\(path) is not UTF-8") == true)
  }

  @Test func aFileThatIsNotThereIsAnError() {
    let error = #expect(throws: StageError.self) { try MoveScript(file: "/no/such/file") }
    #expect(error?.code == .badFile)
  }
}
