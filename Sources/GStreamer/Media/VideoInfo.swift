// The video info describes the layout of raw video in memory, unless its buffer says otherwise.

import CGStreamer

/// The layout of raw video, as its caps describe it: `GstVideoInfo`.
///
/// Strides and offsets here are GStreamer's defaults. A buffer with a `GstVideoMeta` has its own:
/// those are in the ``VideoFrame``.
@safe
public struct VideoInfo: @unchecked Sendable {
  // Why @unchecked Sendable is sound: the one pointer in it is to GStreamer's table of formats, which
  // is never changed and never goes.
  private let raw: GstVideoInfo

  /// The layout that caps describe.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where they are not fixed, or not raw video;
  ///   ``GStreamerError/Code/outOfRange`` where a side is not positive.
  public init(_ caps: Caps) throws(GStreamerError) {
    if let size = caps.structures.first, let width = size.get("width", as: Int.self),
      let height = size.get("height", as: Int.self)
    {
      try Self.check(width: width, height: height)
    }
    var info = unsafe GstVideoInfo()
    guard caps.isFixed,
      unsafe caps.withGstCaps({ unsafe gst_video_info_from_caps(&info, $0) }) != 0,
      unsafe info.finfo != nil, unsafe info.width > 0, unsafe info.height > 0
    else {
      throw GStreamerError(
        .wrongType, "These caps do not describe one format of raw video: \(caps)")
    }
    unsafe raw = info
  }

  /// The layout of a format at a size, in GStreamer's default strides.
  ///
  /// - Throws: ``GStreamerError/Code/wrongType`` where there is no such format;
  ///   ``GStreamerError/Code/outOfRange`` where a side is not positive, or a frame would be too large.
  public init(
    _ format: VideoFormat, width: Int, height: Int, frameRate: Fraction = Fraction(0, 1)
  ) throws(GStreamerError) {
    try Runtime.start()
    guard format.gstVideoFormat != GST_VIDEO_FORMAT_UNKNOWN,
      format.gstVideoFormat != GST_VIDEO_FORMAT_ENCODED
    else {
      throw GStreamerError(
        .wrongType, "There is no raw video format \(format). Names are such as I420 and RGBA.")
    }
    try Self.check(width: width, height: height)
    var info = unsafe GstVideoInfo()
    guard
      unsafe gst_video_info_set_format(
        &info, format.gstVideoFormat, guint(clamping: width), guint(clamping: height)) != 0
    else {
      throw GStreamerError(
        .outOfRange,
        "A frame of \(width)x\(height) \(format) pixels has more bytes than GStreamer can count.")
    }
    unsafe info.fps_n = frameRate.numerator
    unsafe info.fps_d = frameRate.denominator == 0 ? 1 : frameRate.denominator
    unsafe raw = info
  }

  /// - Throws: ``GStreamerError/Code/outOfRange``.
  private static func check(width: Int, height: Int) throws(GStreamerError) {
    let longest = Int(gint.max)
    guard 1...longest ~= width, 1...longest ~= height else {
      throw GStreamerError(
        .outOfRange,
        "A frame of \(width)x\(height) pixels is impossible; each side must be 1 to \(longest) pixels."
      )
    }
  }

  /// The format of the pixels.
  public var format: VideoFormat {
    unsafe VideoFormat(rawValue: borrowedString(raw.finfo?.pointee.name) ?? "")
  }
  /// Pixels across.
  public var width: Int { unsafe Int(raw.width) }
  /// Pixels down.
  public var height: Int { unsafe Int(raw.height) }
  /// Frames a second; 0 where it varies.
  public var frameRate: Fraction { unsafe Fraction(raw.fps_n, raw.fps_d) }
  /// The width of a pixel over its height.
  public var pixelAspectRatio: Fraction { unsafe Fraction(raw.par_n, raw.par_d) }
  /// The meaning of the samples as colours, as caps have it; nil where nothing is known of it.
  ///
  /// `bt601`, `bt709`, `sRGB` or four numbers, such as `1:4:7:1`. Where caps leave it out, it follows from the
  /// size.
  public var colorimetry: String? {
    var colorimetry = unsafe raw.colorimetry
    return unsafe ownedString(gst_video_colorimetry_to_string(&colorimetry))
  }
  /// The bytes of a frame, with the default strides.
  public var byteCount: Int { unsafe Int(clamping: raw.size) }
  /// The number of planes, 1 to 4.
  public var planeCount: Int { unsafe min(4, Int(raw.finfo?.pointee.n_planes ?? 0)) }

