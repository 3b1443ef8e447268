// One counted reference to a GstMiniObject: a buffer, sample, caps, event or message.

import CGStreamer

/// A counted reference to an immutable object that GStreamer shares between threads.
@safe
final class MiniObject: @unchecked Sendable {
  // Why @unchecked Sendable is sound: the count is atomic, and what is counted is only read. The one
  // that writes, `WritableBuffer`, does so before any other reference exists.
  private let pointer: UnsafeMutableRawPointer

  /// Takes over a reference that the caller owns.
  init(taking pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = pointer
  }

  /// Adds a reference to an object with another owner.
  init(retaining pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = pointer
    _ = unsafe gst_mini_object_ref(pointer.assumingMemoryBound(to: GstMiniObject.self))
  }

  deinit { unsafe unref(pointer) }

  /// Gives `body` the object, which stays alive meanwhile.
  func withPointer<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return unsafe try body(pointer)
  }

  /// Whether it is the object at an address.
  func isAt(_ address: UnsafeRawPointer) -> Bool { unsafe UnsafeRawPointer(pointer) == address }

  /// Whether both are the same object, not only equal ones.
  func isSame(as other: MiniObject) -> Bool { unsafe pointer == other.pointer }
}

/// Gives up a reference to a `GstMiniObject`.
func unref(_ object: UnsafeMutableRawPointer) {
  unsafe gst_mini_object_unref(object.assumingMemoryBound(to: GstMiniObject.self))
}
