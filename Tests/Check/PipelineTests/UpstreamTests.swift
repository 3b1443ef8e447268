// Tests of what the element requests upstream: few buffers, and no output for late frames.

import CGStreamer
import CGStreamerCheck
import ElementUnderTest
import Testing

@Suite struct UpstreamTests {
  private static let caps = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"

  /// A slitscan in a harness, which is given up when `body` returns.
  private func withHarness(
    _ properties: String, _ body: (UnsafeMutablePointer<GstHarness>) throws -> Void
  ) throws {
    #expect(ElementUnderTest.isRegistered)
    let harness = try unsafe #require(gst_harness_new_parse("slitscan \(properties)"))
    defer { unsafe gst_harness_teardown(harness) }
    unsafe gst_harness_set_src_caps_str(harness, Self.caps)
    try unsafe body(harness)
  }

  /// A frame of one value at frame number `index`.
  private func frame(_ value: UInt8, index: Int) throws -> UnsafeMutablePointer<GstBuffer> {
    let buffer = try unsafe #require(gst_buffer_new_allocate(nil, 256, nil))
    unsafe gst_buffer_memset(buffer, 0, value, 256)
    unsafe buffer.pointee.pts = UInt(index) * 40_000_000
    unsafe buffer.pointee.duration = 40_000_000
    return unsafe buffer
  }

  /// The first byte of every row.
  private func rows(_ buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
    (0..<16).map { row in
      var byte: UInt8 = 0
      unsafe gst_buffer_extract(buffer, gsize(16 * row), &byte, 1)
      return byte
    }
  }

  @Test(arguments: [1, 2, 4]) func aPoolOfFewBuffersNeverStarves(count: UInt32) throws {
    for mode in ["displace", "sweep", "strip"] {
      try unsafe withHarness("depth=120 mode=\(mode)") { harness in
        let pool = try unsafe #require(gst_buffer_pool_new())
        defer { unsafe gst_object_unref(pool) }
        let config = unsafe gst_buffer_pool_get_config(pool)
        unsafe gst_buffer_pool_config_set_params(config, nil, 256, count, count)
        #expect(unsafe gst_buffer_pool_set_config(pool, config) != 0)
        #expect(unsafe gst_buffer_pool_set_active(pool, 1) != 0)
        for index in 0..<300 {
          var parameters = GstBufferPoolAcquireParams()
          parameters.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
          var buffer: UnsafeMutablePointer<GstBuffer>?
          let flow = unsafe gst_buffer_pool_acquire_buffer(pool, &buffer, &parameters)
          try #require(flow == GST_FLOW_OK, "no buffer left at frame \(index)")
          unsafe buffer?.pointee.pts = UInt(index) * 40_000_000
          try unsafe #require(gst_harness_push(harness, buffer) == GST_FLOW_OK)
          unsafe gst_buffer_unref(gst_harness_pull(harness))
        }
        unsafe gst_buffer_pool_set_active(pool, 0)
      }
    }
  }

  @Test func aFlushForgetsWhatWasBefore() throws {
    try unsafe withHarness("depth=16") { harness in
      for index in 0..<20 {
        _ = unsafe gst_harness_push(harness, try frame(UInt8(index), index: index))
        let output = try unsafe #require(gst_harness_pull(harness))
        #expect(unsafe rows(output) == (0..<16).map { UInt8(max(0, index - min($0, 15))) })
        unsafe gst_buffer_unref(output)
      }
      unsafe gst_harness_push_event(harness, gst_event_new_flush_start())
      unsafe gst_harness_push_event(harness, gst_event_new_flush_stop(1))
      var segment = GstSegment()
      unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
      unsafe gst_harness_push_event(harness, gst_event_new_segment(&segment))
      _ = unsafe gst_harness_push(harness, try frame(99, index: 20))
      let output = try unsafe #require(gst_harness_pull(harness))
      #expect(unsafe rows(output) == [UInt8](repeating: 99, count: 16))
      unsafe gst_buffer_unref(output)
    }
  }

  @Test func aNewSegmentContinuesHistory() throws {
    for isDiscont in [false, true] {
      try unsafe withHarness("depth=16") { harness in
        for index in 0..<16 {
          _ = unsafe gst_harness_push(harness, try frame(1, index: index))
          unsafe gst_buffer_unref(gst_harness_pull(harness))
        }
        var segment = GstSegment()
        unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.base = 16 * 40_000_000
        unsafe gst_harness_push_event(harness, gst_event_new_segment(&segment))
        let buffer = try unsafe frame(2, index: 0)
        if isDiscont { unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT) }
        _ = unsafe gst_harness_push(harness, buffer)
        let output = try unsafe #require(gst_harness_pull(harness))
        #expect(unsafe rows(output) == [2] + [UInt8](repeating: 1, count: 15))
        unsafe gst_buffer_unref(output)
      }
    }
  }

  @Test func aFrameTooLateToBeShownEntersHistory() throws {
    try unsafe withHarness("depth=16") { harness in
      _ = unsafe gst_harness_push(harness, try frame(0, index: 0))
      unsafe gst_buffer_unref(gst_harness_pull(harness))
      // Downstream is at frame 10: everything up to there is too late.
      let qos = unsafe gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2, 1_000_000, 10 * 40_000_000)
      #expect(unsafe gst_harness_push_upstream_event(harness, qos) != 0)
      for index in 1...12 {
        _ = unsafe gst_harness_push(harness, try frame(UInt8(index), index: index))
      }
      #expect(unsafe gst_harness_buffers_in_queue(harness) == 2)
      unsafe gst_buffer_unref(gst_harness_pull(harness))
      let output = try unsafe #require(gst_harness_pull(harness))
      #expect(unsafe rows(output) == (0..<16).map { UInt8(max(0, 12 - $0)) })
      unsafe gst_buffer_unref(output)
    }
  }

  @Test func aBufferSmallerThanItsCapsDoesNoHarm() throws {
    try unsafe withHarness("depth=4") { harness in
      let buffer = try unsafe #require(gst_buffer_new_allocate(nil, 17, nil))
      _ = unsafe gst_harness_push(harness, buffer)
    }
  }

  @Test func aPlaneThatLeavesItsMemoryIsRefused() throws {
    try unsafe withHarness("depth=4") { harness in
      for (offset, stride) in [(200, 16), (0, 64), (0, -16), (0, 4), (0, Int(Int32.max))] {
        let buffer = try unsafe frame(1, index: 0)
        var offsets = [gsize](repeating: 0, count: 4)
        var strides = [gint](repeating: 0, count: 4)
        offsets[0] = gsize(offset)
        strides[0] = gint(stride)
        _ = unsafe gst_buffer_add_video_meta_full(
          buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 16, 16, 1, &offsets, &strides)
        #expect(unsafe gst_harness_push(harness, buffer) == GST_FLOW_ERROR)
      }
    }
  }
}
