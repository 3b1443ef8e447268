// Tests of buffer metadata: what holds for the output is forwarded; what describes the input's memory, size or
// colours is not.

import CGStreamer
import CGStreamerCheck
import Testing

@Suite struct MetaTests {
  /// A meta of the tests' own, with tags, and whether another video filter's frame would keep it.
  static let own: [(name: String, tags: [String], goesOn: Bool)] = [
    ("SlitScanTestUntagged", [], true),
    ("SlitScanTestVideo", ["video"], true),
    ("SlitScanTestSize", ["video", "size"], false),
    ("SlitScanTestOrientation", ["video", "orientation"], false),
    ("SlitScanTestColours", ["video", "colorspace"], false),
    ("SlitScanTestAudio", ["audio"], false),
    ("SlitScanTestMemory", ["memory"], false),
  ]

  /// Registered once in a process.
  private static let areRegistered: Bool = {
    for meta in own {
      // For as long as the process lives.
      var tags = unsafe meta.tags.map { unsafe UnsafePointer<gchar>(g_strdup($0)) }
      unsafe tags.append(nil)
      _ = unsafe gst_meta_register_custom(meta.name, &tags, nil, nil, nil)
    }
    return true
  }()

  private static let modes = [
    "mode=displace", "mode=sweep", "mode=strip", "mode=strip canvas-length=5", "feedback=0.5",
  ]

