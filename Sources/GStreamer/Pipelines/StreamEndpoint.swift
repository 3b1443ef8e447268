// A stream endpoint is attached to an appsink or appsrc and hears from the bus what their callbacks do not report.

import CGStreamer
import StreamingThread

/// The reason why a stream is over for Swift.
enum StreamEnding: Sendable, Equatable {
  /// The last sample has come, or gone.
  case eos
  /// An element of the pipeline failed.
  case failed(GStreamerError)
  /// The pipeline was stopped; it can start again.
  case stopped
  /// The element or its pipeline is gone for good.
  case disposed
}

/// Swift's side of an element that samples go through.
///
/// The element owns it.
protocol StreamEndpoint: AnyObject, Sendable {
  /// The stream is over.
  func end(_ ending: StreamEnding)
  /// The element is on its way to play, again or for the first time.
  func rearm()
  /// Waits until nothing more waits here for a reader, or the task is cancelled.
  func untilRead() async
}

/// An endpoint as GObject holds it.
private typealias EndpointBox = Box<any StreamEndpoint>

/// A `GDestroyNotify`: the element is gone.
private func dispose(_ data: gpointer?) {
  unsafe CallbackContext<EndpointBox>.object(data)?.content.end(.disposed)
  unsafe releaseContext(data)
}

private let quark = unsafe g_quark_from_string("slitscan-swift-endpoint")

/// The endpoint of an element, nil if it has none.
///
/// The caller must hold a reference to the element.
func endpoint(of element: UnsafeMutableRawPointer) -> (any StreamEndpoint)? {
  let data = unsafe g_object_get_qdata(element.assumingMemoryBound(to: GObject.self), quark)
  return unsafe CallbackContext<EndpointBox>.object(data)?.content
}

private let attaching = Lock(())

/// The endpoint of an element, made at the first look.
func endpoint<Endpoint: StreamEndpoint>(of element: Element, _ make: () -> Endpoint) -> Endpoint {
  attaching.withLock { _ in
    unsafe element.object.withPointer { pointer in
      if let present = unsafe endpoint(of: pointer) as? Endpoint { return present }
      let made = make()
      unsafe g_object_set_qdata_full(
        pointer.assumingMemoryBound(to: GObject.self), quark,
        CallbackContext.retain(EndpointBox(made)), dispose)
      return made
    }
  }
}

/// The endpoints of a bin and of all bins in it, or of the one element.
///
/// - Parameter isWanted: Whether an element counts.
func endpoints(
  in element: ObjectReference, where isWanted: (ObjectReference) -> Bool = { _ in true }
) -> [any StreamEndpoint] {
  let inside =
    unsafe element.isA(gst_bin_get_type())
    ? element.with(GstBin.self) { unsafe collect(gst_bin_iterate_recurse($0)) } : []
  return (inside + [element]).filter(isWanted).compactMap { object in
    unsafe object.withPointer { unsafe endpoint(of: $0) }
  }
}
