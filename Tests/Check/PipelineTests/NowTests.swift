// Tests of the property `now` in pipelines: what is held back, and leaves in order; and the latency.

import CGStreamer
import CGStreamerCheck
import Testing

@testable import GStreamer

@Suite struct NowTests {
  /// The last row of a frame of ``Harness``, and its time in frames.
  private func pull(_ harness: Harness) -> (value: UInt8, frame: UInt)? {
    guard let buffer = unsafe harness.pull() else { return nil }
    defer { unsafe gst_buffer_unref(buffer) }
    return unsafe (harness.rows(of: buffer)[15], buffer.pointee.pts / Harness.frame)
  }

  private func frames(_ harness: Harness) -> [UInt] {
    var frames: [UInt] = []
    while let output = pull(harness) { frames.append(output.frame) }
    return frames
  }

  private func latency(of harness: Harness) throws -> UInt {
    let query = try unsafe #require(gst_query_new_latency())
    defer { unsafe gst_query_unref(query) }
    let pad = unsafe gst_element_get_static_pad(harness.element, "src")
    defer { unsafe gst_object_unref(pad) }
    #expect(unsafe gst_pad_query(pad, query) != 0)
    var (least, most): (GstClockTime, GstClockTime) = (0, 0)
    unsafe gst_query_parse_latency(query, nil, &least, &most)
    if most != .max { #expect(most >= least) }
    return least
  }

  @Test func everyFrameLeavesWithItsOwnTimes() throws {
    let harness = try Harness(underTest: "depth=9 now=0.5")
    harness.start()
    for index in 0..<4 {
      try harness.push(index)
      #expect(pull(harness) == nil)
    }
    for index in 4..<12 {
      let buffer = try unsafe harness.frame(index)
      unsafe buffer.pointee.offset = guint64(100 + index)
      unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_MARKER)
      #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
      let output = try unsafe #require(harness.pull())
      defer { unsafe gst_buffer_unref(output) }
      #expect(unsafe output.pointee.pts == UInt(index - 4) * Harness.frame)
      #expect(unsafe output.pointee.duration == Harness.frame)
      guard index >= 8 else { continue }
      #expect(unsafe output.pointee.offset == guint64(96 + index))
      #expect(unsafe gst_buffer_has_flags(output, GST_BUFFER_FLAG_MARKER) != 0)
    }
    #expect(unsafe harness.push(event: gst_event_new_eos()))
    #expect(frames(harness) == [8, 9, 10, 11])
  }

  @Test func metasStayWithTheirFrame() throws {
    let harness = try Harness(underTest: "depth=5 now=0.5")
    harness.start()
    for index in 0..<6 {
      let buffer = try unsafe harness.frame(index)
      let caps = unsafe gst_caps_new_empty_simple("timestamp/x-test")
      unsafe gst_buffer_add_reference_timestamp_meta(buffer, caps, UInt(index), 0)
      unsafe gst_caps_unref(caps)
      #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
      // The input's buffers are not held.
      guard let output = unsafe harness.pull() else { continue }
      defer { unsafe gst_buffer_unref(output) }
      let meta = try unsafe #require(gst_buffer_get_reference_timestamp_meta(output, nil))
      #expect(unsafe meta.pointee.timestamp == UInt(index - 2))
    }
  }

