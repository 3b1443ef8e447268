// Tests of what depends on a clock: latency, and a sink that is too slow. The test advances the clock itself.

import CGStreamer
import CGStreamerCheck
import GStreamer
import StreamingThread
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ClockTests {
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

  @Test func anOverloadIsCaughtUpWith() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=100 ! \(Self.video) ! slitscan name=scan depth=16 ! "
        + "fakesink sync=true qos=true")
    let clock = try TestClock(of: pipeline)
    try pipeline.start()
    // The first frame waits, too, for no time to pass.
    for _ in 0..<10 { clock.crank() }
    clock.waitForWaiting()
    #expect(pipeline.sent.count == 11)
    // The sink slept until the time of frame 35: frame 11 comes a second late, and up to that time all
    // others would, too.
    clock.advance(to: 35 * Harness.frame)
    clock.waitForWaiting()
    clock.advance(to: 35 * Harness.frame)
    clock.waitForWaiting()
    let shown = [Int](0...11) + [Int](36..<100)
    #expect(try pipeline.statistic("late") == 24)
    #expect(pipeline.sent.map(\.pts) == shown.prefix(13).map { UInt($0) * Harness.frame })
    #expect(try pipeline.property("history-frames") == "16")
    // From here on the sink keeps up, and every frame is there again. The end waits for that of the last.
    for _ in 36...100 { clock.crank() }
    #expect(try pipeline.messagesToEnd().last?.kind == .eos)
    #expect(try pipeline.statistic("late") == 24)
    #expect(pipeline.sent.map(\.pts) == shown.map { UInt($0) * Harness.frame })
    #expect(pipeline.received.count == 100)
  }
}

/// A clock that a pipeline waits for, and that only moves when it is told to.
@safe final class TestClock {
  private let clock: UnsafeMutablePointer<GstTestClock>

  init(of pipeline: TestPipeline) throws {
    guard let clock = unsafe gst_test_clock_new() else {
      throw PipelineError(description: "no clock")
    }
    unsafe self.clock = UnsafeMutableRawPointer(clock).assumingMemoryBound(to: GstTestClock.self)
    unsafe gst_pipeline_use_clock(
      UnsafeMutableRawPointer(pipeline.pipeline).assumingMemoryBound(to: GstPipeline.self), clock)
  }

  deinit { unsafe gst_object_unref(clock) }

  /// Moves to the time that is waited for, as soon as one is.
  func crank() { unsafe gst_test_clock_crank(clock) }

  /// Moves to a time in nanoseconds and lets go who waited for an earlier one.
  func advance(to time: UInt) {
    unsafe gst_test_clock_set_time(clock, time)
    guard let waited = unsafe gst_test_clock_process_next_clock_id(clock) else { return }
    unsafe gst_clock_id_unref(waited)
  }

  /// Waits until a time is waited for.
  func waitForWaiting() {
    var waited: GstClockID?
    unsafe gst_test_clock_wait_for_next_pending_id(clock, &waited)
    unsafe gst_clock_id_unref(waited)
  }
}
