// A harness that drives slitscan by its pads, for sequences that no pipeline would make.

import CGStreamer
import CGStreamerCheck
import ElementUnderTest

@testable import GStreamer

/// A slitscan in a harness, fed with frames of 16×16 whose bytes are all the same.
@safe final class Harness {
  static let caps = "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"
  /// Nanoseconds of a frame.
  static let frame: UInt = 40_000_000

  let harness: UnsafeMutablePointer<GstHarness>
  let element: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>

  /// An element without a stream; ``start(_:)`` starts one.
  init(factory: String = "slitscan", _ properties: String = "") throws {
    guard ElementUnderTest.isRegistered,
      let harness = unsafe gst_harness_new_parse("\(factory) \(properties)"),
      let element = unsafe gst_harness_find_element(harness, factory),
      let bus = unsafe gst_bus_new()
    else { throw PipelineError(description: "no \(factory)") }
    unsafe self.harness = harness
    unsafe self.element = element
    unsafe self.bus = bus
    unsafe gst_element_set_bus(element, bus)
    unsafe ElementUnderTest.setLimits(of: element)
  }

  /// The element under test, on the processor or on the GPU, without a stream.
  init(underTest properties: String) throws {
    guard let made = unsafe ElementUnderTest.make(),
      let harness = unsafe gst_harness_new_with_element(made.whole, "sink", "src"),
      let bus = unsafe gst_bus_new()
    else { throw PipelineError(description: "no \(ElementUnderTest.name)") }
    unsafe self.harness = harness
    unsafe element = unsafe made.element
    unsafe self.bus = bus
    unsafe gst_object_ref(element)
    unsafe gst_element_set_bus(element, bus)
    for property in properties.split(separator: " ") {
      let parts = property.split(separator: "=")
      set(String(parts[0]), to: String(parts[1]))
    }
  }

  deinit {
    unsafe gst_element_set_bus(element, nil)
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(element)
    unsafe gst_harness_teardown(harness)
  }

  /// Starts a stream of these caps.
  func start(_ caps: String = Harness.caps) { unsafe gst_harness_set_src_caps_str(harness, caps) }

  /// Begins a stream of these caps, whether or not the element takes it yet: what it refuses comes again
  /// with the next frame.
  func beginStream(_ caps: String = Harness.caps) {
    unsafe push(event: gst_event_new_stream_start("stream"))
    if let caps = unsafe gst_caps_from_string(caps) {
      unsafe push(event: gst_event_new_caps(caps))
      unsafe gst_caps_unref(caps)
    }
    pushSegment()
  }

  // MARK: Frames

