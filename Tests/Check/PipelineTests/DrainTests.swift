// Tests of the frames after the end of the stream, as downstream elements see them.
//
// With a gain of 2, rows in the lower half have the longest delay there is.

import CGStreamer
import TestClock
import Testing

@testable import GStreamer

@Suite struct DrainTests {
  private static let video = "video/x-raw,format=GRAY8,width=16,height=16"

  @Test func timesGoOnAtTheFrameRate() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=10 ! \(Self.video),framerate=30000/1001 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(pipeline.received.count == 10)
    // After 24 frames more, the frame at the end of history is the last one.
    #expect(pipeline.sent.count == 34)
    let frame: Double = 1001 / 30000 * 1e9
    for (index, buffer) in pipeline.sent.enumerated() {
      let lateness = Double(buffer.pts) - Double(index) * frame
      let excess = Double(buffer.duration) - frame
      #expect(abs(lateness) < 10)
      #expect(abs(excess) < 10)
      #expect(buffer.isDiscont == (index == 0))
    }
    #expect(try pipeline.statistic("drained") == 24)
  }

  @Test func nothingComesUnaskedOrInVain() throws {
    for properties in [
      "drain=false", "drain=true depth=1", "drain=true freeze=true", "drain=true mode=sweep",
      "drain=true mode=strip",
      "drain=true feedback=1", "drain=true mix=0",
    ] {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=10 ! \(Self.video),framerate=25/1 ! "
          + "slitscan name=scan \(properties) ! fakesink")
      #expect(try pipeline.playToEnd().last?.kind == .eos)
      #expect(pipeline.sent.count == 10, "\(properties)")
    }
  }

  @Test func withoutAFrameRateTheLastFramesDurationCounts() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=10 ! \(Self.video),framerate=20/1 ! "
        + "capssetter caps=video/x-raw,framerate=0/1 ! "
        + "slitscan name=scan depth=5 gain=2 drain=true ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    let expected = (0..<14 as Range<UInt>).map { $0 * 50_000_000 }
    #expect(pipeline.sent.map(\.pts) == expected)
  }

  @Test func theEndOfAStreamsOwnSegmentCutsNothingOff() throws {
    let harness = try Harness("depth=25 gain=2 drain=true")
    harness.start()
    harness.pushSegment(to: 10 * Harness.frame)
    for index in 0..<10 { try harness.push(index) }
    unsafe harness.push(event: gst_event_new_eos())
    var times: [UInt] = []
    while let buffer = unsafe harness.pull() {
      unsafe times.append(buffer.pointee.pts)
      unsafe gst_buffer_unref(buffer)
    }
    #expect(times == (0..<34).map { UInt($0) * Harness.frame })
    #expect(harness.pullSegments().last?.stop == .max)
  }

  @Test func nothingComesAfterTheStopOfASeek() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! \(Self.video),framerate=25/1 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink name=sink")
    try pipeline.go(to: GST_STATE_PAUSED)
    // The last frame of the second begins before its stop, and ends behind it.
    for (stop, count) in [(2_000_000_000, 25), (1_990_000_000, 25)] {
      try pipeline.go(to: GST_STATE_PAUSED)
      let before = pipeline.sent.count
      try pipeline.seek(from: 1_000_000_000, to: stop)
      let ends = PadRecord<guint64>()
      try pipeline.element("sink").pad("sink").addProbe(.eventDownstream) { item in
        if case .event(let event) = item, let segment = event.segment { ends.append(segment.stop) }
        return .pass
      }
      try pipeline.go(to: GST_STATE_PLAYING)
      #expect(try pipeline.messagesToEnd().last?.kind == .eos)
      #expect(pipeline.sent.count - before == count)
      #expect(pipeline.sent[before...].allSatisfy { $0.pts < UInt(stop) })
      #expect(ends.passed.allSatisfy { $0 == guint64(stop) })
      #expect(try pipeline.position() <= stop)
    }
  }

  /// A source that ends early leaves room up to the stop.
  @Test func aDrainEndsAtTheStopOfASeek() throws {
    let harness = try Harness("depth=25 gain=2 drain=true")
    harness.start()
    let seek = unsafe gst_event_new_seek(
      1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET,
      gint64(13 * Harness.frame + 1000))
    let seqnum = unsafe gst_event_get_seqnum(seek)
    unsafe harness.pushUpstream(event: seek)
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.stop = guint64(13 * Harness.frame + 1000)
    let event = unsafe gst_event_new_segment(&segment)
    unsafe gst_event_set_seqnum(event, seqnum)
    unsafe harness.push(event: event)
    for index in 0..<10 { try harness.push(index) }
    unsafe harness.push(event: gst_event_new_eos())
    var ends: [UInt] = []
    while let buffer = unsafe harness.pull() {
      unsafe ends.append(buffer.pointee.pts + buffer.pointee.duration)
      unsafe gst_buffer_unref(buffer)
    }
    #expect(ends == (1...13).map { UInt($0) * Harness.frame } + [13 * Harness.frame + 1000])
  }

  @Test func noPositionIsBehindTheDuration() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=10 ! \(Self.video),framerate=25/1 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(try pipeline.duration() == 34 * 40_000_000)
    #expect(try pipeline.position() <= 34 * 40_000_000)
    // What follows a seek ends where it ended at first.
    try pipeline.go(to: GST_STATE_PAUSED)
    try pipeline.seek(to: 0)
    #expect(try pipeline.duration() == 10 * 40_000_000)
  }

  /// A half dies away before any bound; 0.999 of it takes an hour, and what turns never looks like the frame.
  @Test func feedbackIsAwaitedForAMinute() throws {
    for (feedback, counts) in [
      ("0.5", 60...400), ("0.999", 1534...1534), ("0.5 feedback-rotation=10", 1534...1534),
    ] {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=10 pattern=snow ! \(Self.video),framerate=25/1 ! "
          + "slitscan name=scan depth=25 gain=2 drain=true feedback=\(feedback) ! fakesink")
      #expect(try pipeline.playToEnd().last?.kind == .eos)
      #expect(counts.contains(pipeline.sent.count), "\(feedback): \(pipeline.sent.count)")
    }
  }

  @Test func backwardsNothingComes() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! \(Self.video),framerate=25/1 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink")
    try pipeline.go(to: GST_STATE_PAUSED)
    let before = pipeline.sent.count
    try pipeline.seek(from: 1_000_000_000, to: 2_000_000_000, rate: -1)
    try pipeline.go(to: GST_STATE_PLAYING)
    #expect(try pipeline.messagesToEnd().last?.kind == .eos)
    #expect(pipeline.sent.count - before == pipeline.received.count - before)
    #expect(try pipeline.statistic("drained") == 0)
  }

  @Test func aPipelineThatIsStoppedMeanwhileStops() async throws {
    let clock = TestClock()
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.video),framerate=25/1 ! "
        + "slitscan name=scan depth=1000 drain=true duration=1000000000000 ! fakesink sync=true",
      clock: clock)
    try pipeline.start()
    // The sink waits with the fourth frame after the end.
    for _ in 0..<33 { await clock.crank() }
    await clock.waits(1)
    #expect(pipeline.sent.count == 34)
    try pipeline.go(to: GST_STATE_READY)
    #expect(pipeline.sent.count == 34)
  }
}
