// The frame shape says how the planes of a frame lie in textures.

import CSlitScanKernels
import SlitScan

/// The textures of a frame's planes.
struct FrameTextures: Sendable {
  /// The names; 0 for planes that are not there.
  var names: SIMD4<UInt32>
  var formats: SIMD4<UInt32>
  /// Sizes in texels.
  var widths: SIMD4<Int32>
  var heights: SIMD4<Int32>
}

/// A plane in a texture.
struct TexelPlane {
  let plane: FrameLayout.Plane
  let format: TexelFormat
  /// Size in texels.
  let width: Int
  let height: Int
  /// Texels of a cell, as a power of two: 1 for packed 4:2:2, else 0.
  let cellShift: Int
  /// The layout of samples in channels for shaders, see samples.glsl.
  let words: Int
  /// For each channel of even and of odd texels, its part of `component-spread`.
  let shares: (even: SIMD4<Float>, odd: SIMD4<Float>)
  /// Whether channels differ in that.
  let hasOwnShares: Bool
  /// For each channel, how its component is subsampled across and down, and whether every other texel has it.
  let lanes: [SIMD4<Int32>]
  /// For each channel, the last column and row of its samples.
  let ends: [SIMD4<Int32>]
  /// Low bits that samples have beyond eight.
  let rangeShift: Int

  /// Whether channels have samples at different places.
  var hasOwnPlaces: Bool { lanes.contains { $0 != lanes[0] } }

  /// The channels of a cell's bytes, from 0 to 1.
  func channels(of cell: [UInt8]) -> (even: SIMD4<Float>, odd: SIMD4<Float>) {
    func channels(from start: Int) -> SIMD4<Float> {
      var channels = SIMD4<Float>.zero
      for channel in 0..<format.channels {
        let byte = start + channel * format.channelBytes
        guard byte + format.channelBytes <= cell.count else { break }
        channels[channel] =
          format.channelBytes == 1
          ? Float(cell[byte]) / 255 : Float(Int(cell[byte + 1]) << 8 | Int(cell[byte])) / 65_535
      }
      return channels
    }
    return (channels(from: 0), channels(from: cellShift * format.texelBytes))
  }
}

/// The layout of a frame's planes in textures.
struct FrameShape {
  let tiles: TiledLayout
  let planes: [TexelPlane]
  private let formats: SIMD4<UInt32>
  private let widths: SIMD4<Int32>
  private let heights: SIMD4<Int32>
  /// For each plane, 1 for each sample of a texel, and 0 for padding.
  let counted: [SIMD4<UInt32>]

  var layout: FrameLayout { tiles.layout }

  /// - Throws: ``ScanError`` where textures cannot hold such planes, or only change them.
  init(_ layout: FrameLayout, _ textures: FrameTextures) throws(ScanError) {
    tiles = TiledLayout(layout)
    formats = textures.formats
    widths = textures.widths
    heights = textures.heights
    var planes: [TexelPlane] = []
    for index in layout.planes.indices {
      guard index < 4, let format = TexelFormat(textures.formats[index]),
        let texelPlane = TexelPlane(
          index, layout, format, width: Int(textures.widths[index]),
          height: Int(textures.heights[index]), shares: tiles.spreadShares[index])
      else {
        throw ScanError(
          .unsupportedFormat,
          "This video format cannot be scanned on the GPU: its samples are not whole channels of "
            + "textures. Put glcolorconvert before it.")
      }
      planes.append(texelPlane)
    }
    self.planes = planes
    counted = planes.indices.map { plane in
      var counted = SIMD4<UInt32>(repeating: 1)
      for component in layout.components where component.role == .padding {
        if component.plane == plane {
          counted[component.offset / planes[plane].format.channelBytes % 4] = 0
        }
      }
      return counted
    }
  }

  /// Whether a frame's textures are of this shape.
  func fits(_ textures: FrameTextures) -> Bool {
    for index in planes.indices where textures.names[index] == 0 { return false }
    return textures.formats == formats && textures.widths == widths && textures.heights == heights
  }

