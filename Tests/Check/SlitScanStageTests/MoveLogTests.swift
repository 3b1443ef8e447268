// Tests of shows that are logged while they are played, and replayed.

import Foundation
import GStreamer
import StageUnderTest
import TemporaryFolder
import Testing

@testable import SlitScanStage

@Suite struct MoveLogTests {
  @Test func beatsByHandAreWrittenAsTheTempoTheyCameTo() async throws {
    let show = try await LoggedShow()
    for _ in 0..<4 {
      try await show.performance.perform(.tap)
      show.clock.advance(by: .milliseconds(300))
    }
    let script = try await show.end()
    #expect(script.entries.count == 3)
    #expect(abs(await show.performance.state.tempo.beatsPerMinute - 200) < 1e-6)
    #expect(try await show.differences(from: script) == [])
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
    #expect(try await show.differences(from: script) == [])
  }

  @Test func aLogHasNoFolderOfTheMachine() async throws {
    let show = try await LoggedShow()
    for line in [
      "set depth 7", "set history-location /var/tmp", "set gain 2 history-location /tmp",
      "reset history-location",
    ] {
      try await show.performance.perform(Move(line))
    }
    let moves = try await show.end().entries.map(\.move)
    #expect(moves == [.set("depth", .int(7)), .set("gain", .int(2))])
  }

  @Test func aLogThatIsThereIsContinuedAndAnotherShowsIsNot() async throws {
    let folder = TemporaryFolder()
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