  @Test func aDiscontinuityIsThatOfItsFrame() throws {
    let harness = try Harness(underTest: "depth=9 now=0.5")
    harness.start()
    var outputs: [Bool] = []
    for index in 0..<16 {
      let buffer = try unsafe harness.frame(index)
      if index == 0 || index == 9 {
        unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT)
      }
      #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
      guard let output = unsafe harness.pull() else { continue }
      unsafe outputs.append(gst_buffer_has_flags(output, GST_BUFFER_FLAG_DISCONT) != 0)
      unsafe gst_buffer_unref(output)
    }
    #expect(outputs == (0..<12).map { $0 == 0 || $0 == 9 })
  }

  @Test func eventsLeaveBetweenTheirFrames() throws {
    let harness = try Harness(underTest: "depth=5 now=0.5")
    harness.start()
    try harness.push(0)
    try harness.push(1)
    _ = harness.pullEvents()
    unsafe harness.push(event: gst_event_new_tag(gst_tag_list_new_empty()))
    harness.pushSegment(base: 80_000_000)
    unsafe harness.push(event: gst_event_new_gap(0, Harness.frame))
    // One that is not in the stream does not wait.
    unsafe harness.push(
      event: gst_event_new_custom(
        GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty("slitscan-test")))
    #expect(harness.pullEvents() == [GST_EVENT_CUSTOM_DOWNSTREAM_OOB])
    try harness.push(2, at: 0)
    try harness.push(3, at: Harness.frame)
    #expect(harness.pullEvents().isEmpty && frames(harness) == [0, 1])
    try harness.push(4, at: 2 * Harness.frame)
    #expect(harness.pullEvents() == [GST_EVENT_TAG, GST_EVENT_SEGMENT, GST_EVENT_GAP])
    unsafe harness.push(event: gst_event_new_tag(gst_tag_list_new_empty()))
    #expect(unsafe harness.push(event: gst_event_new_eos()))
    #expect(harness.pullEvents() == [GST_EVENT_TAG, GST_EVENT_EOS])
    #expect(frames(harness) == [0, 1, 2])
  }

  @Test func aFlushDropsWhatIsHeld() throws {
    let harness = try Harness(underTest: "depth=5 now=0.5")
    harness.start()
    for index in 0..<4 { try harness.push(index) }
    #expect(frames(harness) == [0, 1])
    harness.flush()
    harness.pushSegment()
    for index in 7..<10 { try harness.push(index) }
    #expect(frames(harness) == [7])
    #expect(unsafe harness.push(event: gst_event_new_eos()))
    #expect(frames(harness) == [8, 9])
  }

  @Test func otherCapsComeAfterTheFramesBeforeThem() throws {
    let harness = try Harness(underTest: "depth=5 now=0.5")
    harness.start()
    for index in 0..<4 { try harness.push(index) }
    #expect(frames(harness) == [0, 1])
    harness.start("video/x-raw,format=GRAY8,width=16,height=8,framerate=25/1")
    let first = try #require(pull(harness))
    #expect(first.frame == 2)
    #expect(frames(harness) == [3])
    // The same pixels at another rate: nothing ends.
    harness.start()
    for index in 4..<8 { try harness.push(index) }
    _ = frames(harness)
    harness.start("video/x-raw,format=GRAY8,width=16,height=16,framerate=50/1")
    #expect(frames(harness).isEmpty)
    #expect(try latency(of: harness) == 40_000_000)
    try harness.push(8)
    #expect(frames(harness) == [6])
  }

  @Test func theLatencyIsThatOfTheFramesHeld() throws {
    let harness = try Harness(underTest: "depth=11")
    harness.start()
    try harness.push(0)
    #expect(try latency(of: harness) == 0 && harness.pop(GST_MESSAGE_LATENCY).count == 0)
    harness.set("now", to: "0.5")
    try harness.push(1)
    #expect(
      try latency(of: harness) == 5 * Harness.frame && harness.pop(GST_MESSAGE_LATENCY).count == 1)
    for index in 2..<9 { try harness.push(index) }
    #expect(harness.pop(GST_MESSAGE_LATENCY).count == 0)
    harness.set("depth", to: "21")
    try harness.push(9)
    #expect(
      try latency(of: harness) == 10 * Harness.frame && harness.pop(GST_MESSAGE_LATENCY).count == 1)
    harness.set("mode", to: "sweep")
    try harness.push(10)
    #expect(try latency(of: harness) == 0 && harness.pop(GST_MESSAGE_LATENCY).count == 1)
    #expect(frames(harness) == (0...10).map { $0 })
  }

  @Test func theLatencyIsThereWithTheCaps() throws {
    let harness = try Harness(underTest: "depth=11 now=1")
    harness.start()
    #expect(
      try latency(of: harness) == 10 * Harness.frame && harness.pop(GST_MESSAGE_LATENCY).count == 1)
  }

  @Test func whatLeavesTooLateIsNotDrawn() throws {
    let harness = try Harness(underTest: "depth=5 now=0.5")
    harness.start()
    for index in 0..<5 { try harness.push(index) }
    #expect(frames(harness) == [0, 1, 2])
    // The frame that is next is late, not the one that comes in.
    unsafe harness.pushUpstream(
      event: gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2, 0, 4 * Harness.frame))
    for index in 5..<8 { try harness.push(index) }
    #expect(frames(harness) == [5])
  }

  @Test func aSnapshotIsOfTheFrameThatLeft() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=30 ! \(Harness.caps) ! "
        + "slitscan name=scan depth=11 now=0.5 ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(pipeline.sent.map(\.pts) == (0..<30).map { $0 * Harness.frame })
    #expect(try pipeline.statistic("drawn") == 30)
    #expect(try pipeline.statistic("frames") == 30)
    #expect(try pipeline.statistic("drained") == 0)
    // The middle of the frame is the present.
    #expect(try pipeline.statistic("center-delay") <= 40_000_000)
    guard case .sample(let sample) = try pipeline.scan.emit("snapshot") else {
      throw PipelineError(description: "no snapshot")
    }
    #expect(sample.buffer?.presentationTime == .milliseconds(29 * 40))
  }

  @Test func thePictureThatSeveralFramesShowIsNotGivenAway() throws {
    let harness = try Harness(underTest: "depth=9 now=1")
    harness.start()
    for index in 0..<10 { try harness.push(index) }
    harness.set("now", to: "0")
    for index in 10..<20 { try harness.push(index) }
    var values: [UInt8] = []
    while let output = pull(harness) { values.append(output.value) }
    // Two with their own pictures, then nine with one, then each its own.
    #expect(values == [0, 1] + [UInt8](repeating: 2, count: 9) + (3...11).map { $0 })
  }
}