  /// Frame `index`, whose bytes are all that number, and whose rows are `stride` bytes apart.
  func frame(
    _ index: Int, at pts: UInt? = nil, stride: Int = 16
  ) throws -> UnsafeMutablePointer<GstBuffer> {
    guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(16 * stride), nil) else {
      throw PipelineError(description: "no buffer")
    }
    unsafe gst_buffer_memset(buffer, 0, UInt8(index), gsize(16 * stride))
    unsafe buffer.pointee.pts = pts ?? UInt(index) * Self.frame
    unsafe buffer.pointee.duration = Self.frame
    if stride != 16 {
      var offsets = [gsize](repeating: 0, count: 4)
      var strides: [gint] = [gint(stride), 0, 0, 0]
      _ = unsafe gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 16, 16, 1, &offsets, &strides)
    }
    return unsafe buffer
  }

  /// Pushes frame `index`.
  @discardableResult
  func push(_ index: Int, at pts: UInt? = nil) throws -> GstFlowReturn {
    unsafe gst_harness_push(harness, try frame(index, at: pts))
  }

  /// The oldest frame that came out and has not been taken; the caller owns it.
  func pull() -> UnsafeMutablePointer<GstBuffer>? { unsafe gst_harness_try_pull(harness) }

  /// The first byte of every row of the oldest frame that came out.
  func pullRows() -> [UInt8]? {
    guard let buffer = unsafe pull() else { return nil }
    defer { unsafe gst_buffer_unref(buffer) }
    return unsafe rows(of: buffer)
  }

  /// The first byte of every row of a frame.
  func rows(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
    let stride = unsafe gst_buffer_get_video_meta(buffer)?.pointee.stride.0 ?? 16
    return (0..<16).map { row in
      var byte: UInt8 = 0
      _ = unsafe gst_buffer_extract(buffer, gsize(row * Int(stride)), &byte, 1)
      return byte
    }
  }

  // MARK: Events

  @discardableResult
  func push(event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    unsafe gst_harness_push_event(harness, event) != 0
  }

  /// Begins a segment in time.
  func pushSegment(
    from start: UInt = 0, to stop: UInt = .max, base: UInt = 0, rate: Double = 1,
    flags: GstSegmentFlags = GST_SEGMENT_FLAG_NONE
  ) {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.start = guint64(start)
    segment.stop = guint64(stop)
    segment.time = guint64(start)
    segment.base = guint64(base)
    segment.rate = rate
    segment.flags = flags
    unsafe push(event: gst_event_new_segment(&segment))
  }

  /// Flushes the element, as a seek does; a new segment is to follow.
  func flush() {
    unsafe push(event: gst_event_new_flush_start())
    unsafe push(event: gst_event_new_flush_stop(1))
  }

  /// Sends an event from downstream.
  func pushUpstream(event: UnsafeMutablePointer<GstEvent>?) {
    unsafe gst_harness_push_upstream_event(harness, event)
  }

  /// The types of the events that came out and have not been taken.
  func pullEvents() -> [GstEventType] {
    var types: [GstEventType] = []
    while let event = unsafe gst_harness_try_pull_event(harness) {
      unsafe types.append(event.pointee.type)
      unsafe gst_event_unref(event)
    }
    return types
  }

  /// The segments that came out and have not been taken, with all other events.
  func pullSegments() -> [GstSegment] {
    var segments: [GstSegment] = []
    while let event = unsafe gst_harness_try_pull_event(harness) {
      defer { unsafe gst_event_unref(event) }
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { continue }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      segments.append(segment)
    }
    return segments
  }

  // MARK: The element

  func set(_ name: String, to value: String) {
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, value)
  }

  /// The messages of a type that the element has posted since this was asked last; those of others are forgotten.
  func pop(_ type: GstMessageType) -> [Message] {
    var messages: [Message] = []
    while let message = unsafe gst_bus_pop_filtered(bus, type) {
      messages.append(unsafe Message(MiniObject(taking: message)))
    }
    return messages
  }

  /// The running times of the `slitscan-complete` posted since this was asked last, in nanoseconds.
  func popCompletions() -> [UInt64] {
    pop(GST_MESSAGE_ELEMENT).filter { $0.text == "slitscan-complete" }
      .map { $0.structure?.get("running-time") ?? .max }
  }

  func popWarnings() -> [String] { pop(GST_MESSAGE_WARNING).map(\.text) }

  func hasPostedError() -> Bool { !pop(GST_MESSAGE_ERROR).isEmpty }

  /// The result of an action signal of the element, such as `snapshot`.
  ///
  /// - Parameter time: The argument of the signal, if it takes one.
  func sample(
    of signal: String, from time: UInt? = nil
  ) throws -> (frame: PassedFrame, caps: String)? {
    let scan = unsafe Element(retaining: element)
    let result = try time.map { try scan.emit(signal, .uint(UInt64($0))) } ?? scan.emit(signal)
    guard case .sample(let sample) = result else { return nil }
    guard let buffer = sample.buffer, let caps = sample.caps else {
      throw PipelineError(description: "a sample without a buffer or caps")
    }
    return (try PassedFrame(buffer), "\(caps)")
  }
}
