// The mouse pointer over the output, as a window tells of it.

import CGStreamer
import StreamingThread
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PointerTests {
  private func playing(_ properties: String) throws -> TestPipeline {
    let pipeline = try TestPipeline(
      "videotestsrc ! video/x-raw,format=GRAY8,width=200,height=100 ! "
        + "slitscan name=scan \(properties) ! fakesink name=window")
    try pipeline.go(to: GST_STATE_PAUSED)
    return pipeline
  }

  /// Sends an event from where a window would.
  private func send(
    _ event: UnsafeMutablePointer<GstEvent>?, in pipeline: TestPipeline
  ) throws {
    let window = try unsafe pipeline.element("window")
    defer { unsafe gst_object_unref(window) }
    let pad = try unsafe #require(gst_element_get_static_pad(window, "sink"))
    defer { unsafe gst_object_unref(pad) }
    unsafe gst_pad_push_event(pad, event)
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

  @Test func whoWatchesThePropertyIsTold() throws {
    let pipeline = try playing("map=radial pointer=true")
    let scan = try unsafe pipeline.element("scan")
    defer { unsafe gst_object_unref(scan) }
    unsafe gst_element_add_property_notify_watch(scan, "center-x", 1)
    try moveMouse(to: 50, 25, in: pipeline)
    while let message = pipeline.nextMessage(within: 5) {
      guard message.type == GST_MESSAGE_PROPERTY_NOTIFY else { continue }
      #expect(message.details.contains("property-value=(double)0.25"), "\(message.details)")
      return
    }
    Issue.record("no notification came")
  }

  @Test func theEventGoesOnUpstream() throws {
    let pipeline = try TestPipeline(
      "videotestsrc ! video/x-raw,format=GRAY8,width=200,height=100 ! identity name=before ! "
        + "slitscan name=scan pointer=true ! fakesink name=window")
    try pipeline.go(to: GST_STATE_PAUSED)
    let before = try unsafe pipeline.element("before")
    defer { unsafe gst_object_unref(before) }
    let pad = try unsafe #require(gst_element_get_static_pad(before, "src"))
    defer { unsafe gst_object_unref(pad) }
    let events = EventCounter(of: GST_EVENT_NAVIGATION)
    _ = unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, countEvent, Unmanaged.passRetained(events).toOpaque(),
      { if let data = unsafe $0 { unsafe Unmanaged<EventCounter>.fromOpaque(data).release() } })
    try moveMouse(to: 50, 25, in: pipeline)
    #expect(events.count.withLock { $0 } == 1)
  }
}

/// Counts the events of one type that pass a pad.
private final class EventCounter: Sendable {
  let type: GstEventType
  let count = Lock(0)

  init(of type: GstEventType) { self.type = type }
}

private func countEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe data, let info = unsafe info,
    let event = unsafe gst_pad_probe_info_get_event(info)
  else { return GST_PAD_PROBE_OK }
  let counter = unsafe Unmanaged<EventCounter>.fromOpaque(data).takeUnretainedValue()
  if unsafe event.pointee.type == counter.type { counter.count.withLock { $0 += 1 } }
  return GST_PAD_PROBE_OK
}
