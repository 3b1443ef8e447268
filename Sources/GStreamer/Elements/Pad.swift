// A place where elements meet.

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

  /// What flows through it, nil before that is settled.
  public var caps: Caps? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_current_caps(pad).map { unsafe Caps(MiniObject(taking: $0)) }
    }
  }

  /// What could flow through it, as far as its neighbours let it.
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

  /// Whether it is linked.
  public var isLinked: Bool { unsafe withGstPad { unsafe gst_pad_is_linked($0) != 0 } }

  /// The element it belongs to, nil once that has let go of it.
  public var element: Element? {
    unsafe withGstPad { pad in
      unsafe gst_pad_get_parent_element(pad).map { unsafe Element(ObjectReference(taking: $0)) }
    }
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
      throw GStreamerError(.link, "\(self) does not link to \(sink): \(reason).")
    }
  }

  /// Parts this source pad from a sink pad; nothing happens if they are not linked.
  public func unlink(from sink: Pad) {
    unsafe withGstPad { source in
      unsafe sink.withGstPad { _ = unsafe gst_pad_unlink(source, $0) }
    }
  }

  /// The pad's element, and its name.
  public var description: String { object.path }

  /// Gives `body` the pad for C.
  func withGstPad<Result>(_ body: (UnsafeMutablePointer<GstPad>) -> Result) -> Result {
    unsafe object.with(GstPad.self, body)
  }
}
