// The video formats of the benchmarks, by GStreamer's names, with the position of each component.

import ArgumentParser
import SlitScan

/// A video format, of every kind of cell that the effect has kernels for.
enum FrameFormat: String, CaseIterable, Codable, Choice {
  // One-byte cells.
  case gray8 = "GRAY8"
  case i420 = "I420"
  case y444 = "Y444"
  // Two-byte cells: a sample of 16 bits, or a pair of 8.
  case gray16 = "GRAY16_LE"
  case i420With10Bits = "I420_10LE"
  case nv12 = "NV12"
  // Three-byte pixels.
  case rgb = "RGB"
  case bgr = "BGR"
  // Four-byte cells: a pixel, two pixels of packed 4:2:2, or a pair of 16 bits.
  case yuy2 = "YUY2"
  case rgbx = "RGBx"
  case bgrx = "BGRx"
  case rgba = "RGBA"
  case bgra = "BGRA"
  case p010 = "P010_10LE"
  // Eight-byte pixels.
  case argb64 = "ARGB64"
  case ayuv64 = "AYUV64"

  /// The layout of a frame of this size.
  func layout(_ size: FrameSize) throws(ScanError) -> FrameLayout {
    try FrameLayout(
      width: size.width, height: size.height, isBigEndian: false, isRGB: isRGB,
      components: samples.enumerated().map { index, sample in component(index, sample) })
  }

  /// The places of one component's samples, as in `GstVideoFormatInfo`.
  private struct Samples {
    var plane = 0
    var offset = 0
    var step: Int
    /// Log₂ of the pixels that share a sample, across and down.
    var shift = (x: 0, y: 0)
  }

  /// The components, in the order Y, U, V or R, G, B, then alpha.
  private var samples: [Samples] {
    switch self {
    case .gray8: [Samples(step: 1)]
    case .gray16: [Samples(step: 2)]
    case .i420: Self.planar(step: 1, chromaShift: (1, 1))
    case .i420With10Bits: Self.planar(step: 2, chromaShift: (1, 1))
    case .y444: Self.planar(step: 1, chromaShift: (0, 0))
    case .nv12: Self.semiPlanar(bytes: 1)
    case .p010: Self.semiPlanar(bytes: 2)
    case .yuy2:
      [
        Samples(offset: 0, step: 2),
        Samples(offset: 1, step: 4, shift: (1, 0)),
        Samples(offset: 3, step: 4, shift: (1, 0)),
      ]
    case .rgb: Self.packed(step: 3, offsets: 0, 1, 2)
    case .bgr: Self.packed(step: 3, offsets: 2, 1, 0)
    case .rgbx: Self.packed(step: 4, offsets: 0, 1, 2)
    case .bgrx: Self.packed(step: 4, offsets: 2, 1, 0)
    case .rgba: Self.packed(step: 4, offsets: 0, 1, 2, 3)
    case .bgra: Self.packed(step: 4, offsets: 2, 1, 0, 3)
    case .argb64, .ayuv64: Self.packed(step: 8, offsets: 2, 4, 6, 0)
    }
  }

  private static func planar(step: Int, chromaShift: (x: Int, y: Int)) -> [Samples] {
    [
      Samples(plane: 0, step: step),
      Samples(plane: 1, step: step, shift: chromaShift),
      Samples(plane: 2, step: step, shift: chromaShift),
    ]
  }

  private static func semiPlanar(bytes: Int) -> [Samples] {
    [
      Samples(plane: 0, step: bytes),
      Samples(plane: 1, offset: 0, step: 2 * bytes, shift: (1, 1)),
      Samples(plane: 1, offset: bytes, step: 2 * bytes, shift: (1, 1)),
    ]
  }

  private static func packed(step: Int, offsets: Int...) -> [Samples] {
    offsets.map { Samples(offset: $0, step: step) }
  }

  private var isRGB: Bool {
    switch self {
    case .rgb, .bgr, .rgbx, .bgrx, .rgba, .bgra, .argb64: true
    default: false
    }
  }

  private var isGray: Bool { self == .gray8 || self == .gray16 }

  /// Bits of a sample that carry its value.
  private var depth: Int {
    switch self {
    case .i420With10Bits, .p010: 10
    case .gray16, .argb64, .ayuv64: 16
    default: 8
    }
  }

  private var unusedBits: Int { self == .p010 ? 6 : 0 }

  /// Bytes of a sample.
  var sampleBytes: Int { depth > 8 ? 2 : 1 }

  /// The bits that a sample may have set.
  var sampleMask: UInt16 { UInt16((1 << depth) - 1) << UInt16(unusedBits) }

  private func component(_ index: Int, _ sample: Samples) -> FrameLayout.Component {
    let isAlpha = index == 3
    let most = (1 << depth) - 1
    let (black, white) =
      if isAlpha {
        (most, most)
      } else if isRGB || isGray {
        (0, most)
      } else if index == 0 {
        (16 << (depth - 8), 235 << (depth - 8))
      } else {
        (1 << (depth - 1), 1 << (depth - 1))
      }
    return FrameLayout.Component(
      role: isAlpha ? .alpha : .colour, plane: sample.plane, offset: sample.offset,
      step: sample.step, bytes: sampleBytes, xShift: sample.shift.x, yShift: sample.shift.y,
      unusedBits: unusedBits, black: UInt16(black << unusedBits),
      white: UInt16(white << unusedBits))
  }
}
