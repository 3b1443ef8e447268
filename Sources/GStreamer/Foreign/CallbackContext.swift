// A callback context passes a Swift object through C as a callback's `user_data`.

import CGStreamer

/// An object on its way through C.
///
/// The pointer owns a reference. C gives it back by ``releaseContext``, which every registration of a
/// callback in this module passes as its destroy function.
///
/// - Important: A closure literal given to C takes on the isolation of the code around it, and then
///   aborts on GStreamer's threads. All callbacks of this module are functions, which have none.
package enum CallbackContext<Object: AnyObject & Sendable> {
  /// A pointer that keeps `object` until it is released.
  package static func retain(_ object: Object) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(object).toOpaque()
  }

  /// The object behind a pointer from ``retain(_:)``.
  package static func object(_ data: UnsafeMutableRawPointer?) -> Object? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
  }
}

/// Ends what `CallbackContext.retain` began: a `GDestroyNotify`.
package func releaseContext(_ data: gpointer?) {
  guard let data = unsafe data else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// The same as a `GClosureNotify`.
func releaseClosureContext(_ data: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  unsafe releaseContext(data)
}

/// A value that has no object of its own, on its way through C.
final class Box<Content: Sendable>: Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}
