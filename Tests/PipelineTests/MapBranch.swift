// Branches to the pad `map` that come and go: one that a test pushes through by itself, and one that
// plays.

import CGStreamer
import StreamingThread

/// A source pad of the test's own, linked to the pad `map` of the slitscan of a pipeline.
///
/// Pushing waits while the pad holds the branch up. Times are in nanoseconds.
@safe final class PushedBranch {
  private let source: UnsafeMutablePointer<GstPad>
  private let scan: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstPad>

  init(to pipeline: TestPipeline) throws {
    unsafe scan = try pipeline.element("scan")
    guard let sink = unsafe gst_element_request_pad_simple(scan, "map"),
      let source = unsafe gst_pad_new("src", GST_PAD_SRC)
    else { throw PipelineError(description: "no pad") }
    unsafe self.sink = sink
    unsafe self.source = source
    unsafe gst_pad_set_active(source, 1)
    guard unsafe gst_pad_link(source, sink) == GST_PAD_LINK_OK else {
      throw PipelineError(description: "the branch cannot be linked")
    }
  }

  deinit {
    unsafe gst_pad_set_active(source, 0)
    unsafe gst_pad_unlink(source, sink)
    unsafe gst_element_release_request_pad(scan, sink)
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(source)
    unsafe gst_object_unref(scan)
  }

  // MARK: Events

  private func push(event: UnsafeMutablePointer<GstEvent>?) {
    unsafe gst_pad_push_event(source, event)
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
  func beginSegment(
    from start: UInt = 0, to stop: UInt = .max, base: UInt = 0, rate: Double = 1
  ) {
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
  func end() {
    unsafe push(event: gst_event_new_eos())
  }

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
    return unsafe gst_pad_push(source, buffer)
  }

  /// What the pad offers to who allocates its buffers.
  func allocation(for text: String) -> (takesVideoMeta: Bool, pools: UInt32) {
    let caps = unsafe gst_caps_from_string(text)
    defer { unsafe gst_caps_unref(caps) }
    let query = unsafe gst_query_new_allocation(caps, 1)
    defer { unsafe gst_query_unref(query) }
    guard unsafe gst_pad_peer_query(source, query) != 0 else { return (false, 0) }
    return unsafe (
      gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0,
      gst_query_get_n_allocation_pools(query)
    )
  }

  /// Whether the pad takes buffers of these caps.
  func accepts(_ text: String) -> Bool {
    let caps = unsafe gst_caps_from_string(text)
    defer { unsafe gst_caps_unref(caps) }
    return unsafe gst_pad_peer_query_accept_caps(source, caps) != 0
  }
}

/// A `videotestsrc` called `branch` that plays into the pad `map` of the slitscan of a pipeline.
@safe final class PlayingBranch {
  private let pipeline: UnsafeMutablePointer<GstBin>
  private let source: UnsafeMutablePointer<GstElement>
  private let output: UnsafeMutablePointer<GstPad>
  private let scan: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstPad>
  private let count = PassCount()

  /// How many buffers have been sent on their way.
  var sent: Int { count.passed.withLock { $0 } }

  /// A branch of maps of 4×4 pixels, 25 a second, all bytes of one value.
  init(to pipeline: TestPipeline, value: UInt8) throws {
    let line =
      "videotestsrc name=branch ! video/x-raw,format=GRAY8,width=4,height=4,framerate=25/1,"
      + "colorimetry=1:4:5:1"
    unsafe scan = try pipeline.element("scan")
    guard
      let parent = unsafe gst_object_get_parent(
        UnsafeMutableRawPointer(scan).assumingMemoryBound(to: GstObject.self)),
      let bin = unsafe gst_parse_bin_from_description(line, 1, nil),
      let sink = unsafe gst_element_request_pad_simple(scan, "map")
    else { throw PipelineError(description: "no branch") }
    unsafe self.pipeline = UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstBin.self)
    unsafe source = UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self)
    unsafe self.sink = sink
    guard let output = unsafe gst_element_get_static_pad(source, "src") else {
      throw PipelineError(description: "no pad")
    }
    unsafe self.output = output
    unsafe paint(output) { [UInt8](repeating: value, count: $1) }
    unsafe addProbe(countBuffer, to: output, with: count)
    // One reference is the pipeline's, the other that of this.
    unsafe gst_bin_add(
      self.pipeline, gst_object_ref(source).assumingMemoryBound(to: GstElement.self))
    guard unsafe gst_pad_link(output, sink) == GST_PAD_LINK_OK,
      unsafe gst_element_sync_state_with_parent(source) != 0
    else { throw PipelineError(description: "the branch cannot be linked") }
  }

  deinit {
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(scan)
    unsafe gst_object_unref(output)
    unsafe gst_object_unref(source)
    unsafe gst_object_unref(pipeline)
  }

  /// Takes the branch away: first the pad, or first the link and the source.
  func leave(padFirst: Bool) {
    if padFirst {
      unsafe gst_element_release_request_pad(scan, sink)
    } else {
      unsafe gst_pad_unlink(output, sink)
    }
    unsafe gst_element_set_state(source, GST_STATE_NULL)
    unsafe gst_bin_remove(pipeline, source)
    if !padFirst { unsafe gst_element_release_request_pad(scan, sink) }
  }
}

/// How many buffers have passed a pad.
private final class PassCount: Sendable {
  let passed = Lock(0)
}

private func countBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  if let data = unsafe data {
    unsafe Unmanaged<PassCount>.fromOpaque(data).takeUnretainedValue().passed.withLock { $0 += 1 }
  }
  return GST_PAD_PROBE_OK
}
