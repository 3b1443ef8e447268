// What comes after the last frame, as the elements behind see it.
//
// With a gain of 2, rows in the lower half have the longest delay there is.

import CGStreamer
import StreamingThread
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
  private static let picture = "video/x-raw,format=GRAY8,width=16,height=16"

  @Test func timesGoOnAtTheFrameRate() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=10 ! \(Self.picture),framerate=30000/1001 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink")
    #expect(try pipeline.playToEnd().last?.type == GST_MESSAGE_EOS)
    #expect(pipeline.received.count == 10)
    // After 24 pictures more, the frame at the end of history is the last one.
    #expect(pipeline.sent.count == 34)
    for (index, buffer) in pipeline.sent.enumerated() {
      let ideal = Double(index) * 1001 / 30000 * 1e9
      #expect(abs(Double(buffer.pts) - ideal) < 10)
      #expect(abs(Double(buffer.duration) - 1001 / 30000 * 1e9) < 10)
      #expect(buffer.isDiscont == (index == 0))
    }
    #expect(try pipeline.statistic("drained") == 24)
  }

  @Test func nothingComesUnaskedOrInVain() throws {
    for properties in [
      "drain=false", "drain=true freeze=true", "drain=true mode=sweep", "drain=true mode=strip",
      "drain=true feedback=1", "drain=true mix=0",
    ] {
      let pipeline = try TestPipeline(
        "videotestsrc num-buffers=10 ! \(Self.picture),framerate=25/1 ! "
          + "slitscan name=scan \(properties) ! fakesink")
      #expect(try pipeline.playToEnd().last?.type == GST_MESSAGE_EOS)
      #expect(pipeline.sent.count == 10, "\(properties)")
    }
  }

  @Test func withoutAFrameRateTheLastFramesDurationCounts() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=10 ! \(Self.picture),framerate=20/1 ! "
        + "capssetter caps=video/x-raw,framerate=0/1 ! "
        + "slitscan name=scan depth=5 gain=2 drain=true ! fakesink")
    #expect(try pipeline.playToEnd().last?.type == GST_MESSAGE_EOS)
    #expect(pipeline.sent.map(\.pts) == (0..<14).map { UInt($0) * 50_000_000 })
  }

  @Test func theEndOfASegmentCutsNothingOff() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! \(Self.picture),framerate=25/1 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink name=sink")
    try pipeline.go(to: GST_STATE_PAUSED)
    for round in 1...2 {
      let before = pipeline.sent.count
      try pipeline.seek(from: 1_000_000_000, to: 2_000_000_000)
      let arrived = try Arrivals(at: "sink", of: pipeline)
      try pipeline.go(to: GST_STATE_PLAYING)
      #expect(try pipeline.messagesToEnd().last?.type == GST_MESSAGE_EOS)
      let last = try #require(pipeline.sent.last)
      #expect(last.pts == 2_920_000_000, "round \(round)")
      #expect(pipeline.sent.count - before == 25 + 24)
      // The preroll frame has come before.
      #expect(arrived.segmentEnds == [.max])
      try pipeline.go(to: GST_STATE_PAUSED)
    }
  }

  @Test func backwardsNothingComes() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! \(Self.picture),framerate=25/1 ! "
        + "slitscan name=scan depth=25 gain=2 drain=true ! fakesink")
    try pipeline.go(to: GST_STATE_PAUSED)
    let before = pipeline.sent.count
    try pipeline.seek(from: 1_000_000_000, to: 2_000_000_000, rate: -1)
    try pipeline.go(to: GST_STATE_PLAYING)
    #expect(try pipeline.messagesToEnd().last?.type == GST_MESSAGE_EOS)
    #expect(pipeline.sent.count - before == pipeline.received.count - before)
    #expect(try pipeline.statistic("drained") == 0)
  }

  @Test func aPipelineThatIsStoppedMeanwhileStops() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Self.picture),framerate=25/1 ! "
        + "slitscan name=scan depth=1000 drain=true duration=1000000000000 ! fakesink sync=true")
    try pipeline.go(to: GST_STATE_PLAYING)
    try pipeline.waitUntil("the drain") { pipeline.sent.count > 32 }
    try pipeline.go(to: GST_STATE_READY)
    #expect(pipeline.sent.count < 100)
  }
}

/// The segments that arrive at a sink from now on.
private final class Arrivals {
  private final class Record: Sendable {
    let ends = Lock([guint64]())
  }

  private let record = Record()

  init(at sink: String, of pipeline: TestPipeline) throws {
    let element = try unsafe pipeline.element(sink)
    defer { unsafe gst_object_unref(element) }
    let pad = try unsafe #require(gst_element_get_static_pad(element, "sink"))
    defer { unsafe gst_object_unref(pad) }
    _ = unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, info, data in
        guard let info = unsafe info, let data = unsafe data,
          let event = unsafe gst_pad_probe_info_get_event(info),
          unsafe event.pointee.type == GST_EVENT_SEGMENT
        else { return GST_PAD_PROBE_OK }
        var segment: UnsafePointer<GstSegment>?
        unsafe gst_event_parse_segment(event, &segment)
        let end = unsafe segment?.pointee.stop ?? 0
        unsafe Unmanaged<Record>.fromOpaque(data).takeUnretainedValue().ends
          .withLock { $0.append(end) }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(record).toOpaque(),
      { data in if let data = unsafe data { unsafe Unmanaged<Record>.fromOpaque(data).release() } })
  }

  var segmentEnds: [guint64] { record.ends.withLock { $0 } }
}
