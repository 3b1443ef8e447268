// Branches to the pad `map` that come and go: one that a test pushes through step by step, and one that plays.

import CGStreamer

@testable import GStreamer

/// A source pad of the test's own, linked to the pad `map` of the slitscan of a pipeline.
///
/// Pushing waits while the pad holds the branch up. Times are in nanoseconds.
final class PushedBranch {
  private let source: Pad
  private let scan: Element
  private let sink: Pad

  init(to pipeline: TestPipeline) throws {
    guard let source = unsafe gst_pad_new("src", GST_PAD_SRC) else {
      throw PipelineError(description: "no pad")
    }
    unsafe gst_pad_set_active(source, 1)
    self.source = unsafe Pad(ObjectReference(taking: source))
    scan = pipeline.scan
    sink = try scan.requestPad("map")
    try self.source.link(to: sink)
  }

  deinit {
    _ = unsafe source.withGstPad { unsafe gst_pad_set_active($0, 0) }
    source.unlink(from: sink)
    scan.release(sink)
  }

  // MARK: Events

  private func push(event: UnsafeMutablePointer<GstEvent>?) {
    _ = unsafe source.withGstPad { unsafe gst_pad_push_event($0, event) }
  }

  /// Starts a stream, or another one, of these caps.
  func start(_ caps: String) {
    unsafe push(event: gst_event_new_stream_start("map"))
    setCaps(caps)
    beginSegment()
  }

  func setCaps(_ text: String) {
    guard let caps = unsafe gst_caps_from_string(text) else { return }
    unsafe push(event: gst_event_new_caps(caps))
    unsafe gst_caps_unref(caps)
  }

  /// Begins a segment that lasts from `start` to `stop` and whose running time starts at `base`.
  func beginSegment(from start: UInt = 0, to stop: UInt = .max, base: UInt = 0, rate: Double = 1) {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.start = guint64(start)
    segment.stop = guint64(stop)
    segment.base = guint64(base)
    segment.rate = rate
    unsafe push(event: gst_event_new_segment(&segment))
  }

  /// Says that nothing comes for a while.
  func pushGap(at pts: UInt, lasting duration: UInt) {
    unsafe push(event: gst_event_new_gap(pts, duration))
  }

  /// Flushes what has been pushed, as a seek would.
  func flush() {
    unsafe push(event: gst_event_new_flush_start())
    unsafe push(event: gst_event_new_flush_stop(1))
  }

  /// Ends the stream.
  func end() { unsafe push(event: gst_event_new_eos()) }

  // MARK: Data and queries

  /// Pushes a buffer of 16 bytes, all of one value.
  @discardableResult
  func push(_ value: UInt8, at pts: UInt = .max, lasting duration: UInt = .max) throws
    -> GstFlowReturn
  {
    guard let buffer = unsafe gst_buffer_new_allocate(nil, 16, nil) else {
      throw PipelineError(description: "no buffer")
    }
    unsafe gst_buffer_memset(buffer, 0, value, 16)
    unsafe buffer.pointee.pts = pts
    unsafe buffer.pointee.duration = duration
    return unsafe source.withGstPad { unsafe gst_pad_push($0, buffer) }
  }

  /// The pad's answer to an allocation query.
  func allocation(for text: String) -> (takesVideoMeta: Bool, pools: UInt32) {
    let caps = unsafe gst_caps_from_string(text)
    defer { unsafe gst_caps_unref(caps) }
    let query = unsafe gst_query_new_allocation(caps, 1)
    defer { unsafe gst_query_unref(query) }
    guard unsafe source.withGstPad({ unsafe gst_pad_peer_query($0, query) }) != 0 else {
      return (false, 0)
    }
    return unsafe (
      gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0,
      gst_query_get_n_allocation_pools(query)
    )
  }

  /// Whether the pad takes buffers of these caps.
  func accepts(_ text: String) -> Bool {
    let caps = unsafe gst_caps_from_string(text)
    defer { unsafe gst_caps_unref(caps) }
    return unsafe source.withGstPad { unsafe gst_pad_peer_query_accept_caps($0, caps) } != 0
  }
}

/// A `videotestsrc` called `branch` that plays into the pad `map` of the slitscan of a pipeline.
final class PlayingBranch {
  private let pipeline: TestPipeline
  private let source: Element
  private let output: Pad
  private let sink: Pad
  private let record = PadRecord<PassedBuffer>()

  /// Waits until it has sent as much as the pad holds, and more.
  func waitForFullQueue() { record.wait { $0.count >= 6 } }

  /// A branch of maps of 4×4 pixels, 25 a second, all bytes of one value.
  init(to pipeline: TestPipeline, value: UInt8) throws {
    self.pipeline = pipeline
    source = try Element(
      binOf: "videotestsrc name=branch ! capsfilter caps=\"\(Numbered.mapCaps)\"")
    output = try source.pad("src")
    sink = try pipeline.scan.requestPad("map")
    paint(output) { [UInt8](repeating: value, count: $1) }
    output.addProbe(.buffer) { [record] item in
      if case .buffer(let buffer) = item { record.append(PassedBuffer(buffer)) }
      return .pass
    }
    try pipeline.add(source)
    try output.link(to: sink)
    try source.syncStateWithParent()
  }

  /// Takes the branch away: first the pad, or first the link and the source.
  func leave(padFirst: Bool) {
    if padFirst { pipeline.scan.release(sink) } else { output.unlink(from: sink) }
    _ = unsafe source.withGstElement { unsafe gst_element_set_state($0, GST_STATE_NULL) }
    pipeline.remove(source)
    if !padFirst { pipeline.scan.release(sink) }
  }
}