  /// Adds all kinds of metas to a buffer of 16×16.
  private func addMetas(to buffer: UnsafeMutablePointer<GstBuffer>) throws {
    try #require(Self.areRegistered)
    for meta in Self.own {
      let custom = try unsafe #require(gst_buffer_add_custom_meta(buffer, meta.name))
      var note = GValue()
      unsafe g_value_init(&note, CGST_TYPE_STRING)
      unsafe g_value_set_string(&note, meta.name)
      unsafe gst_structure_set_value(gst_custom_meta_get_structure(custom), "note", &note)
      unsafe g_value_unset(&note)
    }
    let caps = unsafe gst_caps_new_empty_simple("timestamp/x-test")
    unsafe gst_buffer_add_reference_timestamp_meta(buffer, caps, 4711, 42)
    unsafe gst_caps_unref(caps)
    unsafe gst_buffer_add_video_region_of_interest_meta(buffer, "face", 1, 2, 3, 4)
    let crop = try unsafe #require(
      UnsafeMutableRawPointer(gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)))
    unsafe crop.assumingMemoryBound(to: GstVideoCropMeta.self).pointee.width = 8
    let parent = unsafe gst_buffer_new()
    unsafe gst_buffer_add_parent_buffer_meta(buffer, parent)
    unsafe gst_buffer_unref(parent)
  }

  private func metas(of buffer: UnsafeMutablePointer<GstBuffer>) -> Set<String> {
    var names: Set<String> = []
    var state: gpointer?
    while let meta = unsafe gst_buffer_iterate_meta(buffer, &state) {
      unsafe names.insert(String(cString: g_type_name(meta.pointee.info.pointee.type)))
    }
    return names
  }

  /// The output for a frame that has all kinds of metas.
  private func output(
    of harness: Harness
  ) throws -> (buffer: UnsafeMutablePointer<GstBuffer>, input: UnsafeMutablePointer<GstBuffer>) {
    harness.start()
    let buffer = try unsafe harness.frame(1)
    try unsafe addMetas(to: buffer)
    let input = try unsafe #require(gst_buffer_ref(buffer))
    #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
    return unsafe (try #require(harness.pull()), input)
  }

  @Test(arguments: modes) func metasThatHoldForTheOutputGoOn(properties: String) throws {
    let harness = try Harness(properties)
    let (buffer, input) = try unsafe output(of: harness)
    defer {
      unsafe gst_buffer_unref(buffer)
      unsafe gst_buffer_unref(input)
    }
    for meta in Self.own {
      let custom = unsafe gst_buffer_get_custom_meta(buffer, meta.name)
      #expect(unsafe (custom != nil) == meta.goesOn, "\(meta.name)")
      guard let custom = unsafe custom else { continue }
      let note = unsafe gst_structure_get_string(gst_custom_meta_get_structure(custom), "note")
      #expect(unsafe note.map { unsafe String(cString: $0) } == meta.name)
    }
    let time = unsafe gst_buffer_get_reference_timestamp_meta(buffer, nil)
    #expect(unsafe time?.pointee.timestamp == 4711)
    #expect(unsafe time?.pointee.duration == 42)
    let names = unsafe metas(of: buffer)
    // A region of the frame that came is none of the frame that goes.
    #expect(!names.contains("GstVideoRegionOfInterestMeta"))
    #expect(!names.contains("GstVideoCropMeta"))
    // Whose memory would not come back to upstream's pool.
    #expect(!names.contains("GstParentBufferMeta"))
  }

  @Test func metasGoOnAsFromGStreamersOwnElements() throws {
    // quarktv remembers frames, too.
    let other = try Harness(factory: "quarktv")
    other.start("video/x-raw,format=RGBx,width=8,height=8,framerate=25/1")
    let buffer = try unsafe other.frame(1)
    try unsafe addMetas(to: buffer)
    #expect(unsafe gst_harness_push(other.harness, buffer) == GST_FLOW_OK)
    let theirs = try unsafe #require(other.pull())
    defer { unsafe gst_buffer_unref(theirs) }
    let (ours, input) = try unsafe output(of: Harness())
    defer {
      unsafe gst_buffer_unref(ours)
      unsafe gst_buffer_unref(input)
    }
    let expected = unsafe metas(of: theirs).subtracting(["GstVideoMeta"])
    #expect(!expected.isEmpty)
    #expect(unsafe metas(of: ours).subtracting(["GstVideoMeta"]) == expected)
  }

  @Test func thePlacesOfPlanesAreTheOutputsOwn() throws {
    for takesMeta in [false, true] {
      let harness = try Harness()
      if takesMeta {
        unsafe gst_harness_add_propose_allocation_meta(
          harness.harness, gst_video_meta_api_get_type(), nil)
      }
      harness.start()
      let buffer = try unsafe #require(gst_buffer_new_allocate(nil, 16 * 20, nil))
      unsafe gst_buffer_memset(buffer, 0, 7, 16 * 20)
      var offsets = [gsize](repeating: 0, count: 4)
      var strides: [gint] = [20, 0, 0, 0]
      _ = unsafe gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 16, 16, 1, &offsets, &strides)
      #expect(unsafe gst_harness_push(harness.harness, buffer) == GST_FLOW_OK)
      let output = try unsafe #require(harness.pull())
      defer { unsafe gst_buffer_unref(output) }
      let meta = unsafe gst_buffer_get_video_meta(output)
      let stride = unsafe meta?.pointee.stride.0 ?? 16
      // Since 1.28, pools align rows if downstream reads the meta.
      #expect(takesMeta ? stride % 16 == 0 : stride == 16)
      #expect(unsafe gst_buffer_get_size(output) == 16 * gsize(stride))
    }
  }

  @Test func aFrameThatPassesKeepsEverything() throws {
    let harness = try Harness("mix=0")
    let (buffer, input) = try unsafe output(of: harness)
    defer {
      unsafe gst_buffer_unref(buffer)
      unsafe gst_buffer_unref(input)
    }
    #expect(unsafe metas(of: buffer) == metas(of: input))
  }

  @Test func framesAfterTheEndHaveNoMetas() throws {
    let harness = try Harness("depth=4 gain=2 drain=true")
    let (buffer, input) = try unsafe output(of: harness)
    unsafe gst_buffer_unref(buffer)
    unsafe gst_buffer_unref(input)
    try harness.push(2, at: Harness.frame)
    unsafe gst_buffer_unref(harness.pull())
    unsafe harness.push(event: gst_event_new_eos())
    var count = 0
    while let buffer = unsafe harness.pull() {
      #expect(unsafe metas(of: buffer).subtracting(["GstVideoMeta"]).isEmpty)
      unsafe gst_buffer_unref(buffer)
      count += 1
    }
    #expect(count == 3)
  }
}
