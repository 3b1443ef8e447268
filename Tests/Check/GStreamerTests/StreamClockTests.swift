// Tests of pipelines on a clock that is given.

import StreamingThread
import TestClock
import Testing

@testable import GStreamer

@Suite struct StreamClockTests {
  @Test func aLiveSourceGivesAFrameWhenItsClockIsThere() async throws {
    let clock = TestClock()
    let pipeline = try Pipeline(
      "videotestsrc is-live=true ! video/x-raw,width=16,height=16,framerate=25/1 ! appsink name=out sync=false",
      clock: clock.clock)
    let sink = try AppSink(pipeline.element(named: "out"))
    async let plays: Void = pipeline.play()
    var frames = sink.samples.makeAsyncIterator()
    for number in 0..<5 as Range<UInt64> {
      await clock.crank()
      #expect(try await frames.next()?.runningTime == .milliseconds(40 * number))
      #expect(clock.now == .milliseconds(40 * number))
    }
    try await plays
    await clock.waits(1)
    // A time before the next frame ends no wait.
    clock.advance(by: .milliseconds(39))
    #expect(clock.waits == 1)
    clock.setTime(.milliseconds(200))
    #expect(try await frames.next()?.runningTime == .milliseconds(200))
    await pipeline.stop()
  }

  @Test func anHourPassesAsFastAsThePipelineGoes() async throws {
    let clock = TestClock()
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=60 ! video/x-raw,width=16,height=16,framerate=1/60 ! fakesink sync=true",
      clock: clock.clock)
    try await clock.run {
      try await pipeline.play()
      try await pipeline.waitForEnd()
    }
    #expect(clock.now == .seconds(3600))
    await pipeline.stop()
  }

  @Test func aPipelineKeepsItsClock() async throws {
    weak var gone: TestClock?
    let pipeline: Pipeline
    do {
      let clock = TestClock()
      gone = clock
      pipeline = try Pipeline(clock: clock.clock)
    }
    #expect(gone == nil)
    try await pipeline.play()
    #expect(pipeline.element.currentRunningTime == .zero)
  }
}
