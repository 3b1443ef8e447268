// A test format is a video format of GStreamer's, and the textures that it is uploaded to.

import COpenGL
import SlitScan

/// A video format.
struct TestFormat: CustomStringConvertible, Sendable {
  let description: String
  /// The format of each plane's texture.
  let textures: [Int32]
  private let isRGB: Bool
  private let isBigEndian: Bool
  private let components: [FrameLayout.Component]

  func layout(width: Int, height: Int) throws -> FrameLayout {
    try FrameLayout(
      width: width, height: height, isBigEndian: isBigEndian, isRGB: isRGB, components: components)
  }

  /// - Parameter parts: For each component the plane, offset, step, and shifts.
  private init(
    _ name: String, _ textures: [Int32], isRGB: Bool = false, isBigEndian: Bool = false,
    bytes: Int = 1, unusedBits: Int = 0, alpha: Int? = nil, black: [UInt16], white: [UInt16],
    _ parts: [(Int, Int, Int, Int, Int)]
  ) {
    description = name
    self.textures = textures
    self.isRGB = isRGB
    self.isBigEndian = isBigEndian
    components = parts.enumerated().map { index, part in
      FrameLayout.Component(
        role: index == alpha ? .alpha : .colour, plane: part.0, offset: part.1, step: part.2,
        bytes: bytes, xShift: part.3, yShift: part.4, unusedBits: unusedBits,
        black: black[index], white: white[index])
    }
  }

  static let all: [TestFormat] = [
    TestFormat(
      "RGBA", [GL_RGBA8], isRGB: true, alpha: 3, black: [0, 0, 0, 255],
      white: [255, 255, 255, 255],
      [(0, 0, 4, 0, 0), (0, 1, 4, 0, 0), (0, 2, 4, 0, 0), (0, 3, 4, 0, 0)]),
    TestFormat(
      "xBGR", [GL_RGBA8], isRGB: true, black: [0, 0, 0], white: [255, 255, 255],
      [(0, 3, 4, 0, 0), (0, 2, 4, 0, 0), (0, 1, 4, 0, 0)]),
    TestFormat(
      "BGR", [GL_RGB8], isRGB: true, black: [0, 0, 0], white: [255, 255, 255],
      [(0, 2, 3, 0, 0), (0, 1, 3, 0, 0), (0, 0, 3, 0, 0)]),
    TestFormat(
      "GBR", [GL_R8, GL_R8, GL_R8], isRGB: true, black: [0, 0, 0], white: [255, 255, 255],
      [(2, 0, 1, 0, 0), (0, 0, 1, 0, 0), (1, 0, 1, 0, 0)]),
    TestFormat(
      "I420", [GL_R8, GL_R8, GL_R8], black: [16, 128, 128], white: [235, 128, 128],
      [(0, 0, 1, 0, 0), (1, 0, 1, 1, 1), (2, 0, 1, 1, 1)]),
    TestFormat(
      "A420", [GL_R8, GL_R8, GL_R8, GL_R8], alpha: 3, black: [16, 128, 128, 255],
      white: [235, 128, 128, 255],
      [(0, 0, 1, 0, 0), (1, 0, 1, 1, 1), (2, 0, 1, 1, 1), (3, 0, 1, 0, 0)]),
    TestFormat(
      "NV12", [GL_R8, GL_RG8], black: [16, 128, 128], white: [235, 128, 128],
      [(0, 0, 1, 0, 0), (1, 0, 2, 1, 1), (1, 1, 2, 1, 1)]),
    TestFormat(
      "YUY2", [GL_RG8], black: [16, 128, 128], white: [235, 128, 128],
      [(0, 0, 2, 0, 0), (0, 1, 4, 1, 0), (0, 3, 4, 1, 0)]),
    TestFormat(
      "UYVY", [GL_RG8], black: [16, 128, 128], white: [235, 128, 128],
      [(0, 1, 2, 0, 0), (0, 0, 4, 1, 0), (0, 2, 4, 1, 0)]),
    TestFormat("GRAY8", [GL_R8], black: [16], white: [235], [(0, 0, 1, 0, 0)]),
    TestFormat("GRAY16_LE", [GL_RG8], bytes: 2, black: [4096], white: [60160], [(0, 0, 2, 0, 0)]),
    TestFormat(
      "GRAY16_BE", [GL_RG8], isBigEndian: true, bytes: 2, black: [4096], white: [60160],
      [(0, 0, 2, 0, 0)]),
    TestFormat(
      "P010", [GL_R16, GL_RG16], bytes: 2, unusedBits: 6, black: [4096, 32768, 32768],
      white: [60160, 32768, 32768], [(0, 0, 2, 0, 0), (1, 0, 4, 1, 1), (1, 2, 4, 1, 1)]),
    TestFormat(
      "Y210", [GL_RG16], bytes: 2, unusedBits: 6, black: [4096, 32768, 32768],
      white: [60160, 32768, 32768], [(0, 0, 4, 0, 0), (0, 2, 8, 1, 0), (0, 6, 8, 1, 0)]),
    TestFormat(
      "ARGB64", [GL_RGBA16], isRGB: true, bytes: 2, alpha: 3, black: [0, 0, 0, 65535],
      white: [65535, 65535, 65535, 65535],
      [(0, 2, 8, 0, 0), (0, 4, 8, 0, 0), (0, 6, 8, 0, 0), (0, 0, 8, 0, 0)]),
  ]
}
