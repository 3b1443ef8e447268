// A message carries news from an element to the application.

import CGStreamer

/// A message from the bus.
public struct Message: Sendable, CustomStringConvertible {
  let object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// The kind of a message: `GstMessageType`.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The number as C has it.
    public let rawValue: Int32

    /// A kind by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Every sink has shown the last of its stream.
    public static let eos = Kind(rawValue: GST_MESSAGE_EOS.rawValue)
    /// Something failed; the stream does not go on by itself.
    public static let error = Kind(rawValue: GST_MESSAGE_ERROR.rawValue)
    /// Something went wrong; the stream goes on.
    public static let warning = Kind(rawValue: GST_MESSAGE_WARNING.rawValue)
    /// Something worth knowing.
    public static let info = Kind(rawValue: GST_MESSAGE_INFO.rawValue)
    /// An element or the pipeline is in another state.
    public static let stateChanged = Kind(rawValue: GST_MESSAGE_STATE_CHANGED.rawValue)
    /// An asynchronous operation is complete: a state change, a seek.
    public static let asyncDone = Kind(rawValue: GST_MESSAGE_ASYNC_DONE.rawValue)
    /// A part of the stream has been played, see ``Pipeline/loop(_:)``.
    public static let segmentDone = Kind(rawValue: GST_MESSAGE_SEGMENT_DONE.rawValue)
    /// A sink has stepped.
    static let stepDone = Kind(rawValue: GST_MESSAGE_STEP_DONE.rawValue)
    /// An element delays by another time than before.
    ///
    /// The pipeline sees to it by itself.
    public static let latency = Kind(rawValue: GST_MESSAGE_LATENCY.rawValue)
    /// A queue is filling up, see ``Message/bufferingPercent``.
    ///
    /// The pipeline sees to it by itself, see ``Pipeline/isBuffering``.
    public static let buffering = Kind(rawValue: GST_MESSAGE_BUFFERING.rawValue)
    /// The clock is gone.
    ///
    /// The pipeline sees to it by itself.
    public static let clockLost = Kind(rawValue: GST_MESSAGE_CLOCK_LOST.rawValue)
    /// Tags were found, see ``Message/tags``.
    public static let tag = Kind(rawValue: GST_MESSAGE_TAG.rawValue)
    /// Something was dropped, or made worse, to keep up.
    public static let qos = Kind(rawValue: GST_MESSAGE_QOS.rawValue)
    /// Something of one element's own, see ``Message/structure``.
    public static let element = Kind(rawValue: GST_MESSAGE_ELEMENT.rawValue)
  }

  /// The kind.
  public var kind: Kind {
    unsafe withGstMessage { Kind(rawValue: unsafe $0.pointee.type.rawValue) }
  }

  /// The element that posted it, nil if it was none.
  public var source: Element? {
    unsafe withGstMessage { message in
      guard let source = unsafe message.pointee.src,
        unsafe cgst_is_a(source, gst_element_get_type()) != 0
      else { return nil }
      return unsafe Element(ObjectReference(sharing: source))
    }
  }

  /// The error of an error, warning or info message.
  public var error: GStreamerError? {
    unsafe withGstMessage { message in
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<gchar>?
      switch kind {
      case .error: unsafe gst_message_parse_error(message, &error, &debug)
      case .warning: unsafe gst_message_parse_warning(message, &error, &debug)
      case .info: unsafe gst_message_parse_info(message, &error, &debug)
      default: return nil
      }
      let name =
        unsafe message.pointee.src.map { unsafe ownedString(gst_object_get_name($0)) } ?? nil
      return unsafe .taking(
        error, source: name, debug: ownedString(debug), isGeneral: isFlowError(message))
    }
  }

  /// Whether an element reports that its stream stopped, in the one sentence that all use for this.
  private func isFlowError(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
    guard kind == .error else { return false }
    var details: UnsafePointer<GstStructure>?
    unsafe gst_message_parse_error_details(message, &details)
    guard let details = unsafe details else { return false }
    return unsafe gst_structure_has_field(details, "flow-return") != 0
  }

  /// From which state to which, of a ``Kind/stateChanged`` message; `pending` is where it goes from
  /// there, nil if it stays.
  public var stateChange: (from: State, to: State, pending: State?)? {
    guard kind == .stateChanged else { return nil }
    return unsafe withGstMessage { message in
      var (from, to, pending) = (GST_STATE_NULL, GST_STATE_NULL, GST_STATE_VOID_PENDING)
      unsafe gst_message_parse_state_changed(message, &from, &to, &pending)
      return (
        State(from), State(to), pending == GST_STATE_VOID_PENDING ? nil : State(pending)
      )
    }
  }

  /// Whether an element says that it has stopped.
  package var isStop: Bool {
    guard let change = stateChange else { return false }
    // A sink that waits for a first buffer goes from PLAYING or READY to READY, as it says.
    return change.to == .null || change.to == .ready && change.from != .null
  }

  /// The fill level of a queue in per cent, of a ``Kind/buffering`` message.
  public var bufferingPercent: Int? {
    guard kind == .buffering else { return nil }
    return unsafe withGstMessage { message in
      var percent: gint = 0
      unsafe gst_message_parse_buffering(message, &percent)
      return Int(percent)
    }
  }

  /// The number of the seek or step that it comes of.
  var sequenceNumber: UInt32 { unsafe withGstMessage { unsafe gst_message_get_seqnum($0) } }

  /// The duration that a sink has stepped over, in nanoseconds, and whether it found the end of the stream; of a
  /// ``Kind/stepDone`` message.
  var step: (duration: UInt64, isEnd: Bool) {
    unsafe withGstMessage { message in
      var (duration, isEnd): (guint64, gboolean) = (0, 0)
      unsafe gst_message_parse_step_done(message, nil, nil, nil, nil, nil, &duration, &isEnd)
      return (UInt64(duration), isEnd != 0)
    }
  }

  /// The address of what posted it, to compare only.
  var sourceAddress: UInt {
    unsafe withGstMessage { unsafe UInt(bitPattern: $0.pointee.src) }
  }

  /// Name and fields, nil if it has none.
  public var structure: Structure? {
    unsafe withGstMessage { message in
      unsafe gst_message_get_structure(message).map { unsafe Structure(copying: $0) }
    }
  }

  /// The kind, the element that posted it, and what it says.
  public var description: String {
    let kind = unsafe withGstMessage {
      unsafe borrowedString(gst_message_type_get_name($0.pointee.type))
    }
    let content = error.map { $0.message } ?? structure.map { "\($0)" } ?? ""
    return "\(kind ?? "message") from \(source?.name ?? "nobody"): \(content)"
  }

  func withGstMessage<Result>(_ body: (UnsafeMutablePointer<GstMessage>) -> Result) -> Result {
    unsafe object.withPointer { unsafe body($0.assumingMemoryBound(to: GstMessage.self)) }
  }
}
