// Tests of properties driven by GstController, with a new value every frame.

import CGStreamer
import CGStreamerCheck
import CGStreamerController
import Testing

@Suite struct ControllerTests {
  @Test func anInterpolationMovesAPropertyEveryFrame() throws {
    // f is 1 − position at frame 0 and moves to the other end over 15 frames. A strip takes the row
    // that the slit is at.
    let harness = try Harness("mode=strip canvas-length=1 map=linear")
    harness.start()
    let source = try unsafe #require(gst_interpolation_control_source_new())
    let timed = unsafe UnsafeMutableRawPointer(source)
      .assumingMemoryBound(to: GstTimedValueControlSource.self)
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "mode", "linear")
    #expect(unsafe gst_timed_value_control_source_set(timed, 0, 0) != 0)
    #expect(unsafe gst_timed_value_control_source_set(timed, 15 * 40_000_000, 1) != 0)
    unsafe harness.bind("position", to: source)
    for index in 0...10 {
      try harness.push(index)
      #expect(abs(harness.property("position") - Double(index) / 15) < 1e-9)
    }
    // Nothing moves on with the end of the stream, unless that is drained.
    unsafe harness.push(event: gst_event_new_eos())
    #expect(abs(harness.property("position") - 10.0 / 15) < 1e-9)
  }

  @Test func anOscillatorSwingsTheMapWithoutATornFrame() throws {
    // offset swings the whole frame's delay; with gain 0 every row shows the same frame.
    let harness = try Harness("depth=9 gain=0")
    harness.start()
    let source = try unsafe #require(gst_lfo_control_source_new())
    let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self)
    // offset reaches from −10 to 10: half is 0, and this much more is 1.
    for (name, value) in [
      ("waveform", "triangle"), ("frequency", "1"), ("amplitude", "0.05"), ("offset", "0.5"),
    ] { unsafe gst_util_set_object_arg(object, name, value) }
    unsafe harness.bind("offset", to: source)
    var delays: Set<Int> = []
    for index in 0..<100 {
      try harness.push(index)
      let rows = try #require(harness.pullRows())
      #expect(Set(rows).count == 1, "frame \(index) is torn")
      let level = (min(max(harness.property("offset"), 0), 1) * 8 + 0.5).rounded(.down)
      let delay = min(Int(level), index)
      #expect(Int(rows[0]) == index - delay)
      delays.insert(delay)
    }
    #expect(delays.count == 9)
  }
}

extension Harness {
  /// Lets a control source, which this takes over, drive a property over its range.
  fileprivate func bind(_ property: String, to source: UnsafeMutablePointer<GstControlSource>) {
    let object = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
    let binding = unsafe gst_direct_control_binding_new(object, property, source)
    #expect(unsafe gst_object_add_control_binding(object, binding) != 0)
    unsafe gst_object_unref(source)
  }

  fileprivate func property(_ name: String) -> Double {
    var value = GValue()
    unsafe g_object_get_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, &value)
    defer { unsafe g_value_unset(&value) }
    return unsafe g_value_get_double(&value)
  }
}