  /// The caps of such video.
  ///
  /// - Throws: ``GStreamerError/Code/invalidDescription`` where there are none.
  public func caps() throws(GStreamerError) -> Caps {
    guard let caps = unsafe withGstVideoInfo({ unsafe gst_video_info_to_caps($0) }) else {
      throw GStreamerError(.invalidDescription, "There are no caps for \(format).")
    }
    return unsafe Caps(MiniObject(taking: caps))
  }

  func withGstVideoInfo<Result>(_ body: (UnsafeMutablePointer<GstVideoInfo>) -> Result) -> Result {
    var copy = unsafe raw
    return unsafe body(&copy)
  }
}

extension Caps {
  /// The caps with the colorimetry that they leave to the size: frames that are scaled or turned keep it then.
  package var statingColorimetry: Caps {
    guard let info = try? VideoInfo(self), info.isYUV, let colorimetry = info.colorimetry,
      var structure = structures.first, structure.fields["colorimetry"] == nil
    else { return self }
    structure.fields["colorimetry"] = .string(colorimetry)
    return (try? Caps(structure)) ?? self
  }
}

/// A format of raw video by GStreamer's name, as `I420`.
public struct VideoFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// GStreamer's name.
  public let rawValue: String

  /// A format by GStreamer's name.
  ///
  /// Whether there is one, ``VideoInfo`` finds out.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// GStreamer's name.
  public var description: String { rawValue }

  var gstVideoFormat: GstVideoFormat { unsafe cgst_video_format_from_string(rawValue) }

  /// Grey, 8 bits.
  public static let gray8 = VideoFormat(rawValue: "GRAY8")
  /// Grey, 16 bits, low byte first.
  public static let gray16 = VideoFormat(rawValue: "GRAY16_LE")
  /// Three planes, chroma at half the size in both directions.
  public static let i420 = VideoFormat(rawValue: "I420")
  /// Two planes, the second with pairs of chroma at half the size in both directions.
  public static let nv12 = VideoFormat(rawValue: "NV12")
  /// One plane, two pixels in four bytes.
  public static let yuy2 = VideoFormat(rawValue: "YUY2")
  /// One plane, three bytes a pixel.
  public static let rgb = VideoFormat(rawValue: "RGB")
  /// One plane, four bytes a pixel, the last of them opacity.
  public static let rgba = VideoFormat(rawValue: "RGBA")
  /// One plane, four bytes a pixel, the last of them opacity.
  public static let bgra = VideoFormat(rawValue: "BGRA")
  /// One plane, four bytes a pixel, the last of them unused.
  public static let bgrx = VideoFormat(rawValue: "BGRx")
}

extension VideoInfo {
  /// The bits of a sample, of the deepest component.
  public var bitDepth: Int {
    let depth = unsafe raw.finfo.pointee.depth
    return Int(max(depth.0, depth.1, depth.2, depth.3))
  }

  /// The pixels that share a sample of chroma, across and down: 1 and 1 for RGB, nil for grey.
  public var chromaSubsampling: (across: Int, down: Int)? {
    guard unsafe raw.finfo.pointee.n_components > 2 else { return nil }
    let (across, down) = unsafe (raw.finfo.pointee.w_sub.1, raw.finfo.pointee.h_sub.1)
    return (1 << Int(across), 1 << Int(down))
  }

  /// Whether pixels are luma and chroma.
  public var isYUV: Bool { has(GST_VIDEO_FORMAT_FLAG_YUV) }

  /// Whether pixels have an opacity.
  public var hasAlpha: Bool { has(GST_VIDEO_FORMAT_FLAG_ALPHA) }

  private func has(_ flag: GstVideoFormatFlags) -> Bool {
    unsafe raw.finfo.pointee.flags.rawValue & flag.rawValue != 0
  }
}

/// The shape of one plane of a mapped frame.
public struct PlaneShape: Sendable, Hashable {
  /// Bytes from the start of a row to the start of the next.
  public let stride: Int
  /// Bytes of a row that hold samples, at most the stride; the rest is padding.
  public let rowBytes: Int
  /// Rows.
  public let rows: Int

  /// Bytes from the first to the last sample.
  var byteCount: Int { rows == 0 ? 0 : stride * (rows - 1) + rowBytes }
}
