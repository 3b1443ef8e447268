// Tests of links that must fail: each with GStreamer's own reason, and without harm.

import CGStreamer
import ElementUnderTest
import Testing

@Suite struct LinkTests {
  /// Elements in a pipeline that plays nothing, and their pads; everything is given up at the end.
  @safe private final class Bench {
    let pipeline: UnsafeMutablePointer<GstElement>
    private var pads: [UnsafeMutablePointer<GstPad>] = unsafe []

    /// - Parameter line: A bin's description; elements are found by their names.
    init(_ line: String) throws {
      try #require(ElementUnderTest.isRegistered)
      unsafe pipeline = try unsafe #require(gst_parse_launch("pipeline. ( \(line) )", nil))
    }

    deinit {
      unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
      while let pad = unsafe pads.popLast() { unsafe gst_object_unref(pad) }
      unsafe gst_object_unref(pipeline)
    }

    func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
      let bin = unsafe UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
      let element = try unsafe #require(gst_bin_get_by_name(bin, name))
      // The pipeline keeps it.
      unsafe gst_object_unref(element)
      return unsafe element
    }

    /// A pad that is there all the time.
    func pad(_ name: String, of element: String) throws -> UnsafeMutablePointer<GstPad> {
      let pad = try unsafe #require(gst_element_get_static_pad(try self.element(element), name))
      unsafe pads.append(pad)
      return unsafe pad
    }

    /// The pad `map`, requested.
    func mapPad(of element: String = "scan") throws -> UnsafeMutablePointer<GstPad> {
      let owner = try unsafe self.element(element)
      let pad = try unsafe #require(gst_element_request_pad_simple(owner, "map"))
      unsafe pads.append(pad)
      return unsafe pad
    }

