// Tests of the mouse pointer over the output, by navigation events.

import CGStreamer
import Testing

@testable import GStreamer

@Suite struct PointerTests {
  private func playing(_ properties: String) throws -> TestPipeline {
    let pipeline = try TestPipeline(
      "videotestsrc ! video/x-raw,format=GRAY8,width=200,height=100 ! "
        + "slitscan name=scan \(properties) ! fakesink name=window")
    try pipeline.go(to: GST_STATE_PAUSED)
    return pipeline
  }

  /// Sends an event from where a window would.
  private func send(_ event: UnsafeMutablePointer<GstEvent>?, in pipeline: TestPipeline) throws {
    _ = try unsafe pipeline.element("window").pad("sink").withGstPad {
      unsafe gst_pad_push_event($0, event)
    }
  }

  private func moveMouse(to x: Double, _ y: Double, in pipeline: TestPipeline) throws {
    try unsafe send(
      gst_navigation_event_new_mouse_move(x, y, GST_NAVIGATION_MODIFIER_NONE), in: pipeline)
  }

  private func number(_ name: String, of pipeline: TestPipeline) throws -> Double {
    try #require(Double(try pipeline.property(name)))
  }

  @Test func nothingMovesUnasked() throws {
    let pipeline = try playing("map=radial")
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(try number("center-x", of: pipeline) == 0.5)
    #expect(try number("center-y", of: pipeline) == 0.5)
  }

  @Test func theCentreFollowsMouseAndFinger() throws {
    let pipeline = try playing("map=radial pointer=true")
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(try number("center-x", of: pipeline) == 0.25)
    #expect(try number("center-y", of: pipeline) == 0.25)
    try unsafe send(
      gst_navigation_event_new_mouse_button_press(1, 150, 50, GST_NAVIGATION_MODIFIER_NONE),
      in: pipeline)
    #expect(try number("center-x", of: pipeline) == 0.75)
    #expect(try number("center-y", of: pipeline) == 0.5)
    try unsafe send(
      gst_navigation_event_new_touch_motion(7, 20, 90, 0.5, GST_NAVIGATION_MODIFIER_NONE),
      in: pipeline)
    #expect(try number("center-x", of: pipeline) == 0.1)
    #expect(try number("center-y", of: pipeline) == 0.9)
    try unsafe send(
      gst_navigation_event_new_key_press("a", GST_NAVIGATION_MODIFIER_NONE), in: pipeline)
    #expect(try number("center-x", of: pipeline) == 0.1)
  }

  @Test func thePointerStopsAtTheEndOfARange() throws {
    let pipeline = try playing("map=radial pointer=true")
    try moveMouse(to: 5000, -5000, in: pipeline)
    #expect(try number("center-x", of: pipeline) == 2)
    #expect(try number("center-y", of: pipeline) == -1)
  }

  @Test(arguments: [
    ("angle=90 canvas-length=500", 0.1), ("angle=-46 canvas-length=500", 0.1), ("angle=90", 0.25),
    ("angle=0", 0.25), ("angle=44 canvas-length=50", 0.5), ("map=radial angle=90", 0.25),
  ])
  func theSlitFollowsAlongTheCanvas(properties: String, position: Double) throws {
    let pipeline = try playing("mode=strip pointer=true \(properties)")
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(try number("position", of: pipeline) == position)
    #expect(try number("center-x", of: pipeline) == 0.5)
  }

  @Test func aWatchOfThePropertyIsNotified() throws {
    let pipeline = try playing("map=radial pointer=true")
    _ = unsafe pipeline.scan.withGstElement {
      unsafe gst_element_add_property_notify_watch($0, "center-x", 1)
    }
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(try pipeline.nextMessage(.propertyNotify).structure?.get("property-value") == 0.25)
  }

  @Test func theEventGoesOnUpstream() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! video/x-raw,format=GRAY8,width=200,height=100 ! identity name=before ! "
        + "slitscan name=scan pointer=true ! fakesink name=window")
    try pipeline.go(to: GST_STATE_PAUSED)
    let events = PadRecord<Event.Kind>()
    try pipeline.element("before").pad("src").addProbe(.eventUpstream) { item in
      if case .event(let event) = item { events.append(event.kind) }
      return .pass
    }
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(events.passed.filter { $0 == .navigation }.count == 1)
  }
}
