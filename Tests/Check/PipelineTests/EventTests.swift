// Tests of events and queries that are not the element's own: each is forwarded at once, and none is answered for
// others.

import CGStreamer
import CGStreamerCheck
import Testing

@testable import GStreamer

@Suite struct EventTests {
  private static let modes = [
    "", "mode=sweep", "mode=strip canvas-length=5", "mix=0", "drain=true",
  ]

  private func structure() -> UnsafeMutablePointer<GstStructure>? {
    unsafe gst_structure_new_empty("slitscan-test")
  }

  @Test(arguments: modes) func downstreamEventsGoOnAtOnce(properties: String) throws {
    let harness = try Harness(properties)
    harness.start()
    try harness.push(0)
    _ = harness.pullEvents()
    let taglist = unsafe gst_tag_list_new_empty()
    let structures = unsafe (0..<3).map { _ in unsafe structure() }
    let events = unsafe [
      gst_event_new_gap(Harness.frame, Harness.frame), gst_event_new_tag(taglist),
      gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structures[0]),
      gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM_OOB, structures[1]),
      gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, structures[2]),
      gst_event_new_stream_group_done(7), gst_event_new_segment_done(GST_FORMAT_TIME, 0),
    ]
    for index in 0..<7 {
      let type = unsafe events[index]?.pointee.type
      let number = unsafe gst_event_get_seqnum(events[index])
      #expect(unsafe harness.push(event: events[index]))
      let event = try unsafe #require(gst_harness_try_pull_event(harness.harness))
      #expect(unsafe event.pointee.type == type)
      #expect(unsafe gst_event_get_seqnum(event) == number)
      unsafe gst_event_unref(event)
      #expect(harness.pullEvents().isEmpty)
    }
    #expect(try harness.push(1) == GST_FLOW_OK)
  }

  @Test(arguments: modes) func upstreamEventsGoOnAtOnce(properties: String) throws {
    let harness = try Harness(properties)
    harness.start()
    try harness.push(0)
    while let event = unsafe gst_harness_try_pull_upstream_event(harness.harness) {
      unsafe gst_event_unref(event)
    }
    let (first, second) = unsafe (structure(), structure())
    let events = unsafe [
      gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, first), gst_event_new_latency(1000),
      gst_event_new_custom(GST_EVENT_CUSTOM_BOTH, second),
      gst_event_new_qos(GST_QOS_TYPE_THROTTLE, 1, 0, 0),
      gst_event_new_seek(
        1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0),
      gst_event_new_step(GST_FORMAT_BUFFERS, 1, 1, 1, 0),
      gst_video_event_new_upstream_force_key_unit(.max, 1, 2),
    ]
    for index in 0..<7 {
      let type = unsafe events[index]?.pointee.type
      #expect(unsafe gst_harness_push_upstream_event(harness.harness, events[index]) != 0)
      let event = try unsafe #require(gst_harness_try_pull_upstream_event(harness.harness))
      #expect(unsafe event.pointee.type == type)
      unsafe gst_event_unref(event)
    }
  }

  @Test func positionAndDurationAreUpstreams() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=50 ! \(Harness.caps) ! slitscan name=scan ! fakesink")
    try pipeline.go(to: GST_STATE_PAUSED)
    let source = try pipeline.scan.pad("src")
    var time: gint64 = -1
    #expect(
      unsafe source.withGstPad { unsafe gst_pad_query_duration($0, GST_FORMAT_TIME, &time) } != 0)
    #expect(time == 2_000_000_000)
    try pipeline.seek(to: 1_000_000_000)
    #expect(
      unsafe source.withGstPad { unsafe gst_pad_query_position($0, GST_FORMAT_TIME, &time) } != 0)
    // The source is done with the frame that is there.
    #expect(time == 1_040_000_000)
    let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME)
    defer { unsafe gst_query_unref(query) }
    #expect(unsafe source.withGstPad { unsafe gst_pad_query($0, query) } != 0)
    var isSeekable: gboolean = 0
    unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    #expect(isSeekable != 0)
  }
}