    /// The pad `sink` or `map` of `scan`.
    func input(_ name: String) throws -> UnsafeMutablePointer<GstPad> {
      try unsafe name == "map" ? mapPad() : pad(name, of: "scan")
    }
  }

  @Test func aPadIsLinkedOnlyToTheOtherKind() throws {
    let bench = try Bench("slitscan name=one slitscan name=two")
    let (source, other) = unsafe (try bench.pad("src", of: "one"), try bench.pad("src", of: "two"))
    let (sink, end) = unsafe (try bench.pad("sink", of: "one"), try bench.pad("sink", of: "two"))
    let map = try unsafe bench.mapPad(of: "two")
    #expect(unsafe gst_pad_link(source, other) == GST_PAD_LINK_WRONG_DIRECTION)
    #expect(unsafe gst_pad_link(sink, end) == GST_PAD_LINK_WRONG_DIRECTION)
    #expect(unsafe gst_pad_link(map, end) == GST_PAD_LINK_WRONG_DIRECTION)
    #expect(unsafe gst_pad_link(end, source) == GST_PAD_LINK_WRONG_DIRECTION)
    #expect(unsafe gst_pad_link(source, end) == GST_PAD_LINK_OK)
  }

  @Test func aPadIsLinkedOnlyOnce() throws {
    let bench = try Bench("videotestsrc name=source videotestsrc name=other slitscan name=scan")
    let (source, other) = unsafe (
      try bench.pad("src", of: "source"), try bench.pad("src", of: "other")
    )
    for name in ["sink", "map"] {
      let sink = try unsafe bench.input(name)
      #expect(unsafe gst_pad_link(source, sink) == GST_PAD_LINK_OK)
      #expect(unsafe gst_pad_link(other, sink) == GST_PAD_LINK_WAS_LINKED)
      #expect(unsafe gst_pad_link(source, sink) == GST_PAD_LINK_WAS_LINKED)
      #expect(unsafe gst_pad_unlink(source, sink) != 0)
      #expect(unsafe gst_pad_unlink(source, sink) == 0)
    }
  }

  @Test(arguments: ["audiotestsrc", "fakesrc ! video/x-h264", "fakesrc ! image/jpeg"])
  func onlyRawVideoIsLinked(source: String) throws {
    let bench = try Bench("( name=bin \(source) ! identity name=last ) slitscan name=scan")
    let last = try unsafe bench.pad("src", of: "last")
    let ghost = try unsafe #require(gst_ghost_pad_new("src", last))
    #expect(unsafe gst_element_add_pad(try bench.element("bin"), ghost) != 0)
    for name in ["sink", "map"] {
      let sink = try unsafe bench.input(name)
      #expect(unsafe gst_pad_link(ghost, sink) == GST_PAD_LINK_NOFORMAT)
    }
  }

  @Test func behindItOnlyRawVideoIsLinked() throws {
    let bench = try Bench("slitscan name=scan mulawenc name=audio pngdec name=still")
    let source = try unsafe bench.pad("src", of: "scan")
    for name in ["audio", "still"] {
      #expect(unsafe gst_pad_link(source, try bench.pad("sink", of: name)) == GST_PAD_LINK_NOFORMAT)
    }
  }

  @Test(arguments: [
    ("( videotestsrc name=source ) slitscan name=scan", "source"), ("slitscan name=scan", "scan"),
  ])
  func neitherElementsOfDifferentBinsNorOneWithItselfAreLinked(line: String, other: String) throws {
    let bench = try Bench(line)
    let source = try unsafe bench.pad("src", of: other)
    for name in ["sink", "map"] {
      let sink = try unsafe bench.input(name)
      #expect(unsafe gst_pad_link(source, sink) == GST_PAD_LINK_WRONG_HIERARCHY)
    }
  }

  // MARK: The pad `map`

  @Test func aMapPadThatIsReleasedIsUnlinked() throws {
    let bench = try Bench("videotestsrc name=source slitscan name=scan")
    let scan = try unsafe bench.element("scan")
    let source = try unsafe bench.pad("src", of: "source")
    for state in [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING] {
      #expect(unsafe gst_element_set_state(scan, state) == GST_STATE_CHANGE_SUCCESS)
      let map = try unsafe bench.mapPad()
      #expect(unsafe gst_pad_link(source, map) == GST_PAD_LINK_OK)
      unsafe gst_element_release_request_pad(scan, map)
      #expect(unsafe gst_pad_is_linked(source) == 0)
      #expect(unsafe gst_pad_is_active(map) == 0)
      #expect(unsafe map.pointee.object.parent == nil)
      // The pad can still be linked without a parent.
      #expect(unsafe gst_pad_link(source, map) == GST_PAD_LINK_OK)
      #expect(unsafe gst_pad_unlink(source, map) != 0)
    }
  }

  @Test func aMapPadIsActiveWhereTheElementIs() throws {
    let bench = try Bench("slitscan name=scan")
    let scan = try unsafe bench.element("scan")
    for state in [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING] {
      #expect(unsafe gst_element_set_state(scan, state) == GST_STATE_CHANGE_SUCCESS)
      let map = try unsafe bench.mapPad()
      let isActive = unsafe gst_pad_is_active(map) != 0
      #expect(isActive == (state == GST_STATE_PAUSED || state == GST_STATE_PLAYING))
      unsafe gst_element_release_request_pad(scan, map)
    }
  }

  @Test func aMapPadOutlivesItsElement() throws {
    try #require(ElementUnderTest.isRegistered)
    let scan = try unsafe #require(gst_element_factory_make("slitscan", nil))
    unsafe gst_object_ref_sink(scan)
    let map = try unsafe #require(gst_element_request_pad_simple(scan, "map"))
    #expect(unsafe gst_element_set_state(scan, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS)
    #expect(unsafe gst_element_set_state(scan, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
    unsafe gst_object_unref(scan)
    #expect(unsafe map.pointee.object.parent == nil)
    #expect(unsafe gst_pad_send_event(map, gst_event_new_eos()) == 0)
    unsafe gst_object_unref(map)
  }

  @Test func aPadOfThatNameIsRequestedAndNoOther() throws {
    let bench = try Bench("slitscan name=scan")
    let scan = try unsafe bench.element("scan")
    #expect(unsafe gst_element_request_pad_simple(scan, "sink") == nil)
    #expect(unsafe gst_element_request_pad_simple(scan, "map_0") == nil)
    #expect(unsafe gst_element_request_pad_simple(scan, "map_%u") == nil)
    #expect(unsafe gst_element_request_pad_simple(scan, "") == nil)
  }
}
