// The buffer layout computes the number of bytes that caps demand of a buffer.

import CGStreamer

/// The layout of a buffer, as far as its bytes can be counted.
enum BufferLayout {
  /// Raw video in the processor's memory.
  case video(VideoInfo)
  /// Raw, interleaved sound.
  case audio(AudioInfo)
  /// Anything else: encoded, on a graphics card, or not known yet.
  case other

  init(_ caps: Caps) {
    guard caps.isFixed, unsafe caps.withGstCaps({ unsafe cgst_caps_are_in_memory($0) != 0 }) else {
      self = .other
      return
    }
    if let info = try? VideoInfo(caps), info.planeCount > 0 {
      self = .video(info)
    } else if let info = try? AudioInfo(caps) {
      self = .audio(info)
    } else {
      self = .other
    }
  }

  /// Whether a buffer has the bytes.
  ///
  /// - Throws: ``GStreamerError/Code/notMappable`` where it has too few, or sound ends within a frame.
  func check(
    _ buffer: UnsafeMutablePointer<GstBuffer>, for source: ObjectReference
  ) throws(GStreamerError) {
    let byteCount = unsafe Int(clamping: gst_buffer_get_size(buffer))
    switch self {
    case .other: return
    case .audio(let info):
      guard byteCount.isMultiple(of: info.bytesPerFrame) else {
        throw GStreamerError(
          .notMappable,
          "A buffer has \(byteCount) bytes, which is not a whole number of frames: its caps say "
            + "\(info.channels) channels, \(info.bytesPerFrame) bytes a frame.",
          source: source.name)
      }
    case .video(let info):
      let needed = unsafe try info.byteCount(in: buffer)
      guard byteCount >= needed else {
        throw GStreamerError(
          .notMappable,
          "A buffer has \(byteCount) bytes, but a frame of \(info.width)x\(info.height) "
            + "\(info.format) takes \(needed).", source: source.name)
      }
    }
  }
}

extension VideoInfo {
  /// The bytes that a buffer needs to hold a frame, with the strides and offsets of its `GstVideoMeta`
  /// where it has one.
  ///
  /// - Throws: ``GStreamerError/Code/notMappable`` where its meta is one of another format, of a smaller
  ///   frame, or of rows that overlap.
  func byteCount(in buffer: UnsafeMutablePointer<GstBuffer>) throws(GStreamerError) -> Int {
    guard let meta = unsafe gst_buffer_get_video_meta(buffer) else { return byteCount }
    let needed = unsafe withGstVideoInfo { unsafe cgst_video_meta_bytes($0, meta) }
    guard needed > 0 else {
      throw unsafe GStreamerError(
        .notMappable,
        "A buffer describes itself as \(meta.pointee.width)x\(meta.pointee.height) "
          + "\(borrowedString(gst_video_format_to_string(meta.pointee.format)) ?? "unknown"), with a "
          + "stride of \(meta.pointee.stride.0) bytes. Its caps say \(width)x\(height) \(format).")
    }
    return Int(clamping: needed)
  }
}
