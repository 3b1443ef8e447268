// A colorimetry says how the samples of video stand for colours.

import CGStreamer

/// The meaning of samples as colours, as caps say it.
public struct Colorimetry: Sendable, Hashable {
  /// Whether samples use all values, and not only those of studio video; nil where that is unknown.
  public let isFullRange: Bool?
  /// The matrix between RGB and luma and chroma, the transfer characteristics and the colour primaries, as numbers
  /// of ITU-T H.273: 2 where that is unknown.
  ///
  /// GStreamer has one name for the two numbers of the matrix of BT.601.
  public let matrix, transfer, primaries: UInt32

  /// As caps have it, in full range.
  package let inFullRange: String

  /// A colorimetry as caps have it, as `bt709` or `2:4:8:3`; nil where it is none.
  public init?(_ text: String) {
    guard (try? Runtime.start()) != nil else { return nil }
    var colorimetry = GstVideoColorimetry()
    guard unsafe gst_video_colorimetry_from_string(&colorimetry, text) != 0 else { return nil }
    isFullRange =
      switch colorimetry.range {
      case GST_VIDEO_COLOR_RANGE_0_255: true
      case GST_VIDEO_COLOR_RANGE_16_235: false
      default: nil
      }
    matrix = gst_video_color_matrix_to_iso(colorimetry.matrix)
    transfer = gst_video_transfer_function_to_iso(colorimetry.transfer)
    var full = colorimetry
    full.range = GST_VIDEO_COLOR_RANGE_0_255
    inFullRange = unsafe ownedString(gst_video_colorimetry_to_string(&full)) ?? text
    primaries = gst_video_color_primaries_to_iso(colorimetry.primaries)
  }
}
