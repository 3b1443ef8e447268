// Tests of properties driven by GstController, with a new value every frame.

import CGStreamer
import CGStreamerCheck
import CGStreamerController
import ElementUnderTest
import Testing

@Suite struct ControllerTests {
  /// A slitscan in a harness that is fed grey frames of 16×16, its value the frame's number.
  @safe private final class Element {
    private let harness: UnsafeMutablePointer<GstHarness>
    private let element: UnsafeMutablePointer<GstElement>

    init(_ properties: String) throws {
      #expect(ElementUnderTest.isRegistered)
      unsafe harness = try unsafe #require(gst_harness_new_parse("slitscan \(properties)"))
      unsafe element = try unsafe #require(gst_harness_find_element(harness, "slitscan"))
      unsafe gst_harness_set_src_caps_str(
        harness, "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1")
    }

    deinit {
      unsafe gst_object_unref(element)
      unsafe gst_harness_teardown(harness)
    }

    /// Lets a control source, which this takes over, drive a property over its range.
    func bind(_ property: String, to source: UnsafeMutablePointer<GstControlSource>) {
      let object = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
      let binding = unsafe gst_direct_control_binding_new(object, property, source)
      #expect(unsafe gst_object_add_control_binding(object, binding) != 0)
      unsafe gst_object_unref(source)
    }

    /// Pushes frame `index` and gives the first byte of every row of what comes out.
    func push(_ index: Int) throws -> [UInt8] {
      let buffer = try unsafe #require(gst_buffer_new_allocate(nil, 256, nil))
      unsafe gst_buffer_memset(buffer, 0, UInt8(index % 256), 256)
      unsafe buffer.pointee.pts = UInt(index) * 40_000_000
      unsafe buffer.pointee.duration = 40_000_000
      #expect(unsafe gst_harness_push(harness, buffer) == GST_FLOW_OK)
      let output = try unsafe #require(gst_harness_pull(harness))
      defer { unsafe gst_buffer_unref(output) }
      return (0..<16).map { row in
        var byte: UInt8 = 0
        _ = unsafe gst_buffer_extract(output, gsize(16 * row), &byte, 1)
        return byte
      }
    }

    /// Ends the stream.
    func end() {
      #expect(unsafe gst_harness_push_event(harness, gst_event_new_eos()) != 0)
    }

    func property(_ name: String) -> Double {
      var value = GValue()
      unsafe g_object_get_property(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, &value)
      defer { unsafe g_value_unset(&value) }
      return unsafe g_value_get_double(&value)
    }
  }

  @Test func anInterpolationMovesAPropertyEveryFrame() throws {
    // f is 1 − position at frame 0 and moves to the other end over 15 frames. A strip takes the row
    // that the slit is at.
    let element = try Element("mode=strip canvas-length=1 map=linear")
    let source = try unsafe #require(gst_interpolation_control_source_new())
    let timed = unsafe UnsafeMutableRawPointer(source)
      .assumingMemoryBound(to: GstTimedValueControlSource.self)
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "mode", "linear")
    #expect(unsafe gst_timed_value_control_source_set(timed, 0, 0) != 0)
    #expect(unsafe gst_timed_value_control_source_set(timed, 15 * 40_000_000, 1) != 0)
    unsafe element.bind("position", to: source)
    for index in 0...10 {
      _ = try element.push(index)
      #expect(abs(element.property("position") - Double(index) / 15) < 1e-9)
    }
    // Nothing moves on with the end of the stream, unless that is drained.
    element.end()
    #expect(abs(element.property("position") - 10.0 / 15) < 1e-9)
  }

  @Test func anOscillatorSwingsTheMapWithoutATornFrame() throws {
    // offset swings the whole frame's delay; with gain 0 every row shows the same frame.
    let element = try Element("depth=9 gain=0")
    let source = try unsafe #require(gst_lfo_control_source_new())
    let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self)
    // offset reaches from −10 to 10: half is 0, and this much more is 1.
    for (name, value) in [
      ("waveform", "triangle"), ("frequency", "1"), ("amplitude", "0.05"), ("offset", "0.5"),
    ] {
      unsafe gst_util_set_object_arg(object, name, value)
    }
    unsafe element.bind("offset", to: source)
    var delays: Set<Int> = []
    for index in 0..<100 {
      let rows = try element.push(index)
      #expect(Set(rows).count == 1, "frame \(index) is torn")
      let level = (min(max(element.property("offset"), 0), 1) * 8 + 0.5).rounded(.down)
      let delay = min(Int(level), index)
      #expect(Int(rows[0]) == index - delay)
      delays.insert(delay)
    }
    #expect(delays.count == 9)
  }
}
