// Pad probes inspect, drop or block what passes a pad.

import CGStreamer

/// The kinds of items that a probe is called for: `GstPadProbeType`.
public struct ProbeKinds: OptionSet, Sendable {
  /// The bits as C has them.
  public let rawValue: UInt32

  /// Kinds by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Buffers.
  public static let buffer = ProbeKinds(rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue)
  /// Events that go with the stream.
  public static let eventDownstream = ProbeKinds(
    rawValue: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
  /// Events that go against it.
  public static let eventUpstream = ProbeKinds(rawValue: GST_PAD_PROBE_TYPE_EVENT_UPSTREAM.rawValue)
  /// Questions that go with the stream, before they are answered.
  public static let queryDownstream = ProbeKinds(
    rawValue: GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_PUSH.rawValue)
  /// Requests for data by an element downstream, before they are answered.
  public static let pull = ProbeKinds(
    rawValue: GST_PAD_PROBE_TYPE_PULL.rawValue | GST_PAD_PROBE_TYPE_BUFFER.rawValue
      | GST_PAD_PROBE_TYPE_BLOCK.rawValue)
  /// The events around a flush.
  public static let eventFlush = ProbeKinds(rawValue: GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
}

/// An item that passes a pad.
public enum ProbeItem: Sendable {
  /// A buffer.
  case buffer(Buffer)
  /// An event.
  case event(Event)
  /// A question; one that is serialized waits for the buffers before it.
  case query(isSerialized: Bool)
  /// A request for data from a position, in bytes.
  case pull(offset: UInt64)
  /// Something else.
  case other
}

/// The answer of a probe: let the item pass, drop or replace it, or end the probe.
public enum ProbeAnswer: Sendable {
  /// It goes on.
  case pass
  /// It is thrown away; a question is answered with no.
  case drop
  /// It goes on, and the probe has seen enough.
  case remove
  /// Another buffer goes on in its place.
  case replace(Buffer)
}

/// A probe that stays until ``remove()``, an answer of ``ProbeAnswer/remove``, or the end of the pad.
public struct Probe: Sendable {
  private let pad: Pad
  private let id: gulong

  init(_ pad: Pad, _ id: gulong) {
    self.pad = pad
    self.id = id
  }

  /// Ends it.
  ///
  /// A call that is under way goes on.
  public func remove() {
    guard id != 0 else { return }
    unsafe pad.withGstPad { unsafe gst_pad_remove_probe($0, id) }
  }
}

private typealias ProbeHandler = Box<@Sendable (ProbeItem, Pad) -> ProbeAnswer>

/// A `GstPadProbeCallback`.
private func probe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info,
    let handler = unsafe CallbackContext<ProbeHandler>.object(data)
  else { return GST_PAD_PROBE_OK }
  let place = unsafe Pad(ObjectReference(sharing: pad))
  return switch handler.content(unsafe ProbeItem(info), place) {
  // A blocking probe that returns OK would block the pad.
  case .pass: unsafe info.pointee.isBlocking ? GST_PAD_PROBE_PASS : GST_PAD_PROBE_OK
  case .drop: GST_PAD_PROBE_DROP
  case .remove: GST_PAD_PROBE_REMOVE
  case .replace(let buffer): unsafe info.pointee.replace(with: buffer)
  }
}

extension GstPadProbeInfo {
  fileprivate var isBlocking: Bool { unsafe type.rawValue & GST_PAD_PROBE_TYPE_BLOCK.rawValue != 0 }

  fileprivate mutating func replace(with buffer: Buffer) -> GstPadProbeReturn {
    guard unsafe type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0, let old = unsafe data
    else { return GST_PAD_PROBE_OK }
    unsafe data = buffer.withGstBuffer { buffer in
      unsafe UnsafeMutableRawPointer(gst_buffer_ref(buffer))
    }
    unsafe unref(old)
    return GST_PAD_PROBE_OK
  }
}

extension ProbeItem {
  fileprivate init(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    let type = unsafe info.pointee.type.rawValue
    if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0,
      let buffer = unsafe gst_pad_probe_info_get_buffer(info)
    {
      self = unsafe .buffer(Buffer(MiniObject(retaining: buffer)))
    } else if type
      & (GST_PAD_PROBE_TYPE_EVENT_BOTH.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
      != 0, let event = unsafe gst_pad_probe_info_get_event(info)
    {
      self = unsafe .event(Event(MiniObject(retaining: event)))
    } else if type & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue != 0,
      let query = unsafe gst_pad_probe_info_get_query(info)
    {
      let kind = unsafe query.pointee.type.rawValue
      self = .query(isSerialized: kind & GST_QUERY_TYPE_SERIALIZED.rawValue != 0)
    } else if type & GST_PAD_PROBE_TYPE_PULL.rawValue != 0, unsafe info.pointee.isBlocking {
      self = unsafe .pull(offset: UInt64(info.pointee.offset))
    } else {
      self = .other
    }
  }
}

extension Pad {
  /// Runs `handler` for everything of some kinds that passes.
  ///
  /// - Important: `handler` runs on the thread that carries it, most often a streaming thread: it must
  ///   not wait and must not change states.
  @discardableResult
  public func addProbe(
    _ kinds: ProbeKinds, _ handler: @escaping @Sendable (ProbeItem) -> ProbeAnswer
  ) -> Probe {
    addProbe(kinds) { item, _ in handler(item) }
  }

  /// Runs `handler` for everything of some kinds that passes, with the pad.
  ///
  /// A handler that keeps its pad itself would keep it for ever.
  ///
  /// - Important: As ``addProbe(_:_:)-(_,(ProbeItem)->ProbeAnswer)``.
  @discardableResult
  public func addProbe(
    _ kinds: ProbeKinds, _ handler: @escaping @Sendable (ProbeItem, Pad) -> ProbeAnswer
  ) -> Probe {
    let context = unsafe CallbackContext.retain(ProbeHandler(handler))
    let id = unsafe withGstPad { pad in
      unsafe gst_pad_add_probe(
        pad, GstPadProbeType(rawValue: kinds.rawValue), probe, context, releaseContext)
    }
    return Probe(self, id)
  }
}
