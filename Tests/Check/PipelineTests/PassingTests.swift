// Tests that with `mix` at 0 the output buffer is the input buffer.

import CGStreamer
import CGStreamerCheck
import ElementUnderTest
import GStreamer
import StreamingThread
import Testing

@Suite struct PassingTests {
  private static let caps = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"

  /// A slitscan in a harness, fed with frames of 16×16 whose bytes are all the frame's number.
  @safe private final class Element {
    let harness: UnsafeMutablePointer<GstHarness>

    /// - Parameter takesMeta: Whether what comes after takes planes at any place in the buffer.
    init(_ properties: String, takesMeta: Bool = false) throws {
      #expect(ElementUnderTest.isRegistered)
      unsafe harness = try unsafe #require(gst_harness_new_parse("slitscan \(properties)"))
      if takesMeta {
        unsafe gst_harness_add_propose_allocation_meta(
          harness, gst_video_meta_api_get_type(), nil)
      }
      unsafe gst_harness_set_src_caps_str(harness, PassingTests.caps)
    }

    deinit { unsafe gst_harness_teardown(harness) }

    func set(_ name: String, to value: String) throws {
      let element = try unsafe #require(gst_harness_find_element(harness, "slitscan"))
      defer { unsafe gst_object_unref(element) }
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, value)
    }

    /// Pushes frame `index`, its rows `stride` bytes apart.
    ///
    /// - Returns: Whether the very same buffer came out, and the first byte of every row of what did.
    func push(_ index: Int, stride: Int = 16) throws -> (isSame: Bool, rows: [UInt8]) {
      let buffer = try unsafe #require(gst_buffer_new_allocate(nil, gsize(16 * stride), nil))
      unsafe gst_buffer_memset(buffer, 0, UInt8(index), gsize(16 * stride))
      unsafe buffer.pointee.pts = UInt(index) * 40_000_000
      unsafe buffer.pointee.duration = 40_000_000
      if stride != 16 {
        var offsets = [gsize](repeating: 0, count: 4)
        var strides: [gint] = [gint(stride), 0, 0, 0]
        _ = unsafe gst_buffer_add_video_meta_full(
          buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 16, 16, 1, &offsets, &strides)
      }
      #expect(unsafe gst_harness_push(harness, buffer) == GST_FLOW_OK)
      let output = try unsafe #require(gst_harness_pull(harness))
      defer { unsafe gst_buffer_unref(output) }
      let outputStride = unsafe gst_buffer_get_video_meta(output)?.pointee.stride.0 ?? 16
      let rows = (0..<16).map { row in
        var byte: UInt8 = 0
        _ = unsafe gst_buffer_extract(output, gsize(row * Int(outputStride)), &byte, 1)
        return byte
      }
      return unsafe (buffer == output, rows)
    }
  }

  @Test(arguments: ["displace", "sweep"])
  func theBufferItselfGoesThrough(mode: String) throws {
    let element = try Element("mode=\(mode) mix=0")
    for index in 0..<20 {
      let output = try element.push(index)
      #expect(output.isSame, "frame \(index)")
      #expect(output.rows == [UInt8](repeating: UInt8(index), count: 16))
    }
  }

  @Test func otherOutputThanTheInputIsDrawn() throws {
    for properties in ["mix=0.5", "mix=1", "mode=strip mix=0", "mix=0 feedback=0.5"] {
      let element = try Element(properties)
      for index in 0..<3 { #expect(try !element.push(index).isSame, "\(properties)") }
    }
  }

  @Test func historyFillsMeanwhile() throws {
    let element = try Element("depth=16 mix=0")
    for index in 0..<20 { #expect(try element.push(index).isSame) }
    try element.set("mix", to: "1")
    let warm = try element.push(20)
    #expect(!warm.isSame)
    let expected = (5...20 as ClosedRange<UInt8>).reversed() as [UInt8]
    #expect(warm.rows == expected)
  }

  @Test func aFaderMayTouchZeroAtAnyFrame() throws {
    let element = try Element("depth=16")
    for index in 0..<100 {
      let passes = index % 3 == 0 || index % 7 == 0
      try element.set("mix", to: passes ? "0" : "1")
      let output = try element.push(index)
      #expect(output.isSame == passes)
      #expect(
        output.rows
          == (passes
            ? [UInt8](repeating: UInt8(index), count: 16)
            : (0..<16).map { UInt8(max(0, index - $0)) }))
    }
  }

  @Test func rowsWithGapsGoOnlyToWhoKnowsOfThem() throws {
    for takesMeta in [false, true] {
      let element = try Element("mix=0", takesMeta: takesMeta)
      for index in 0..<5 {
        let output = try element.push(index, stride: 20)
        #expect(output.isSame == takesMeta)
        #expect(output.rows == [UInt8](repeating: UInt8(index), count: 16))
      }
    }
  }

  @Test func aConvertedFrameIsDrawn() throws {
    let pipeline = try TestPipeline(
      "videotestsrc num-buffers=20 ! video/x-raw,format=YUY2,width=64,height=48 ! "
        + "slitscan name=scan mix=0 ! video/x-raw,format=BGRx ! fakesink")
    #expect(try pipeline.playToEnd().last?.kind == .eos)
    #expect(pipeline.sent.count == 20)
    #expect(pipeline.sent.allSatisfy { $0.size == 64 * 48 * 4 })
    #expect(try pipeline.statistic("passed") == 0)
  }
}
