// Tests of what the element requests upstream: few buffers, whole planes, and history that goes on.

import CGStreamer
import CGStreamerCheck
import Testing

@Suite struct UpstreamTests {
  @Test(arguments: [1, 2, 4]) func aPoolOfFewBuffersNeverStarves(count: UInt32) throws {
    for mode in ["displace", "sweep", "strip"] {
      let harness = try Harness("depth=120 mode=\(mode)")
      harness.start()
      let pool = try unsafe #require(gst_buffer_pool_new())
      defer { unsafe gst_object_unref(pool) }
      let config = unsafe gst_buffer_pool_get_config(pool)
      unsafe gst_buffer_pool_config_set_params(config, nil, 256, count, count)
      #expect(unsafe gst_buffer_pool_set_config(pool, config) != 0)
      #expect(unsafe gst_buffer_pool_set_active(pool, 1) != 0)
      for index in 0..<300 as Range<UInt> {
        var parameters = GstBufferPoolAcquireParams()
        parameters.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
        var buffer: UnsafeMutablePointer<GstBuffer>?
        let flow = unsafe gst_buffer_pool_acquire_buffer(pool, &buffer, &parameters)
        try #require(flow == GST_FLOW_OK, "no buffer left at frame \(index)")
        unsafe buffer?.pointee.pts = index * Harness.frame
        try unsafe #require(gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
        unsafe gst_buffer_unref(harness.pull())
      }
      unsafe gst_buffer_pool_set_active(pool, 0)
    }
  }

  @Test(arguments: [false, true]) func aNewSegmentContinuesHistory(isDiscont: Bool) throws {
    let harness = try Harness("depth=16")
    harness.start()
    for index in 0..<16 {
      try harness.push(1, at: UInt(index) * Harness.frame)
      #expect(harness.pullRows() != nil)
    }
    harness.pushSegment(base: 16 * Harness.frame)
    let buffer = try unsafe harness.frame(2, at: 0)
    if isDiscont { unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT) }
    #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
    #expect(harness.pullRows() == [2] + [UInt8](repeating: 1, count: 15))
  }

  @Test func aPlaneThatLeavesItsMemoryIsRefused() throws {
    let harness = try Harness("depth=4")
    harness.start()
    for (offset, stride) in [(200, 16), (0, 64), (0, -16), (0, 4), (0, Int(Int32.max))] {
      let buffer = try unsafe harness.frame(1)
      var offsets: [gsize] = [gsize(offset), 0, 0, 0]
      var strides: [gint] = [gint(stride), 0, 0, 0]
      _ = unsafe gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 16, 16, 1, &offsets, &strides)
      #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_ERROR)
    }
  }
}
