// Tests of what a rendering and its forecast say of time, on a clock that only the test advances.

import GStreamer
import SlitScanCapture
import TemporaryFolder
import TestFilm
import Testing

@testable import SlitScanRender

struct RenderTimesTests {
  private let temporary = TemporaryFolder()

  @Test func timeIsThatOfTheDecoderOfTheEffectAndOfTheRest() async throws {
    let clock = ManualClock()
    let stopwatch = RenderStopwatch(on: clock)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! identity name=effect signal-handoffs=true ! fakesink async=false"
    )
    let effect = try pipeline.element(named: "effect")
    try stopwatch.watch(effect: effect)
    try effect.connect("handoff") { _ in
      clock.advance(by: .seconds(2))
      return nil
    }
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    await stopwatch.decoding { clock.advance(by: .seconds(3)) }
    clock.advance(by: .seconds(5))
    #expect(stopwatch.times == RenderTimes(decoding: 3, effect: 6, encoding: 5))
  }

  @Test func renderingsAndForecastsGoByTheClock() async throws {
    let film = "\(temporary.path)/in.mkv"
    try await TestFilm.noise(film, frames: 10)
    let clock = ManualClock()
    var rendering = FilmRendering(RenderRequest([film], to: "\(temporary.path)/out.mkv"))
    rendering.clock = clock
    // Two seconds never pass: all frames are measured, and take no time.
    let still = try await rendering.forecast()
    #expect(still.measuredFrames == 10)
    #expect(still.seconds == 0)
    let times = try await rendering.run().times
    #expect(times == RenderTimes(decoding: 0, effect: 0, encoding: 0))
  }
}
