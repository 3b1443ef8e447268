// A buffer is a piece of a stream: bytes and timestamps.

import CGStreamer

/// An immutable `GstBuffer`.
///
/// Copying one adds a reference, not bytes. To read the bytes, ``map()`` it; to make one, fill a
/// ``WritableBuffer``.
public struct Buffer: Sendable, Equatable {
  let object: MiniObject

  init(_ object: MiniObject) { self.object = object }

  /// When it is to be shown, in the time of its segment; nil if it does not say.
  public var presentationTime: ClockTime? {
    unsafe withGstBuffer { ClockTime(gstClockTime: unsafe $0.pointee.pts) }
  }

  /// When it is to be decoded, in the time of its segment; nil if it does not say.
  public var decodingTime: ClockTime? {
    unsafe withGstBuffer { ClockTime(gstClockTime: unsafe $0.pointee.dts) }
  }

  /// The duration; nil if unknown.
  public var duration: ClockTime? {
    unsafe withGstBuffer { ClockTime(gstClockTime: unsafe $0.pointee.duration) }
  }

  /// The number of the frame or sample as its source counts, nil if it does not say.
  public var offset: UInt64? {
    unsafe withGstBuffer { buffer in
      unsafe buffer.pointee.offset == .max ? nil : UInt64(buffer.pointee.offset)
    }
  }

  /// The size of all its memory, in bytes.
  public var byteCount: Int {
    unsafe withGstBuffer { Int(clamping: unsafe gst_buffer_get_size($0)) }
  }

  /// The flags.
  public var flags: BufferFlags {
    unsafe withGstBuffer { BufferFlags(rawValue: unsafe gst_buffer_get_flags($0).rawValue) }
  }

  /// The bytes, for reading.
  ///
  /// - Throws: ``GStreamerError/Code/notMappable`` where the memory is not the processor's.
  public func map() throws(GStreamerError) -> BufferMapping {
    try BufferMapping(self)
  }

  /// Whether both are the same buffer, not only equal bytes.
  public static func == (left: Buffer, right: Buffer) -> Bool {
    left.object.isSame(as: right.object)
  }

  func withGstBuffer<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<GstBuffer>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try object.withPointer { (pointer) throws(Failure) in
      try unsafe body(pointer.assumingMemoryBound(to: GstBuffer.self))
    }
  }
}

/// The flags of a buffer: `GstBufferFlags`.
public struct BufferFlags: OptionSet, Sendable {
  /// The bits as C has them.
  public let rawValue: UInt32

  /// Flags by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Something is missing before it.
  public static let discontinuity = BufferFlags(rawValue: GST_BUFFER_FLAG_DISCONT.rawValue)
  /// It cannot be decoded without those before it; key frames have not got this.
  public static let deltaUnit = BufferFlags(rawValue: GST_BUFFER_FLAG_DELTA_UNIT.rawValue)
  /// The content is damaged.
  public static let corrupted = BufferFlags(rawValue: GST_BUFFER_FLAG_CORRUPTED.rawValue)
  /// It fills a gap.
  public static let gap = BufferFlags(rawValue: GST_BUFFER_FLAG_GAP.rawValue)
  /// It is decoded for the sake of those after it, and not shown.
  public static let decodeOnly = BufferFlags(rawValue: GST_BUFFER_FLAG_DECODE_ONLY.rawValue)
  /// It is needed to decode, not to be shown.
  public static let header = BufferFlags(rawValue: GST_BUFFER_FLAG_HEADER.rawValue)
}

extension Buffer {
  /// The same bytes at another time; nothing is copied.
  ///
  /// - Parameters:
  ///   - presentationTime: When it is to be shown.
  ///   - decodingTime: When it is to be decoded, nil where it does not say.
  ///   - duration: How long it is shown, nil where it does not say.
  /// - Throws: ``GStreamerError/Code/outOfMemory``.
  public func moved(
    to presentationTime: ClockTime, decodingTime: ClockTime? = nil, duration: ClockTime?
  ) throws(GStreamerError) -> Buffer {
    try part(0..<byteCount, at: presentationTime, decodingTime: decodingTime, duration: duration)
  }

  /// Some of the bytes, at another time; nothing is copied.
  ///
  /// - Parameters:
  ///   - range: Which bytes; must lie within the buffer.
  ///   - presentationTime: When they are to be shown.
  ///   - decodingTime: When they are to be decoded, nil where it does not say.
  ///   - duration: How long they are shown, nil where it does not say.
  ///   - isSpecial: Whether what is special about the buffer is so about the part, as that something is
  ///     missing before it.
  /// - Throws: ``GStreamerError/Code/outOfRange``, ``GStreamerError/Code/outOfMemory``.
  public func part(
    _ range: Range<Int>, at presentationTime: ClockTime, decodingTime: ClockTime? = nil,
    duration: ClockTime?, isSpecial: Bool = true
  ) throws(GStreamerError) -> Buffer {
    guard range.lowerBound >= 0, range.upperBound <= byteCount else {
      throw GStreamerError(
        .outOfRange, "The buffer has \(byteCount) bytes, so \(range) is out of range.")
    }
    var everything = [GST_BUFFER_COPY_META, GST_BUFFER_COPY_MEMORY].reduce(0) { $0 | $1.rawValue }
    if isSpecial { everything |= GST_BUFFER_COPY_FLAGS.rawValue }
    let part = unsafe withGstBuffer { buffer in
      unsafe gst_buffer_copy_region(
        buffer, GstBufferCopyFlags(rawValue: everything), gsize(range.lowerBound),
        gsize(range.count))
    }
    guard let part = unsafe part else {
      throw GStreamerError(.outOfMemory, "There is not enough memory for a buffer.")
    }
    // There is no other reference yet, so it may be written.
    unsafe part.pointee.pts = (presentationTime as ClockTime?).gstClockTime
    unsafe part.pointee.dts = decodingTime.gstClockTime
    unsafe part.pointee.duration = duration.gstClockTime
    return unsafe Buffer(MiniObject(taking: part))
  }
}
