// A pad is the input or output by which elements are linked.

import CGStreamer

/// A pad of an element.
///
/// A reference: copies are the same pad, and equal.
public struct Pad: Sendable, Hashable, CustomStringConvertible {
  let object: ObjectReference

  init(_ object: ObjectReference) { self.object = object }

  /// Which way data goes through a pad.
  public enum Direction: Sendable {
    /// Out of the element.
    case source
    /// Into the element.
    case sink
  }

  /// Its name in the element.
  public var name: String { object.name }

  /// Which way data goes.
  public var direction: Direction {
    unsafe withGstPad { unsafe gst_pad_get_direction($0) == GST_PAD_SRC ? .source : .sink }
  }

  /// The negotiated caps, nil before negotiation.
  public var caps: Caps? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_current_caps(pad).map { unsafe Caps(MiniObject(taking: $0)) }
    }
  }

  /// The caps that the pad and its neighbours allow.
  public var possibleCaps: Caps? {
    unsafe withGstPad { pad in
      unsafe gst_pad_query_caps(pad, nil).map { unsafe Caps(MiniObject(taking: $0)) }
    }
  }

  /// The pad it is linked to.
  public var peer: Pad? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_peer(pad).map { unsafe Pad(ObjectReference(taking: $0)) }
    }
  }

  /// The pad that it stands for, of an element inside of its bin; nil where it stands for none.
  package var target: Pad? {
    guard object.isA(gst_ghost_pad_get_type()) else { return nil }
    return unsafe object.with(GstGhostPad.self) { pad in
      unsafe gst_ghost_pad_get_target(pad).map { unsafe Pad(ObjectReference(taking: $0)) }
    }
  }

  /// Whether it is linked.
  public var isLinked: Bool { unsafe withGstPad { unsafe gst_pad_is_linked($0) != 0 } }

  /// The element it belongs to, nil once that has released it.
  public var element: Element? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_parent_element(pad).map { unsafe Element(ObjectReference(taking: $0)) }
    }
  }

  /// Sets a property, as those of the pads of `compositor`.
  ///
  /// - Throws: As ``Element/set(_:to:)``.
  public func set(_ property: String, to value: some ValueConvertible) throws(GStreamerError) {
    // Properties are of any object.
    try Element(object).set(property, to: value)
  }

  /// Links this source pad to a sink pad.
  ///
  /// - Throws: ``GStreamerError/Code/link``, with the reason in the message.
  public func link(to sink: Pad) throws(GStreamerError) {
    let result = unsafe withGstPad { source in
      unsafe sink.withGstPad { unsafe gst_pad_link(source, $0) }
    }
    guard result == GST_PAD_LINK_OK else {
      let reason = unsafe borrowedString(gst_pad_link_get_name(result)) ?? "?"
      throw GStreamerError(.link, "\(self) cannot be linked to \(sink): \(reason).")
    }
  }

  /// Parts this source pad from a sink pad; nothing happens if they are not linked.
  public func unlink(from sink: Pad) {
    unsafe withGstPad { source in
      unsafe sink.withGstPad { _ = unsafe gst_pad_unlink(source, $0) }
    }
  }

  /// The selection of its stream by the container: `GST_STREAM_FLAG_SELECT` and `GST_STREAM_FLAG_UNSELECT`.
  package var selection: StreamSelection {
    var flags = GST_STREAM_FLAG_NONE
    unsafe sticky(GST_EVENT_STREAM_START)?.withGstEvent { event in
      unsafe gst_event_parse_stream_flags(event, &flags)
    }
    if flags.rawValue & GST_STREAM_FLAG_SELECT.rawValue != 0 { return .selected }
    return flags.rawValue & GST_STREAM_FLAG_UNSELECT.rawValue != 0 ? .deselected : .undecided
  }

  /// The identifier of its stream, which is the same whenever its file is read; nil where none has passed.
  public var streamID: String? {
    unsafe withGstPad { unsafe ownedString(gst_pad_get_stream_id($0)) }
  }

  /// The event of a type that passed last.
  ///
  /// - Parameter index: Which, of a type with several.
  func sticky(_ type: GstEventType, _ index: guint = 0) -> Event? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_sticky_event(pad, type, index).map { unsafe Event(MiniObject(taking: $0)) }
    }
  }

  /// Whether what comes out of this source pad comes as time goes by, as from a camera; nil where
  /// that is not known yet.
  public var isLive: Bool? {
    unsafe withGstPad { pad in
      unsafe queryLatency { query in unsafe gst_pad_query(pad, query) }?.isLive
    }
  }

  /// The shift of the running time of buffers that pass, see ``shift(by:)``.
  public var offset: ClockTime {
    unsafe withGstPad { pad in
      ClockTime(nanoseconds: UInt64(clamping: unsafe gst_pad_get_offset(pad)))
    }
  }

  /// Moves the running time of everything that passes from now on.
  public func shift(by offset: ClockTime) {
    unsafe withGstPad { unsafe gst_pad_set_offset($0, gint64(clamping: offset.nanoseconds)) }
  }

  /// The event of the segment that buffers belong to, nil before the first.
  package var segment: Event? { sticky(GST_EVENT_SEGMENT) }

  /// Whether the end of the stream has passed.
  package var hasEnded: Bool { sticky(GST_EVENT_EOS) != nil }

  /// Gives this sink pad an event, as its peer would.
  package func receive(_ event: Event) {
    unsafe withGstPad { pad in
      unsafe event.withGstEvent { event in _ = unsafe gst_pad_send_event(pad, gst_event_ref(event))
      }
    }
  }

  /// Gives this sink pad a buffer, as its peer would, and returns once that is done with.
  ///
  /// - Returns: Whether it takes more.
  package func receive(_ buffer: Buffer) -> Bool {
    unsafe withGstPad { pad in
      unsafe buffer.withGstBuffer { unsafe gst_pad_chain(pad, gst_buffer_ref($0)) == GST_FLOW_OK }
    }
  }

  /// The running time of a buffer that passes, nil where it has none.
  public func runningTime(of buffer: Buffer) -> ClockTime? {
    guard let time = buffer.presentationTime else { return nil }
    return unsafe withSegment { segment in
      unsafe gst_segment_to_running_time(segment, GST_FORMAT_TIME, guint64(time.nanoseconds))
    }
  }

  /// The place of a buffer in what is played, by the segment that came before it; nil where it has none.
  ///
  /// Properties that move by themselves go by this time, see ``Motion``.
  public func streamTime(of buffer: Buffer) -> ClockTime? {
    guard let time = buffer.presentationTime else { return nil }
    return unsafe withSegment { segment in
      unsafe gst_segment_to_stream_time(segment, GST_FORMAT_TIME, guint64(time.nanoseconds))
    }
  }

  private func withSegment(_ convert: (UnsafePointer<GstSegment>) -> guint64) -> ClockTime? {
    unsafe sticky(GST_EVENT_SEGMENT)?.withGstEvent { event -> ClockTime? in
      var segment: UnsafePointer<GstSegment>?
      unsafe gst_event_parse_segment(event, &segment)
      guard let segment = unsafe segment, unsafe segment.pointee.format == GST_FORMAT_TIME else {
        return nil
      }
      return unsafe ClockTime(gstClockTime: convert(segment))
    }
  }

  /// The pad's element, and its name.
  public var description: String { object.path }

  func withGstPad<Result>(_ body: (UnsafeMutablePointer<GstPad>) -> Result) -> Result {
    unsafe object.with(GstPad.self, body)
  }
}

/// The selection of a stream by its container; the greatest of a kind is its default.
package enum StreamSelection: Int, Sendable, Comparable {
  case deselected, undecided, selected

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Asks for a latency: whether a source is live, and the least time to its sink; nil where that is not known.
func queryLatency(
  _ ask: (UnsafeMutablePointer<GstQuery>) -> gboolean
) -> (isLive: Bool, minimum: ClockTime)? {
  guard let query = unsafe gst_query_new_latency() else { return nil }
  defer { unsafe unref(query) }
  guard unsafe ask(query) != 0 else { return nil }
  var isLive: gboolean = 0
  var minimum: GstClockTime = 0
  unsafe gst_query_parse_latency(query, &isLive, &minimum, nil)
  return (isLive != 0, ClockTime(gstClockTime: minimum) ?? .zero)
}
