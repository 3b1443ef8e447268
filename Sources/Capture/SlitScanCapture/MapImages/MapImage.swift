// A map image is a grey image in memory that says when each pixel is shown.

import GStreamer

/// A grey image in memory, for ``CaptureSession/setMapImage(_:)``: the map `live`, of one frame.
///
/// ```swift
/// let ramp = try MapImage(width: 256, height: 1, gray8: (0...255).map { UInt8($0) })
/// try await capture.set("map", to: "live")
/// try await capture.setMapImage(ramp)
/// ```
///
/// Black is 0, the newest frame, and white is 1, the oldest. It is scaled to the frame with bilinear interpolation, whatever its shape.
public struct MapImage: Sendable, Hashable {
  /// The longest side, in pixels.
  package static let longestSide = 16384

  /// Pixels across.
  package let width: Int
  /// Pixels down.
  package let height: Int
  private let pixels: Pixels

  private enum Pixels: Sendable, Hashable {
    case gray8([UInt8])
    case gray16([UInt16])
  }

  /// An image of 8 bits a pixel, from 0 to 255.
  ///
  /// - Parameters:
  ///   - width: Pixels across, 1 to 16384.
  ///   - height: Pixels down, 1 to 16384.
  ///   - pixels: `width * height` values, row by row from the top, without padding.
  /// - Throws: ``CaptureError/Code/badMapImage``.
  public init(width: Int, height: Int, gray8 pixels: [UInt8]) throws(CaptureError) {
    try self.init(width, height, pixels.count, .gray8(pixels))
  }

  /// An image of 16 bits a pixel, from 0 to 65535.
  ///
  /// - Parameters:
  ///   - width: Pixels across, 1 to 16384.
  ///   - height: Pixels down, 1 to 16384.
  ///   - pixels: `width * height` values, row by row from the top, without padding.
  /// - Throws: ``CaptureError/Code/badMapImage``.
  public init(width: Int, height: Int, gray16 pixels: [UInt16]) throws(CaptureError) {
    try self.init(width, height, pixels.count, .gray16(pixels))
  }

  private init(
    _ width: Int, _ height: Int, _ count: Int, _ pixels: Pixels
  ) throws(CaptureError) {
    guard 1...Self.longestSide ~= width, 1...Self.longestSide ~= height else {
      throw CaptureError(
        .badMapImage,
        "A map image of \(width)x\(height) pixels is impossible; each side must be 1 to "
          + "\(Self.longestSide) pixels.")
    }
    guard count == width * height else {
      throw CaptureError(
        .badMapImage,
        "A map image of \(width)x\(height) pixels needs \(width * height) values, not \(count).")
    }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The image as a buffer without a time, and its caps.
  package func sample() throws(CaptureError) -> Sample {
    do {
      let info = try VideoInfo(format, width: width, height: height)
      var buffer = try WritableBuffer(info)
      try buffer.withVideoFrame(info) { frame in
        let stride = frame.shape(ofPlane: 0).stride
        var bytes = frame.mutableBytes(ofPlane: 0)
        switch pixels {
        case .gray8(let pixels): write(pixels, to: &bytes, stride)
        case .gray16(let pixels): write(pixels, to: &bytes, stride)
        }
      }
      return Sample(buffer.finish(), caps: try info.caps())
    } catch {
      throw CaptureError(
        .badMapImage, "A map image of \(width)x\(height) pixels cannot be passed on.",
        underlying: error)
    }
  }

  private var format: VideoFormat {
    switch pixels {
    case .gray8: .gray8
    case .gray16: .gray16
    }
  }

  private func write<Pixel: FixedWidthInteger & BitwiseCopyable>(
    _ pixels: [Pixel], to bytes: inout MutableRawSpan, _ stride: Int
  ) {
    for row in 0..<height {
      for column in 0..<width {
        bytes.storeBytes(
          of: pixels[row * width + column].littleEndian,
          toByteOffset: row * stride + column * MemoryLayout<Pixel>.size, as: Pixel.self)
      }
    }
  }
}
