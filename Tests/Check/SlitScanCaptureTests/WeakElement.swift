// A weak reference to an element.

import CGStreamer
import GStreamer

/// Knows whether an element is disposed of, and does not hold it.
@safe final class WeakElement {
  private let place: UnsafeMutablePointer<gpointer?>

  init(_ element: Element) {
    unsafe place = .allocate(capacity: 1)
    unsafe element.withGstElement { element in
      unsafe place.initialize(to: element)
      unsafe g_object_add_weak_pointer(Self.object(element), place)
    }
  }

  deinit {
    if let element = unsafe place.pointee {
      unsafe g_object_remove_weak_pointer(Self.object(element), place)
    }
    unsafe place.deallocate()
  }

  var isGone: Bool { unsafe place.pointee == nil }

  private static func object(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GObject> {
    unsafe pointer.assumingMemoryBound(to: GObject.self)
  }
}