  /// Bytes of a frame.
  var byteCount: Int {
    planes.reduce(0) { $0 + $1.width * $1.height * $1.format.texelBytes }
  }
}

extension TexelPlane {
  fileprivate init?(
    _ index: Int, _ layout: FrameLayout, _ format: TexelFormat, width: Int, height: Int,
    shares: [Double]
  ) {
    let plane = layout.planes[index]
    let texels = plane.cellBytes / format.texelBytes
    guard plane.cellBytes % format.texelBytes == 0, texels == 1 || texels == 2,
      height == plane.cellsHigh, width <= plane.cellsWide * texels,
      width > (plane.cellsWide - 1) * texels
    else { return nil }
    switch (plane.sampleBytes, format.channelBytes) {
    case (1, 1): words = 0
    case (2, 2) where !layout.isBigEndian: words = 1
    // A single sample, whose bytes are channels.
    case (2, 1) where format.channels == 2 && texels == 1: words = layout.isBigEndian ? 3 : 2
    default: return nil
    }
    self.plane = plane
    self.format = format
    self.width = width
    self.height = height
    cellShift = texels - 1
    func share(_ start: Int) -> SIMD4<Float> {
      var result = SIMD4<Float>.zero
      for channel in 0..<4 {
        // Channels that are not there go with the last one that is.
        let byte = start + min(channel, format.channels - 1) * format.channelBytes
        result[channel] = Float(byte < shares.count ? shares[byte] : 0)
      }
      return result
    }
    self.shares = (share(0), share((texels - 1) * format.texelBytes))
    let first = self.shares.even[0]
    hasOwnShares =
      self.shares.even != SIMD4(repeating: first)
      || self.shares.odd != SIMD4(repeating: first)
    let lanes = (0..<4).map { channel in
      let byte = min(channel, format.channels - 1) * format.channelBytes
      return SlitScanLane(ofSample: byte / plane.sampleBytes, plane: index, layout: layout)
    }
    let texelShift = Int32(texels - 1)
    self.lanes = lanes.map { SIMD4($0.x_shift, $0.y_shift, texelShift - $0.count_shift, 0) }
    ends = lanes.map { SIMD4($0.samples_wide - 1, $0.samples_high - 1, 0, 0) }
    rangeShift = Int(lanes[0].range_shift)
  }
}

/// A frame in textures of its own, which are made when they are needed first.
struct HeldFrame {
  private let gl: GL
  private let shape: FrameShape
  private let purpose: String
  private var textures: [Texture] = []
  /// Whether there is a frame.
  var isHeld = false

  /// No frame yet.
  init(_ gl: GL, _ shape: FrameShape, for purpose: String = "a copy of a frame") {
    self.gl = gl
    self.shape = shape
    self.purpose = purpose
  }

  /// The bytes of texture memory that the frame takes.
  var byteCount: Int { textures.reduce(0) { $0 + $1.byteCount } }

  /// The textures as those of a frame from elsewhere, to draw to; whatever is there.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func frame() throws(ScanError) -> FrameTextures {
    if textures.isEmpty {
      textures = try shape.planes.map { plane throws(ScanError) in
        guard let texture = gl.makeTexture(plane.format, width: plane.width, height: plane.height)
        else { throw .refusedTexture(for: purpose) }
        return texture
      }
    }
    var frame = FrameTextures(names: .zero, formats: .zero, widths: .zero, heights: .zero)
    for (index, texture) in textures.enumerated() { frame.names[index] = texture.name }
    return frame
  }

  /// Keeps a copy of a frame.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func hold(_ other: FrameTextures) throws(ScanError) {
    gl.copy(shape, from: other, to: try frame())
    isHeld = true
  }
}

extension GL {
  /// Copies a frame.
  func copy(_ shape: FrameShape, from source: FrameTextures, to target: FrameTextures) {
    for index in shape.planes.indices {
      copy(
        width: shape.planes[index].width, height: shape.planes[index].height,
        from: Place(name: source.names[index]), to: Place(name: target.names[index]))
    }
  }
}
