// A texel format is the format of a texture: what a texel is made of, and how memory is uploaded.

import COpenGL
import SlitScan

/// The format of a texture.
struct TexelFormat: Equatable {
  /// As OpenGL names it.
  let internalFormat: UInt32
  /// The format and the type of memory that is uploaded.
  let format: UInt32
  let type: UInt32
  let channels: Int
  /// Bytes of a channel.
  let channelBytes: Int

  /// Bytes of a texel.
  var texelBytes: Int { channels * channelBytes }

  private init(_ name: Int32, _ format: Int32, _ type: Int32, channels: Int, channelBytes: Int) {
    internalFormat = UInt32(name)
    self.format = UInt32(format)
    self.type = UInt32(type)
    self.channels = channels
    self.channelBytes = channelBytes
  }

  /// A format that frames may have, by OpenGL's name; nil for one whose samples are not whole bytes.
  init?(_ name: UInt32) {
    let byte = GL_UNSIGNED_BYTE
    let word = GL_UNSIGNED_SHORT
    switch Int32(bitPattern: name) {
    case GL_R8, GL_RED: self.init(GL_R8, GL_RED, byte, channels: 1, channelBytes: 1)
    case GL_RG8, GL_RG: self.init(GL_RG8, GL_RG, byte, channels: 2, channelBytes: 1)
    case GL_RGB8, GL_RGB: self.init(GL_RGB8, GL_RGB, byte, channels: 3, channelBytes: 1)
    case GL_RGBA8, GL_RGBA: self.init(GL_RGBA8, GL_RGBA, byte, channels: 4, channelBytes: 1)
    case GL_R16: self.init(GL_R16, GL_RED, word, channels: 1, channelBytes: 2)
    case GL_RG16: self.init(GL_RG16, GL_RG, word, channels: 2, channelBytes: 2)
    case GL_RGB16: self.init(GL_RGB16, GL_RGB, word, channels: 3, channelBytes: 2)
    case GL_RGBA16: self.init(GL_RGBA16, GL_RGBA, word, channels: 4, channelBytes: 2)
    default: return nil
    }
  }

  /// The format for one sample of `bytes`, with as many channels as it has in this one.
  func ofOneSample(_ bytes: Int) -> TexelFormat {
    let word = GL_UNSIGNED_SHORT
    guard channelBytes == 1 else {
      return TexelFormat(GL_R16, GL_RED, word, channels: 1, channelBytes: 2)
    }
    return bytes == 1
      ? TexelFormat(GL_R8, GL_RED, GL_UNSIGNED_BYTE, channels: 1, channelBytes: 1)
      : TexelFormat(GL_RG8, GL_RG, GL_UNSIGNED_BYTE, channels: 2, channelBytes: 1)
  }

  /// One number of 32 bits, which may be those of a float.
  static let number = TexelFormat(
    GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, channels: 1, channelBytes: 4)
  /// Two such numbers.
  static let twoNumbers = TexelFormat(
    GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, channels: 2, channelBytes: 4)
  /// Four such numbers.
  static let fourNumbers = TexelFormat(
    GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, channels: 4, channelBytes: 4)
  /// A node of a field of motion.
  static let node = TexelFormat(
    GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, channels: 4, channelBytes: 2)
  /// Four bytes.
  static let fourBytes = TexelFormat(
    GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, channels: 4, channelBytes: 1)
  /// The place of a pixel.
  static let place = TexelFormat(GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, channels: 4, channelBytes: 4)
}
