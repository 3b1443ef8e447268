// The map feeder pushes frames to the request pad `map` on a thread of its own.

import CGStreamer
import Foundation
import Reference
import SeededGenerator
import Synchronization

/// A buffer for the pad `map`.
struct MapBuffer: Sendable {
  var caps: VideoCaps
  /// Running time and duration, nanoseconds.
  var time: UInt64
  var duration: UInt64
  /// Where the frame's noise comes from, and how it lies in memory.
  var noise: UInt64
  var arrangement = Arrangement.default
  /// Shown instead of the noise.
  var frame: Frame?

  func frameAndFormat() throws -> (frame: Frame, format: FormatDescription) {
    let format = try unsafe FormatDescription(videoInfo(of: caps))
    let noise = Frame.noise(width: caps.width, height: caps.height, format: format, seed: noise)
    return (frame ?? noise, format)
  }
}

/// A pad linked to the request pad `map` of an element, and what comes through it.
///
/// The element may hold up what comes too early, so a thread pushes. What the element does may not
/// depend on when.
@safe final class MapFeeder {
  private let element: UnsafeMutablePointer<GstElement>
  /// The element to stop.
  private let whole: UnsafeMutablePointer<GstElement>
  private let source: UnsafeMutablePointer<GstPad>
  private let sink: UnsafeMutablePointer<GstPad>
  private let thread: FeedingThread

  /// Starts to feed an element, which must not be in state NULL; after the last buffer, EOS.
  init(
    _ element: UnsafeMutablePointer<GstElement>, in whole: UnsafeMutablePointer<GstElement>,
    _ buffers: [MapBuffer]
  ) throws {
    guard let sink = unsafe gst_element_request_pad_simple(element, "map") else {
      throw HarnessError(description: "the element gives no pad \"map\"")
    }
    unsafe self.element = element
    unsafe self.whole = whole
    unsafe self.sink = sink
    unsafe source = gst_object_ref_sink(gst_pad_new("map-source", GST_PAD_SRC))
      .assumingMemoryBound(to: GstPad.self)
    unsafe gst_pad_set_active(source, 1)
    unsafe gst_pad_link(source, sink)
    thread = unsafe FeedingThread(pad: source)
    thread.start(buffers)
    // A video that has begun does not wait for a branch that has not. The first buffer is always
    // taken; only what follows may be held up.
    thread.begin.wait()
  }

  /// The error so far, or nil.
  var failure: String? { thread.failure.withLock { $0 } }

  /// Brings the element to state NULL, where it holds nothing up, and releases its pad.
  deinit {
    unsafe gst_element_set_state(whole, GST_STATE_NULL)
    thread.end.wait()
    unsafe gst_pad_unlink(source, sink)
    unsafe gst_pad_set_active(source, 0)
    unsafe gst_object_unref(source)
    unsafe gst_element_release_request_pad(element, sink)
    unsafe gst_object_unref(sink)
  }
}

/// The thread that pushes.
@safe private final class FeedingThread: Sendable {
  // Pads may be used on any thread; the feeder keeps this one until the thread has ended.
  private nonisolated(unsafe) let pad: UnsafeMutablePointer<GstPad>
  let failure = Mutex<String?>(nil)
  /// Signalled when the first buffer is through, and when all are.
  let begin = DispatchSemaphore(value: 0)
  let end = DispatchSemaphore(value: 0)

  init(pad: UnsafeMutablePointer<GstPad>) { unsafe self.pad = pad }

  func start(_ buffers: [MapBuffer]) {
    Thread.detachNewThread { [self] in
      do {
        try push(buffers)
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
      begin.signal()
      end.signal()
    }
  }

  private func push(_ buffers: [MapBuffer]) throws {
    unsafe gst_pad_push_event(pad, gst_event_new_stream_start("map"))
    var caps: VideoCaps?
    for buffer in buffers {
      if caps != buffer.caps {
        let parsed = unsafe gst_caps_from_string(buffer.caps.description)
        defer { unsafe gst_caps_unref(parsed) }
        guard unsafe gst_pad_push_event(pad, gst_event_new_caps(parsed)) != 0 else {
          throw HarnessError(description: "the pad map refuses \(buffer.caps.description)")
        }
        if caps == nil {
          var segment = GstSegment()
          unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
          unsafe gst_pad_push_event(pad, gst_event_new_segment(&segment))
        }
        caps = buffer.caps
      }
      var random = SeededGenerator(seed: buffer.noise)
      let (frame, format) = try buffer.frameAndFormat()
      let video = try unsafe videoBuffer(
        of: frame, info: videoInfo(of: buffer.caps), format: format,
        arrangement: buffer.arrangement, random: &random)
      unsafe video.pointee.pts = UInt(buffer.time)
      unsafe video.pointee.duration = UInt(buffer.duration)
      let flow = unsafe gst_pad_push(pad, video)
      // When the element stops before the scenario's end, the rest is refused.
      if flow == GST_FLOW_FLUSHING { return }
      guard flow == GST_FLOW_OK else {
        throw HarnessError(description: "the pad map answers \(flow) to a frame")
      }
      begin.signal()
    }
    unsafe gst_pad_push_event(pad, gst_event_new_eos())
  }
}

/// Makes a pad say that what comes through it does not come live: that may wait for a map.
func answerNotLive(on pad: UnsafeMutablePointer<GstPad>) {
  unsafe gst_pad_add_probe(
    pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
    { _, info, _ in
      guard let query = unsafe gst_pad_probe_info_get_query(info),
        unsafe query.pointee.type == GST_QUERY_LATENCY
      else { return GST_PAD_PROBE_OK }
      unsafe gst_query_set_latency(query, 0, 0, GstClockTime.max)
      return GST_PAD_PROBE_HANDLED
    }, nil, nil)
}
