// One counted reference to a GstObject: an element, a pad or a bus.

import CGStreamer

/// A counted reference to an object of GStreamer.
///
/// Equal if it is the same object.
@safe
final class ObjectReference: @unchecked Sendable, Hashable {
  // Why @unchecked Sendable is sound: the count is atomic, and the functions that this module calls
  // on elements, pads and buses take the object's own lock.
  private let pointer: UnsafeMutableRawPointer

  /// Takes over a reference that the caller owns.
  init(taking pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = pointer
  }

  /// Adds a reference to an object with another owner, also where that has not sunk it yet.
  init(sharing pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = pointer
    _ = unsafe gst_object_ref(pointer)
  }

  /// Adds a reference to an object, or sinks one that was just made.
  init(retaining pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = pointer
    _ = unsafe gst_object_ref_sink(pointer)
  }

  deinit {
    unsafe gst_object_unref(pointer)
  }

  /// Gives `body` the object, which stays alive meanwhile.
  func withPointer<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeMutableRawPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return unsafe try body(pointer)
  }

  /// Gives `body` the object as `type`, which it must be.
  func with<Foreign, Result: ~Copyable, Failure: Error>(
    _ type: Foreign.Type, _ body: (UnsafeMutablePointer<Foreign>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return unsafe try body(pointer.assumingMemoryBound(to: type))
  }

  /// Whether the object is of a type or derived from it.
  func isA(_ type: GType) -> Bool { unsafe cgst_is_a(pointer, type) != 0 }

  /// The object's address, to compare only.
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  var name: String {
    unsafe withPointer { pointer in
      unsafe ownedString(gst_object_get_name(pointer.assumingMemoryBound(to: GstObject.self))) ?? ""
    }
  }

  /// The objects above it and itself, as `/GstPipeline:pipeline0/GstFakeSink:sink`.
  var path: String {
    unsafe withPointer { pointer in
      unsafe ownedString(
        gst_object_get_path_string(pointer.assumingMemoryBound(to: GstObject.self))) ?? ""
    }
  }

  static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    unsafe left.pointer == right.pointer
  }

  func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}

/// Text that the caller owns, as a string.
func ownedString(_ text: UnsafeMutablePointer<gchar>?) -> String? {
  guard let text = unsafe text else { return nil }
  defer { unsafe g_free(text) }
  return unsafe String(cString: text)
}

func borrowedString(_ text: UnsafePointer<gchar>?) -> String? {
  guard let text = unsafe text else { return nil }
  return unsafe String(cString: text)
}
