// The video formats of the benchmarks, one for every kind of cell that the effect has kernels for.

import ArgumentParser
import CGStreamer
import SlitScan

/// A video format by GStreamer's name.
enum FrameFormat: String, CaseIterable, ExpressibleByArgument {
  // One-byte cells.
  case gray8 = "GRAY8", i420 = "I420", y444 = "Y444"
  // Two-byte cells: a sample of 16 bits, or a pair of 8.
  case gray16 = "GRAY16_LE", i420With10Bits = "I420_10LE", nv12 = "NV12"
  // Three-byte pixels.
  case rgb = "RGB", bgr = "BGR"
  // Four-byte cells: a pixel, two pixels of packed 4:2:2, or a pair of 16 bits.
  case rgbx = "RGBx", bgrx = "BGRx", rgba = "RGBA", bgra = "BGRA", yuy2 = "YUY2", p010 = "P010_10LE"
  // Eight-byte pixels.
  case argb64 = "ARGB64", ayuv64 = "AYUV64"

  func layout(_ size: FrameSize) throws(ScanError) -> FrameLayout {
    let (samples, isRGB) = entry
    let components = samples.enumerated().map { index, samples in
      let isAlpha = index == 3
      let isChroma = !isRGB && (1...2).contains(index)
      let most = (1 << samples.depth) - 1
      // Chroma and alpha are the same in black and in white.
      let black = isAlpha ? most : isChroma ? 1 << (samples.depth - 1) : 0
      let white = isChroma ? black : most
      return FrameLayout.Component(
        role: isAlpha ? .alpha : .colour, plane: samples.plane, offset: samples.offset,
        step: samples.step, bytes: samples.depth > 8 ? 2 : 1, xShift: samples.xShift,
        yShift: samples.yShift, unusedBits: samples.unusedBits,
        black: UInt16(black << samples.unusedBits), white: UInt16(white << samples.unusedBits))
    }
    return try FrameLayout(
      width: size.width, height: size.height, isBigEndian: false, isRGB: isRGB,
      components: components)
  }

  /// The bits that samples may have set, in eight bytes of them.
  var sampleMask: UInt64 {
    let samples = entry.samples[0]
    let mask = UInt64((1 << samples.depth) - 1) << UInt64(samples.unusedBits)
    return mask * (samples.depth > 8 ? 0x0001_0001_0001_0001 : 0x0101_0101_0101_0101)
  }

  /// The places of one component's samples.
  private typealias Samples = (
    plane: Int, offset: Int, step: Int, xShift: Int, yShift: Int, depth: Int, unusedBits: Int
  )

  /// The components as GStreamer's table has them, and whether they are red, green and blue.
  private var entry: (samples: [Samples], isRGB: Bool) {
    // All of the names are in the table.
    let info = unsafe gst_video_format_get_info(cgst_video_format_from_string(rawValue)).pointee
    func value<Number: BinaryInteger>(
      _ four: (Number, Number, Number, Number), _ index: Int
    ) -> Int {
      [Int(four.0), Int(four.1), Int(four.2), Int(four.3)][index]
    }
    let samples = unsafe (0..<Int(info.n_components)).map { index in
      unsafe Samples(
        plane: value(info.plane, index),
        // GStreamer 1.22 counts samples of P010 here, not bytes.
        offset: value(info.poffset, index) * (self == .p010 ? 2 : 1),
        step: value(info.pixel_stride, index), xShift: value(info.w_sub, index),
        yShift: value(info.h_sub, index), depth: value(info.depth, index),
        unusedBits: value(info.shift, index))
    }
    let isRGB = unsafe info.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0
    return (samples, isRGB)
  }
}
