// A buffer mapping gives access to the bytes of a buffer while they are mapped.

import CGStreamer

/// Read access to a buffer's bytes.
///
/// Mapped when made, unmapped when it goes, each once.
@safe
public struct BufferMapping: ~Copyable {
  private let buffer: Buffer
  private let map: GstMapInfo

  init(_ buffer: Buffer) throws(GStreamerError) {
    var map = unsafe GstMapInfo()
    guard unsafe buffer.withGstBuffer({ unsafe gst_buffer_map($0, &map, GST_MAP_READ) }) != 0 else {
      throw .notReadable
    }
    self.buffer = buffer
    unsafe self.map = map
  }

  deinit {
    var map = unsafe map
    unsafe buffer.withGstBuffer { unsafe gst_buffer_unmap($0, &map) }
  }

  /// The bytes.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(_unsafeStart: start, byteCount: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  private var count: Int { unsafe map.data == nil ? 0 : Int(clamping: map.size) }

  /// The first byte, or some address where there is none.
  private var start: UnsafeRawPointer {
    unsafe map.data.map { UnsafeRawPointer($0) } ?? noBytes
  }
}

/// An address for spans of no bytes.
var noBytes: UnsafeRawPointer { unsafe UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped }

extension GStreamerError {
  static var notReadable: GStreamerError {
    GStreamerError(
      .notMappable,
      "The CPU cannot read the memory of a buffer. Put a download or convert element "
        + "before the sink.")
  }

  static var notWritable: GStreamerError {
    GStreamerError(.notMappable, "The CPU cannot write the memory of a buffer.")
  }
}
