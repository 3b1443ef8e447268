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

  /// The line that starts at byte `offset`.
  @inline(__always)
  init(_ bytes: RawSpan, at offset: Int) {
    first = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    second = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: SIMD16<UInt8>.self)
    third = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 32, as: SIMD16<UInt8>.self)
    fourth = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 48, as: SIMD16<UInt8>.self)
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

  /// Writes the line to where byte `offset` is.
  @inline(__always)
  func store(to bytes: inout MutableRawSpan, at offset: Int) {
    bytes.storeBytes(of: first, toByteOffset: offset, as: SIMD16<UInt8>.self)
    bytes.storeBytes(of: second, toByteOffset: offset + 16, as: SIMD16<UInt8>.self)
    bytes.storeBytes(of: third, toByteOffset: offset + 32, as: SIMD16<UInt8>.self)
    bytes.storeBytes(of: fourth, toByteOffset: offset + 48, as: SIMD16<UInt8>.self)
  }

  /// Takes over the bytes of `other` where those of `mask` are not 0.
  @inline(__always)
  mutating func replace(with other: TileLine, where mask: TileLine) {
    first.replace(with: other.first, where: mask.first .!= 0)
    second.replace(with: other.second, where: mask.second .!= 0)
    third.replace(with: other.third, where: mask.third .!= 0)
    fourth.replace(with: other.fourth, where: mask.fourth .!= 0)
  }

  /// A byte of the line.
  @inline(__always)
  subscript(lane: Int) -> UInt8 {
    switch lane / 16 {
    case 0: first[lane % 16]
    case 1: second[lane % 16]
    case 2: third[lane % 16]
    default: fourth[lane % 16]
    }
  }
}
