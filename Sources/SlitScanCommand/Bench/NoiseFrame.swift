// Pictures of noise, in planes of their own.

import SlitScan

/// An I420 picture of noise, or a place to draw one.
struct NoiseFrame {
  let layout: FrameLayout
  private var y: [UInt8]
  private var u: [UInt8]
  private var v: [UInt8]

  /// - Parameter isSmooth: Whether the luma is a slope that `seed` moves, instead of noise.
  init(width: Int, height: Int, seed: UInt64, isSmooth: Bool = false) throws {
    layout = try FrameLayout(
      width: width, height: height, isBigEndian: false,
      components: (0..<3).map { plane in
        FrameLayout.Component(
          role: .colour, plane: plane, offset: 0, step: 1, bytes: 1, xShift: plane == 0 ? 0 : 1,
          yShift: plane == 0 ? 0 : 1, unusedBits: 0, black: plane == 0 ? 16 : 128,
          white: plane == 0 ? 235 : 128)
      })
    // A linear congruential generator is noise enough to be different everywhere.
    var state = seed
    func noise(_ plane: FrameLayout.Plane) -> [UInt8] {
      (0..<plane.rowBytes * plane.cellsHigh).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    }
    y = noise(layout.planes[0])
    u = noise(layout.planes[1])
    v = noise(layout.planes[2])
    guard isSmooth else { return }
    for index in y.indices {
      let along = 16 + 219 * (index % width + index / width) / (width + height)
      y[index] = UInt8(clamping: along - Int(seed % 8))
    }
  }

  /// Bytes of the picture.
  var byteCount: Int { y.count + u.count + v.count }

  private var strides: SIMD4<Int> {
    SIMD4(layout.planes[0].rowBytes, layout.planes[1].rowBytes, layout.planes[2].rowBytes, 0)
  }

  /// Sends the picture through the effect.
  func scan(
    by scanner: SlitScanner, into target: inout NoiseFrame, time: UInt64, settings: ScanSettings
  ) throws {
    let source = unsafe Picture(
      y.span.bytes, u.span.bytes, v.span.bytes, RawSpan(), strides: strides)
    let targetStrides = target.strides
    try Self.scan(
      source, by: scanner, into: &target.y, &target.u, &target.v, strides: targetStrides,
      time: time, settings: settings)
  }

  private static func scan(
    _ source: borrowing Picture, by scanner: SlitScanner, into y: inout [UInt8],
    _ u: inout [UInt8], _ v: inout [UInt8], strides: SIMD4<Int>, time: UInt64,
    settings: ScanSettings
  ) throws {
    var y = y.mutableSpan
    var u = u.mutableSpan
    var v = v.mutableSpan
    var drawn = unsafe MutablePicture(
      y.mutableBytes, u.mutableBytes, v.mutableBytes, MutableRawSpan(), strides: strides)
    try scanner.scan(source, into: &drawn, time: time, settings: settings)
  }

  /// Gives the picture to the effect as a map.
  func set(as role: MapPictureRole, of scanner: SlitScanner) throws {
    let source = unsafe Picture(
      y.span.bytes, u.span.bytes, v.span.bytes, RawSpan(), strides: strides)
    try scanner.setMapPicture(source, layout: layout, as: role)
  }

  /// Takes over the bytes of another picture of the same size.
  mutating func copy(_ other: NoiseFrame) {
    unsafe y.withUnsafeMutableBytes { unsafe $0.copyBytes(from: other.y) }
    unsafe u.withUnsafeMutableBytes { unsafe $0.copyBytes(from: other.u) }
    unsafe v.withUnsafeMutableBytes { unsafe $0.copyBytes(from: other.v) }
  }
}
