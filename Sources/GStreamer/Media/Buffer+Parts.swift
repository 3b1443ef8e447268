// Buffers that share a part of another buffer's bytes.

import CGStreamer

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
    // Nobody else has it yet.
    unsafe part.pointee.pts = (presentationTime as ClockTime?).gstClockTime
    unsafe part.pointee.dts = decodingTime.gstClockTime
    unsafe part.pointee.duration = duration.gstClockTime
    return unsafe Buffer(MiniObject(taking: part))
  }
}
