// The sample format of raw video: bit depth and chroma subsampling.

import CGStreamer

extension VideoInfo {
  /// The bits of a sample, of the deepest component.
  public var bitDepth: Int {
    unsafe withFormat { format in
      let depth = unsafe format.pointee.depth
      return Int(max(depth.0, depth.1, depth.2, depth.3))
    }
  }

  /// How many pixels share a sample of chroma, across and down: 1 and 1 for RGB, nil for grey.
  public var chromaSubsampling: (across: Int, down: Int)? {
    unsafe withFormat { format in
      guard unsafe format.pointee.n_components > 2 else { return nil }
      let (across, down) = unsafe (format.pointee.w_sub.1, format.pointee.h_sub.1)
      return (1 << Int(across), 1 << Int(down))
    }
  }

  /// Whether pixels have an opacity.
  public var hasAlpha: Bool {
    unsafe withFormat { format in
      unsafe format.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
    }
  }

  private func withFormat<Result>(
    _ body: (UnsafePointer<GstVideoFormatInfo>) -> Result
  ) -> Result {
    unsafe withGstVideoInfo { info in unsafe body(info.pointee.finfo) }
  }
}
