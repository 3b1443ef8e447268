// A writable buffer is a buffer under construction, which nothing else refers to yet.

import CGStreamer

/// A `GstBuffer` with one owner, who may write: noncopyable, because a second reference would make
/// GStreamer refuse.
///
/// ```swift
/// var buffer = try WritableBuffer(info)
/// buffer.presentationTime = .zero
/// try buffer.withVideoFrame(info) { frame in … }
/// try await source.send(buffer.finish())
/// ```
@safe
public struct WritableBuffer: ~Copyable {
  private let object: MiniObject

  /// A buffer of `byteCount` bytes, whose values are not defined.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory``, ``GStreamerError/Code/notStarted``;
  ///   ``GStreamerError/Code/outOfRange`` where the number is negative.
  public init(byteCount: Int) throws(GStreamerError) {
    try Runtime.start()
    guard let size = gsize(exactly: byteCount) else {
      throw GStreamerError(
        .outOfRange, "A buffer of \(byteCount) bytes is impossible; it must have 0 or more.")
    }
    guard let memory = unsafe g_try_malloc(max(1, size)) else {
      throw GStreamerError(
        .outOfMemory, "There is not enough memory for a buffer of \(byteCount) bytes.")
    }
    guard let buffer = unsafe gst_buffer_new_wrapped(memory, size) else {
      throw GStreamerError(.outOfMemory, "There is not enough memory for a buffer.")
    }
    unsafe object = MiniObject(taking: buffer)
  }

  /// A buffer for one frame, whose pixels are not defined.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory``, ``GStreamerError/Code/notStarted``.
  public init(_ info: VideoInfo) throws(GStreamerError) {
    try self.init(byteCount: info.byteCount)
  }

  /// A copy of a buffer: its bytes, its times, its flags and its metas.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory``.
  public init(copying buffer: Buffer) throws(GStreamerError) {
    guard let copy = unsafe buffer.withGstBuffer({ unsafe gst_buffer_copy_deep($0) }) else {
      throw GStreamerError(.outOfMemory, "There is not enough memory for a copy of a buffer.")
    }
    unsafe object = MiniObject(taking: copy)
  }

  /// Gives up writing: from now on it can be shared.
  public consuming func finish() -> Buffer { Buffer(object) }

  /// When it is to be shown, in the time of its segment.
  public var presentationTime: ClockTime? {
    get { unsafe read { ClockTime(gstClockTime: unsafe $0.pointee.pts) } }
    set { unsafe write { unsafe $0.pointee.pts = newValue.gstClockTime } }
  }

  /// When it is to be decoded, in the time of its segment.
  public var decodingTime: ClockTime? {
    get { unsafe read { ClockTime(gstClockTime: unsafe $0.pointee.dts) } }
    set { unsafe write { unsafe $0.pointee.dts = newValue.gstClockTime } }
  }

  /// The duration.
  public var duration: ClockTime? {
    get { unsafe read { ClockTime(gstClockTime: unsafe $0.pointee.duration) } }
    set { unsafe write { unsafe $0.pointee.duration = newValue.gstClockTime } }
  }

  /// The number of the frame or sample.
  public var offset: UInt64? {
    get { unsafe read { unsafe $0.pointee.offset == .max ? nil : UInt64($0.pointee.offset) } }
    set { unsafe write { unsafe $0.pointee.offset = newValue.map { UInt($0) } ?? .max } }
  }

  /// Marks it as special.
  public mutating func insert(_ flags: BufferFlags) {
    unsafe write { _ = unsafe gst_buffer_set_flags($0, GstBufferFlags(rawValue: flags.rawValue)) }
  }

  /// The number of its bytes.
  public var byteCount: Int { unsafe read { Int(clamping: unsafe gst_buffer_get_size($0)) } }

  /// Gives `body` the bytes, mapped for writing meanwhile.
  ///
  /// - Throws: ``GStreamerError/Code/notMappable``, or what `body` throws.
  public mutating func withMutableBytes<Result>(
    _ body: (inout MutableRawSpan) throws(GStreamerError) -> Result
  ) throws(GStreamerError) -> Result {
    var map = unsafe GstMapInfo()
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe read({ unsafe gst_buffer_map($0, &map, access) }) != 0 else {
      throw GStreamerError.notWritable
    }
    defer { unsafe read { unsafe gst_buffer_unmap($0, &map) } }
    let start = unsafe map.data.map { UnsafeMutableRawPointer($0) }
    var bytes = unsafe MutableRawSpan(
      _unsafeStart: start ?? UnsafeMutableRawPointer(mutating: noBytes),
      byteCount: start == nil ? 0 : Int(clamping: map.size))
    return try body(&bytes)
  }

  /// Gives `body` the pixels, mapped for writing meanwhile.
  ///
  /// - Parameters:
  ///   - info: What the buffer holds. A `GstVideoMeta` of the buffer goes before it.
  ///   - body: Reads and writes the pixels. One that throws says so: `{ (frame) throws(GStreamerError) in … }`.
  /// - Throws: ``GStreamerError/Code/notMappable``, or what `body` throws.
  public mutating func withVideoFrame<Result>(
    _ info: VideoInfo, _ body: (inout MutableVideoFrame) throws(GStreamerError) -> Result
  ) throws(GStreamerError) -> Result {
    var frame = try MutableVideoFrame(object, info)
    return try body(&frame)
  }

  private func read<Result>(_ body: (UnsafeMutablePointer<GstBuffer>) -> Result) -> Result {
    unsafe object.withPointer { unsafe body($0.assumingMemoryBound(to: GstBuffer.self)) }
  }

  private mutating func write(_ body: (UnsafeMutablePointer<GstBuffer>) -> Void) {
    unsafe read(body)
  }
}
