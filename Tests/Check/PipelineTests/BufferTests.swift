// Tests of buffer ownership: inputs are read and returned, outputs are writable, and either neighbour may provide the
// pool.

import CGStreamer
import CGStreamerCheck
import StreamingThread
import Testing

@Suite struct BufferTests {
  private static let modes = [
    "mode=displace", "mode=displace feedback=0.5 mix=0.5", "mode=displace map=motion",
    "mode=sweep", "mode=strip", "mode=strip canvas-length=5", "mix=0",
  ]

  private func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(unsafe gst_buffer_get_size(buffer)))
    _ = unsafe gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
    return bytes
  }

  private func references(to buffer: UnsafeMutablePointer<GstBuffer>) -> Int {
    Int(unsafe buffer.pointee.mini_object.refcount)
  }

  /// Whether neither the buffer nor its memory has another user.
  private func isWritable(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
    unsafe references(to: buffer) == 1 && gst_buffer_is_all_memory_writable(buffer) != 0
  }

  @Test(arguments: modes) func outputBuffersHaveNoOtherOwner(properties: String) throws {
    let harness = try Harness("depth=8 \(properties)")
    harness.start()
    for index in 0..<20 {
      #expect(try harness.push(index) == GST_FLOW_OK)
      let output = try unsafe #require(harness.pull())
      #expect(unsafe isWritable(output))
      // The downstream element may draw on it without drawing on the history.
      unsafe gst_buffer_memset(output, 0, 255, gst_buffer_get_size(output))
      unsafe gst_buffer_unref(output)
    }
  }

  @Test func outputBuffersBeginWithACacheLine() throws {
    let harness = try Harness("depth=8")
    harness.start()
    for index in 0..<8 {
      try harness.push(index)
      let output = try unsafe #require(harness.pull())
      defer { unsafe gst_buffer_unref(output) }
      var info = unsafe GstMapInfo()
      try #require(unsafe gst_buffer_map(output, &info, GST_MAP_READ) != 0)
      defer { unsafe gst_buffer_unmap(output, &info) }
      #expect(unsafe UInt(bitPattern: info.data) % 64 == 0)
    }
  }

  @Test func drawingOnTheOutputDoesNotChangeHistory() throws {
    for properties in ["", "feedback=0.000001"] {
      let harness = try Harness("depth=16 \(properties)")
      harness.start()
      for index in 0..<20 {
        try harness.push(index)
        let output = try unsafe #require(harness.pull())
        #expect(unsafe bytes(of: output)[15 * 16] == UInt8(max(0, index - 15)))
        unsafe gst_buffer_memset(output, 0, 255, 256)
        unsafe gst_buffer_unref(output)
      }
    }
  }

  @Test(arguments: modes) func inputBuffersAreOnlyRead(properties: String) throws {
    let harness = try Harness("depth=8 \(properties)")
    harness.start()
    for index in 0..<20 {
      let input = try unsafe harness.frame(index)
      unsafe input.pointee.offset = UInt(index)
      unsafe gst_buffer_ref(input)
      let before = unsafe (bytes(of: input), gst_buffer_get_flags(input).rawValue)
      #expect(unsafe gst_harness_push(harness.harness, input) == GST_FLOW_OK)
      unsafe gst_buffer_unref(harness.pull())
      // Given back, and as it was.
      #expect(unsafe references(to: input) == 1)
      #expect(unsafe bytes(of: input) == before.0)
      #expect(unsafe gst_buffer_get_flags(input).rawValue == before.1)
      #expect(unsafe input.pointee.pts == UInt(index) * Harness.frame)
      #expect(unsafe input.pointee.offset == UInt(index))
      unsafe gst_buffer_unref(input)
    }
  }

  @Test(arguments: modes) func memoryThatMayOnlyBeReadIsEnough(properties: String) throws {
    let harness = try Harness("depth=8 \(properties)")
    harness.start()
    for index in 0..<20 {
      let bytes = unsafe g_malloc0(256)
      let input = try unsafe #require(
        gst_buffer_new_wrapped_full(
          GST_MEMORY_FLAG_READONLY, bytes, 256, 0, 256, bytes, { unsafe g_free($0) }))
      unsafe input.pointee.pts = UInt(index) * Harness.frame
      #expect(unsafe gst_harness_push(harness.harness, input) == GST_FLOW_OK)
      unsafe gst_buffer_unref(harness.pull())
    }
  }

  @Test(arguments: modes) func timesOffsetsAndFlagsGoOn(properties: String) throws {
    let harness = try Harness(properties)
    harness.start()
    for index in 0..<5 {
      let input = try unsafe harness.frame(index)
      unsafe input.pointee.dts = UInt(index) * Harness.frame + 1
      unsafe input.pointee.offset = 1000 + UInt(index)
      unsafe input.pointee.offset_end = 1001 + UInt(index)
      let flags = index == 3 ? GST_BUFFER_FLAG_DISCONT.rawValue : GST_BUFFER_FLAG_MARKER.rawValue
      unsafe gst_buffer_set_flags(
        input,
        GstBufferFlags(rawValue: flags | GST_BUFFER_FLAG_DROPPABLE.rawValue | (1 << 20)))
      #expect(unsafe gst_harness_push(harness.harness, input) == GST_FLOW_OK)
      let output = try unsafe #require(harness.pull())
      defer { unsafe gst_buffer_unref(output) }
      #expect(unsafe output.pointee.pts == UInt(index) * Harness.frame)
      #expect(unsafe output.pointee.dts == UInt(index) * Harness.frame + 1)
      #expect(unsafe output.pointee.duration == Harness.frame)
      #expect(unsafe output.pointee.offset == 1000 + UInt(index))
      #expect(unsafe output.pointee.offset_end == 1001 + UInt(index))
      let all = unsafe gst_buffer_get_flags(output).rawValue
      #expect(all & GST_BUFFER_FLAG_DROPPABLE.rawValue != 0)
      // GST_VIDEO_BUFFER_FLAG_INTERLACED.
      #expect(all & (1 << 20) != 0)
      #expect((all & GST_BUFFER_FLAG_DISCONT.rawValue != 0) == (index == 3))
      #expect((all & GST_BUFFER_FLAG_MARKER.rawValue != 0) == (index != 3))
    }
  }

  // MARK: Pools

  /// The element's answer to an allocation query for its input.
  private func offer(
    of harness: Harness, _ caps: String = Harness.caps, _ body: (OpaquePointer?) throws -> Void
  ) throws {
    let caps = unsafe gst_caps_from_string(caps)
    defer { unsafe gst_caps_unref(caps) }
    let query = try unsafe #require(gst_query_new_allocation(caps, 1))
    defer { unsafe gst_query_unref(query) }
    #expect(unsafe gst_pad_peer_query(harness.harness.pointee.srcpad, query) != 0)
    var pool: UnsafeMutablePointer<GstBufferPool>?
    var size: guint = 0
    var least: guint = 0
    var most: guint = 0
    try #require(unsafe gst_query_get_n_allocation_pools(query) == 1)
    unsafe gst_query_parse_nth_allocation_pool(query, 0, &pool, &size, &least, &most)
    defer { unsafe gst_object_unref(pool) }
    #expect(unsafe pool != nil)
    #expect(size == 256)
    // The element holds no buffers, so that it requires none.
    #expect(least == 0)
    #expect(most == 0)
    #expect(unsafe gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0)
    // What is cut off only later would be in the effect.
    #expect(
      unsafe gst_query_find_allocation_meta(query, gst_video_crop_meta_api_get_type(), nil) == 0)
    try unsafe body(OpaquePointer(pool))
  }

  @Test func upstreamIsOfferedAPool() throws {
    for takesMeta in [false, true] {
      for properties in ["", "mix=0", "mode=strip canvas-length=99"] {
        let harness = try Harness("depth=16 \(properties)")
        if takesMeta {
          for api in [gst_video_meta_api_get_type(), gst_video_crop_meta_api_get_type()] {
            unsafe gst_harness_add_propose_allocation_meta(harness.harness, api, nil)
          }
        }
        harness.start()
        try unsafe offer(of: harness) { pool in
          let pool = unsafe UnsafeMutablePointer<GstBufferPool>(pool)
          #expect(unsafe gst_buffer_pool_set_active(pool, 1) != 0)
          for index in 0..<20 {
            var buffer: UnsafeMutablePointer<GstBuffer>?
            #expect(unsafe gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK)
            unsafe buffer?.pointee.pts = UInt(index) * Harness.frame
            #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
            unsafe gst_buffer_unref(harness.pull())
          }
          #expect(unsafe gst_buffer_pool_set_active(pool, 0) != 0)
        }
      }
    }
  }

  /// A pool of downstream's, of few buffers.
  private final class Pool: Sendable {
    let buffers: UInt32
    let takesMeta: Bool
    let uses = Lock(0)

    init(buffers: UInt32, takesMeta: Bool) {
      self.buffers = buffers
      self.takesMeta = takesMeta
    }
  }

  /// Has downstream propose such a pool.
  private func propose(_ pool: Pool, to harness: Harness) throws {
    let pad = try unsafe #require(harness.harness.pointee.sinkpad)
    unsafe addProbe(
      { _, info, data in
        guard let data = unsafe data, let info = unsafe info,
          let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe query.pointee.type == GST_QUERY_ALLOCATION
        else { return GST_PAD_PROBE_OK }
        let wanted = unsafe Unmanaged<Pool>.fromOpaque(data).takeUnretainedValue()
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_query_parse_allocation(query, &caps, nil)
        let pool = unsafe gst_video_buffer_pool_new()
        let config = unsafe gst_buffer_pool_get_config(pool)
        unsafe gst_buffer_pool_config_set_params(config, caps, 256, 0, wanted.buffers)
        unsafe gst_buffer_pool_set_config(pool, config)
        unsafe gst_query_add_allocation_pool(query, pool, 256, 0, wanted.buffers)
        unsafe gst_object_unref(pool)
        if wanted.takesMeta {
          unsafe gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        }
        wanted.uses.withLock { $0 += 1 }
        return GST_PAD_PROBE_HANDLED
      }, to: pad, with: pool, of: GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM)
  }

  @Test(arguments: [1, 2, 4], [false, true])
  func downstreamsPoolIsUsed(count: UInt32, takesMeta: Bool) throws {
    for properties in ["", "mode=sweep", "mode=strip", "mix=0.5 feedback=0.5"] {
      let harness = try Harness("depth=120 \(properties)")
      let pool = Pool(buffers: count, takesMeta: takesMeta)
      try propose(pool, to: harness)
      harness.start()
      var places: Set<UInt> = []
      for index in 0..<100 {
        try #require(try harness.push(index) == GST_FLOW_OK)
        let output = try unsafe #require(harness.pull())
        places.insert(UInt(bitPattern: output))
        #expect(unsafe output.pointee.pool != nil)
        // Code that does not look at the meta finds the planes, too, unless it says that it looks.
        let meta = unsafe gst_buffer_get_video_meta(output)
        #expect(unsafe takesMeta || meta?.pointee.stride.0 ?? 16 == 16)
        #expect(unsafe meta?.pointee.offset.0 ?? 0 == 0)
        unsafe gst_buffer_unref(output)
      }
      #expect(pool.uses.withLock { $0 } > 0)
      #expect(places.count <= Int(count))
    }
  }
}
