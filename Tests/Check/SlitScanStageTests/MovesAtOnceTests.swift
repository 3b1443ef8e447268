// Tests of moves that come while others wait for the stage.

import GStreamer
import StageUnderTest
import Testing

@testable import SlitScanStage

@Suite struct MovesAtOnceTests {
  private let clock = ManualClock()
  private let stage: InMemoryStage
  private let performance: Performance

  init() async throws {
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
  }

  @Test func aRecordingThatBrokeOffBeforeAnotherBeganEndsItNot() async throws {
    for path in ["a.mkv", "b.mkv"] {
      try await performance.performAll(.record(.off, nil), .record(.on, path))
    }
    await performance.loseRecording(to: "a.mkv", because: "The disk is full.")
    #expect(await performance.state.recording == "b.mkv")
    await performance.loseRecording(to: "b.mkv", because: "The disk is full.")
    #expect(await performance.state.recording == nil)
  }
}
