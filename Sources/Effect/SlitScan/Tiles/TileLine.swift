// A tile line is one cache line of a plane, the unit that the kernels read, blend and write.

/// 64 bytes of a tile, in four vectors of 16.
///
/// Vectors of 16 lanes and no more: bitwise operators on wider ones are not inlined.
struct TileLine {
  /// Bytes of a line.
  static let byteCount = 64

  var first: SIMD16<UInt8>
  var second: SIMD16<UInt8>
  var third: SIMD16<UInt8>
  var fourth: SIMD16<UInt8>

  /// A line of zeros.
  @inline(__always)
  init() {
    first = .init()
    second = .init()
    third = .init()
    fourth = .init()
  }

  /// A line of 64 bytes, asked for in order.
  @inline(__always)
  init(_ byte: (_ lane: Int) -> UInt8) {
    self.init()
    for lane in 0..<16 { first[lane] = byte(lane) }
    for lane in 0..<16 { second[lane] = byte(16 + lane) }
    for lane in 0..<16 { third[lane] = byte(32 + lane) }
    for lane in 0..<16 { fourth[lane] = byte(48 + lane) }
  }
}
