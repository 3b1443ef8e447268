// Tests of the beginning of a show: beats count from its first frame.

import GStreamer
import SlitScanCapture
import SlitScanStage
import StageUnderTest
import TestClock
import Testing

@testable import SlitScanTerminal

@Suite struct ShowBeginningTests {
  private let clock = ManualClock()

  @Test func beatZeroOfAShowIsItsFirstFrameAndNotWhenItWasMade() async throws {
    let streamClock = TestClock.running()
    defer { streamClock.stop() }
    let stage = try CaptureStage(
      .pattern("ball"), outputs: [Output("sink:fakesink")], clock: clock, on: streamClock)
    let show = await Show(stage)
    let changes = show.performance.changes
    clock.advance(by: .seconds(5))
    let running = Task { try? await show.run(room: { (0, 0) }, draw: { _ in }) }
    // It is told with the first frame.
    for await case .tempo(let tempo) in changes {
      #expect(tempo.origin == clock.now)
      #expect(tempo.beatsPerMinute == 120)
      break
    }
    #expect(await show.performance.state.tempo.origin == clock.now)
    show.end()
    await running.value
  }
}
