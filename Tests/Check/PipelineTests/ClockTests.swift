// Tests of what depends on a clock: latency, and a sink that is too slow. The test advances the clock itself.

import CGStreamer
import CGStreamerCheck
import GStreamer
import TestClock
import Testing

@Suite struct ClockTests {
  private static let video = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"

  @Test func latencyIsUpstreamsAndNothingElse() throws {
    for properties in [
      "", "mode=sweep", "mode=strip", "duration=2000000000", "mix=0", "drain=true",
    ] {
      let harness = try Harness(properties)
      harness.start()
      for latency: UInt in [0, 33_000_000, 2_000_000_000] {
        unsafe gst_harness_set_upstream_latency(harness.harness, latency)
        for index in 0..<3 { try harness.push(index) }
        #expect(unsafe gst_harness_query_latency(harness.harness) == latency)
      }
    }
  }

  @Test func latencyQueriesSayWhetherTheSourceIsLive() throws {
    for isLive in [false, true] {
      let harness = try Harness()
      unsafe gst_harness_set_live(harness.harness, isLive ? 1 : 0)
      harness.start()
      let query = unsafe gst_query_new_latency()
      defer { unsafe gst_query_unref(query) }
      #expect(unsafe gst_pad_peer_query(harness.harness.pointee.sinkpad, query) != 0)
      var live: gboolean = 0
      unsafe gst_query_parse_latency(query, &live, nil, nil)
      #expect((live != 0) == isLive)
    }
  }

  @Test func anOverloadIsCaughtUpWith() async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=100 ! \(Self.video) ! slitscan name=scan depth=16 ! "
        + "fakesink sync=true qos=true", clock: clock)
    try pipeline.start()
    // The first frame waits, too, for no time to pass.
    for _ in 0..<10 { await clock.crank() }
    await clock.waits(1)
    #expect(pipeline.sent.count == 11)
    // The sink slept until the time of frame 35: frame 11 comes a second late, and up to that time all
    // others would, too.
    let time = ClockTime(nanoseconds: UInt64(35 * Harness.frame))
    clock.setTime(time)
    await clock.waits(1)
    clock.setTime(time)
    await clock.waits(1)
    let shown = [Int](0...11) + [Int](36..<100)
    #expect(try pipeline.statistic("late") == 24)
    #expect(pipeline.sent.map(\.pts) == shown.prefix(13).map { UInt($0) * Harness.frame })
    #expect(try pipeline.property("history-frames") == "16")
    // From here on the sink keeps up, and every frame is there again. The end waits for that of the last.
    for _ in 36...100 { await clock.crank() }
    #expect(try pipeline.messagesToEnd().last?.kind == .eos)
    #expect(try pipeline.statistic("late") == 24)
    #expect(pipeline.sent.map(\.pts) == shown.map { UInt($0) * Harness.frame })
    #expect(pipeline.received.count == 100)
  }
}
