// Swift objects that travel through C as a callback's `user_data`.

import CGStreamer
import Synchronization

/// An object on its way through C.
///
/// The pointer owns a reference. C gives it back by ``releaseContext``, which every registration of a
/// callback in this module passes as its destroy function.
///
/// - Important: A closure literal given to C takes on the isolation of the code around it, and then
///   aborts on GStreamer's threads. All callbacks of this module are functions, which have none.
final class CallbackContext<Object: AnyObject & Sendable>: Sendable {
  private let object: Object
  /// Written before C gets the pointer, read before the object is touched.
  ///
  /// GLib's own locks order the two already; but ThreadSanitizer does not see those, as they are
  /// futexes in a library that it does not instrument.
  private let isHandedOver = Atomic(false)

  private init(_ object: Object) { self.object = object }

  /// A pointer that keeps `object` until it is released.
  static func retain(_ object: Object) -> UnsafeMutableRawPointer {
    let context = CallbackContext(object)
    let pointer = unsafe Unmanaged.passRetained(context).toOpaque()
    context.isHandedOver.store(true, ordering: .releasing)
    return unsafe pointer
  }

  /// The object behind a pointer from ``retain(_:)``.
  static func object(_ data: UnsafeMutableRawPointer?) -> Object? {
    guard let data = unsafe data else { return nil }
    let context = unsafe Unmanaged<CallbackContext>.fromOpaque(data).takeUnretainedValue()
    guard context.isHandedOver.load(ordering: .acquiring) else { return nil }
    return context.object
  }
}

/// Ends what `CallbackContext.retain` began: a `GDestroyNotify`.
func releaseContext(_ data: gpointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// The same as a `GClosureNotify`.
func releaseClosureContext(_ data: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  unsafe releaseContext(data)
}
