// The test content of benchmark frames.

import SlitScan

extension Frame {
  /// A frame that is different for each `number`: noise for odd ones, slopes for even ones.
  ///
  /// Noise is the worst a camera delivers; slopes are what maps from images look like.
  convenience init(_ layout: FrameLayout, format: FrameFormat, number: Int) {
    self.init(layout)
    let mask = Self.mask(format)
    if number % 2 == 1 {
      fill(masked: mask, noiseFrom: UInt64(number))
    } else {
      fill(masked: mask, slopeFrom: number)
    }
  }

  private static func mask(_ format: FrameFormat) -> UInt64 {
    let mask = UInt64(format.sampleMask)
    return format.sampleBytes == 1
      ? mask * 0x0101_0101_0101_0101 : mask * 0x0001_0001_0001_0001
  }

  private func fill(masked mask: UInt64, noiseFrom seed: UInt64) {
    // xorshift64, Marsaglia 2003: noise enough to be different everywhere.
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    fillRows { _, _, bytes in
      Self.fill(&bytes, masked: mask) { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
      }
    }
  }

  private func fill(masked mask: UInt64, slopeFrom start: Int) {
    fillRows { plane, row, bytes in
      let span = bytes.byteCount + self.layout.planes[plane].cellsHigh
      Self.fill(&bytes, masked: mask) { offset in
        let level = 16 + (offset + row) * 208 / span + start % 8
        return UInt64(level) * 0x0101_0101_0101_0101
      }
    }
  }

  /// Fills a row with words of eight bytes, each made from its offset.
  private static func fill(
    _ bytes: inout MutableRawSpan, masked mask: UInt64, _ word: (_ offset: Int) -> UInt64
  ) {
    for offset in stride(from: 0, to: bytes.byteCount, by: 8) {
      let value = word(offset) & mask
      if offset + 8 <= bytes.byteCount {
        bytes.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
      } else {
        // Rows are multiples of four bytes.
        bytes.storeBytes(
          of: UInt32(truncatingIfNeeded: value), toByteOffset: offset, as: UInt32.self)
      }
    }
  }
}
