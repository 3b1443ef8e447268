// An event travels between elements beside the buffers: end of stream, segment, seek and others.

import CGStreamer

/// An event, to be sent or seen.
public struct Event: Sendable {
  let object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// The kind of an event: `GstEventType`.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The number as C has it.
    public let rawValue: UInt32

    /// A kind by its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The end of the stream.
    public static let eos = Kind(rawValue: GST_EVENT_EOS.rawValue)
    /// The chapters of the file, see ``Event/chapters``.
    public static let toc = Kind(rawValue: GST_EVENT_TOC.rawValue)
    /// Nothing comes for a while.
    public static let gap = Kind(rawValue: GST_EVENT_GAP.rawValue)
    /// A new stream.
    public static let streamStart = Kind(rawValue: GST_EVENT_STREAM_START.rawValue)
    /// The caps of the buffers that follow.
    public static let caps = Kind(rawValue: GST_EVENT_CAPS.rawValue)
    /// The segment by which the timestamps that follow are interpreted.
    public static let segment = Kind(rawValue: GST_EVENT_SEGMENT.rawValue)
    /// The tags of the stream, see ``Event/tags``.
    public static let tag = Kind(rawValue: GST_EVENT_TAG.rawValue)
    /// Throw away what is under way.
    public static let flushStart = Kind(rawValue: GST_EVENT_FLUSH_START.rawValue)
    /// A pointer moved or a key was pressed over the video; goes from its sink towards its source.
    public static let navigation = Kind(rawValue: GST_EVENT_NAVIGATION.rawValue)
    /// Take data again.
    public static let flushStop = Kind(rawValue: GST_EVENT_FLUSH_STOP.rawValue)
  }

  /// The kind.
  public var kind: Kind {
    unsafe withGstEvent { Kind(rawValue: unsafe $0.pointee.type.rawValue) }
  }

  /// Name and fields, nil if it has none.
  public var structure: Structure? {
    unsafe withGstEvent { event in
      unsafe gst_event_get_structure(event).map { unsafe Structure(copying: $0) }
    }
  }

  /// The end of the stream: what comes before it is finished, as a file.
  public static func eos() throws(GStreamerError) -> Event {
    unsafe try make { unsafe gst_event_new_eos() }
  }

  /// Throw away what is under way.
  public static func flushStart() throws(GStreamerError) -> Event {
    unsafe try make { unsafe gst_event_new_flush_start() }
  }

  /// Take data again.
  ///
  /// - Parameter resetsTime: Whether running time starts again from 0.
  public static func flushStop(resetsTime: Bool) throws(GStreamerError) -> Event {
    unsafe try make { unsafe gst_event_new_flush_stop(resetsTime ? 1 : 0) }
  }

  /// A segment of time that begins at a time of the stream; what comes before that is not to be shown.
  package static func segment(from start: ClockTime) throws(GStreamerError) -> Event {
    unsafe try make {
      var segment = GstSegment()
      unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
      segment.start = guint64(start.nanoseconds)
      segment.time = segment.start
      return unsafe gst_event_new_segment(&segment)
    }
  }

  /// Asks the encoder upstream for a key frame as soon as it can.
  ///
  /// - Parameter allHeaders: Whether it is to repeat the stream's headers, too.
  public static func keyFrameRequest(allHeaders: Bool = true) throws(GStreamerError) -> Event {
    unsafe try make {
      unsafe gst_video_event_new_upstream_force_key_unit(.max, allHeaders ? 1 : 0, 0)
    }
  }

  /// An event of an application's own, that goes downstream in order with the buffers.
  ///
  /// - Throws: ``GStreamerError/Code/invalidDescription`` where a name or value is none that
  ///   GStreamer can have.
  public static func custom(_ structure: Structure) throws(GStreamerError) -> Event {
    try Runtime.start()
    guard let foreign = unsafe structure.makeGstStructure() else {
      throw GStreamerError(.invalidDescription, "This is not a valid event: \(structure)")
    }
    return unsafe try make { unsafe gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, foreign) }
  }

  static func make(
    _ make: () -> UnsafeMutablePointer<GstEvent>?
  ) throws(GStreamerError) -> Event {
    try Runtime.start()
    guard let event = unsafe make() else {
      throw GStreamerError(.outOfMemory, "There is not enough memory for an event.")
    }
    return unsafe Event(MiniObject(taking: event))
  }

  func withGstEvent<Result>(_ body: (UnsafeMutablePointer<GstEvent>) -> Result) -> Result {
    unsafe object.withPointer { unsafe body($0.assumingMemoryBound(to: GstEvent.self)) }
  }
}

extension Event {
  /// An action of a pointer.
  public enum PointerAction: Sendable, Hashable {
    /// It moves.
    case moves
    /// A button is pressed: 1 on the left, 2 in the middle, 3 on the right.
    case presses(button: Int32)
    /// A button is released.
    case releases(button: Int32)
  }

  /// A pointer did something over the video; goes towards its source.
  ///
  /// - Parameters:
  ///   - action: What it did.
  ///   - x: Where, in pixels from the left edge of the frame.
  ///   - y: Where, in pixels from the upper edge.
  public static func pointer(
    _ action: PointerAction, x: Double, y: Double
  ) throws(GStreamerError) -> Event {
    unsafe try make {
      switch action {
      case .moves:
        unsafe gst_navigation_event_new_mouse_move(x, y, GST_NAVIGATION_MODIFIER_NONE)
      case .presses(let button):
        unsafe gst_navigation_event_new_mouse_button_press(
          button, x, y, GST_NAVIGATION_MODIFIER_NONE)
      case .releases(let button):
        unsafe gst_navigation_event_new_mouse_button_release(
          button, x, y, GST_NAVIGATION_MODIFIER_NONE)
      }
    }
  }

  /// A key was pressed over the video; goes towards its source.
  ///
  /// - Parameter name: As X names it: `space`, `Left` or `a`.
  public static func keyPress(_ name: String) throws(GStreamerError) -> Event {
    unsafe try make {
      unsafe gst_navigation_event_new_key_press(name, GST_NAVIGATION_MODIFIER_NONE)
    }
  }
}
