// Tests of shows that are logged while they are played, and replayed.

import Foundation
import GStreamer
import LibC
import Testing

@testable import SlitScanStage

/// A performance on an in-memory stage whose moves are written to a file.
private final class LoggedShow {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let stage: InMemoryStage
  let performance: Performance
  private let writing: Task<Void, Never>

  init() async throws {
    folder = try TemporaryFolder()
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(
      on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
    let log = try MoveLog(of: performance, to: folder.path + "/moves.txt")
    writing = Task { try? await log.run() }
  }

  /// The file, once everything that was done is in it.
  func end() async throws -> MoveScript {
    writing.cancel()
    await writing.value
    return try MoveScript(file: folder.path + "/moves.txt")
  }
}

@Suite struct MoveLogTests {
  /// Compares a show with what comes of its file.
  private func expectTheSame(_ show: LoggedShow, _ script: MoveScript) async throws {
    let again = try await LoggedShow()
    let time = Task { [clock = again.clock] in while !Task.isCancelled { await clock.crank() } }
    try await again.performance.play(script)
    time.cancel()
    #expect(await again.stage.log == show.stage.log)
    let (state, expected) = (await again.performance.state, await show.performance.state)
    #expect(state.values == expected.values)
    #expect(state.drives == expected.drives)
    #expect(state.quantize == expected.quantize)
    #expect(state.isBlack == expected.isBlack)
    #expect(abs(state.tempo.beatsPerMinute - expected.tempo.beatsPerMinute) < 0.001)
    #expect(try await again.end().entries.map(\.move) == script.entries.map(\.move))
  }

  @Test func movesByOSCAreLoggedAndPlayAgain() async throws {
    let show = try await LoggedShow()
    let osc = OSCInput(show.performance, port: 0)
    try await osc.start()
    let client = try OSCClient(to: try #require(await osc.boundPort))
    let messages: [@Sendable () -> Void] = [
      { client.send("/slitscan/gain", 2.5) },
      { client.send("/slitscan/map", "radial") },
      { client.send("/slitscan/freeze", .flag(true)) },
      { client.send("/slitscan/mix/fade", 0.25) },
      { client.send("/slitscan/move", "set depth 50") },
      { client.send("/slitscan/{rows,columns}/fade", 0.5) },
      {
        client.send(
          [("/slitscan/center-x", 0.25), ("/slitscan/center-y", 0.75)], at: .immediately)
      },
      { client.send("/slitscan/map-location", "of \"two\"\nlines \u{301}") },
      { client.send("/slitscan/map-location", "007") },
      { client.send("/slitscan/tempo", 97) },
      { client.send("/slitscan/angle/drive", "sine 4 0 360") },
      { client.send("/slitscan/undo") },
      { client.send("/slitscan/blackout", whole: 1) },
    ]
    for send in messages {
      send()
      try await client.settle()
    }
    await osc.stop()
    let script = try await show.end()
    #expect(script.entries.count == messages.count)
    #expect(await show.performance.state.values["gain"] == .double(2.5))
    try await expectTheSame(show, script)
  }

  @Test func movesByMIDIAreLoggedAndPlayAgain() async throws {
    let show = try await LoggedShow()
    let fifo = show.folder.path + "/box"
    try #require(mkfifo(fifo, 0o600) == 0)
    try MIDIMap(
      """
      channel 1 cc 7 = fader gain jump
      channel 1 note 60 = momentary freeze on
      """
    ).write(MIDIMap.path(for: "box", in: show.folder.path))
    let midi = MIDIInput(
      show.performance, sources: [.stream(path: fifo)], folder: show.folder.path)
    try await midi.start()
    let writer = try #require(FileHandle(forWritingAtPath: fifo))
    var changes = show.performance.changes.makeAsyncIterator()
    try writer.write(contentsOf: Data([0xb0, 7, 127]))
    while await changes.next() != .property("gain", .double(8)) {}
    // A clock of 24 ticks a beat.
    try writer.write(contentsOf: Data([0xfa]))
    for tick in 0..<48 {
      // A fader that has moved says that the tick before it was heard.
      try writer.write(contentsOf: Data([0xf8, 0xb0, 7, tick.isMultiple(of: 2) ? 0 : 127]))
      while let change = await changes.next() {
        if case .property("gain", _) = change { break }
      }
      show.clock.advance(by: .milliseconds(15))
    }
    await midi.stop()
    let script = try await show.end()
    #expect(script.entries.first?.move == .fade("gain", 1))
    #expect(
      script.entries.contains { if case .tempo = $0.move { true } else { false } }, "No tempo.")
    try await expectTheSame(show, script)
  }

  @Test func beatsByHandAreWrittenAsTheTempoTheyCameTo() async throws {
    let show = try await LoggedShow()
    for _ in 0..<4 {
      try await show.performance.perform(.tap)
      show.clock.advance(by: .milliseconds(300))
    }
    let script = try await show.end()
    #expect(script.entries.count == 3)
    #expect(abs(await show.performance.state.tempo.beatsPerMinute - 200) < 1e-6)
    try await expectTheSame(show, script)
  }

  /// Two inputs on one parameter: the last one counts, in the replay too.
  @Test func ofMovesAtOnceTheFileHasTheOrderInWhichTheyCounted() async throws {
    let show = try await LoggedShow()
    let performance = show.performance
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          if number.isMultiple(of: 2) {
            try? await performance.perform(.set("depth", .int(Int64(number) + 2)))
          } else {
            try? await performance.set(["depth": .int(Int64(number) + 2), "gain": .int(1)])
          }
        }
      }
    }
    let script = try await show.end()
    #expect(script.entries.count == 200)
    try await expectTheSame(show, script)
  }

  @Test func aLogThatIsThereIsContinuedAndAnotherShowsIsNot() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/moves.txt"
    // As a show that crashed has left it.
    try Data("show 2026-11-26T20:00:00Z\n1.000 undo\n2.000 set dep".utf8).write(
      to: URL(filePath: path))
    for depth in [5, 6] as [Int64] {
      let performance = await Performance(on: try InMemoryStage(clock: ManualClock()))
      let log = try MoveLog(
        of: performance, to: path, begun: Date(timeIntervalSince1970: 1_000_000_000))
      let error = #expect(throws: StageError.self) { try MoveLog(of: performance, to: path) }
      #expect(error?.message.contains("another show") == true)
      let writing = Task { try? await log.run() }
      try await performance.perform(.set("depth", .int(depth)))
      writing.cancel()
      await writing.value
    }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        show 2026-11-26T20:00:00Z
        1.000 undo
        2.000 set dep
        show 2001-09-09T01:46:40Z
        0.000 set depth 5

        show 2001-09-09T01:46:40Z
        0.000 set depth 6

        """)
    #expect(try MoveScript(file: path).entries.map(\.move) == [.set("depth", .int(6))])
    #expect(try MoveScript(file: path, show: 2).entries.map(\.move) == [.set("depth", .int(5))])
  }
}
