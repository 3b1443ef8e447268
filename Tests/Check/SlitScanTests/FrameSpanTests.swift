// Tests of frames in one buffer: the bytes that are read and drawn, and strides and offsets that are refused.

import Testing

@testable import SlitScan

@Suite struct FrameSpanTests {
  private static func component(
    plane: Int = 0, offset: Int, step: Int, bytes: Int = 1, shift: Int = 0, yShift: Int = 0,
    unusedBits: Int = 0
  ) -> FrameLayout.Component {
    .init(
      role: .colour, plane: plane, offset: offset, step: step, bytes: bytes, xShift: shift,
      yShift: yShift, unusedBits: unusedBits, black: 0, white: bytes == 1 ? 255 : 65535)
  }

  /// One layout of each kind: packed, planar, semi-planar, of two pixels a cell, of two bytes a sample, four planes.
  private static func layouts(_ width: Int, _ height: Int) throws -> [FrameLayout] {
    let components = [
      // YUY2
      [
        component(offset: 0, step: 2), component(offset: 1, step: 4, shift: 1),
        component(offset: 3, step: 4, shift: 1),
      ],
      // P010
      [
        component(offset: 0, step: 2, bytes: 2, unusedBits: 6),
        component(plane: 1, offset: 0, step: 4, bytes: 2, shift: 1, yShift: 1, unusedBits: 6),
        component(plane: 1, offset: 2, step: 4, bytes: 2, shift: 1, yShift: 1, unusedBits: 6),
      ],
      // RGBA, 16 bits
      (0..<4).map { component(offset: 2 * $0, step: 8, bytes: 2) },
      // Four planes, as GBRA
      (0..<4).map { component(plane: $0, offset: 0, step: 1) },
    ]
    return try [
      .rgba(width: width, height: height), .rgb(width: width, height: height),
      .gray8(width: width, height: height), .i420(width: width, height: height),
      .nv12(width: width, height: height),
    ]
      + components.map {
        try FrameLayout(width: width, height: height, isBigEndian: false, components: $0)
      }
  }

  /// Where the bytes of a frame are, in a buffer with gaps and its planes in reverse order.
  private struct Places {
    var strides: [Int] = []
    var offsets: [Int] = []
    var byteCount = 5

    init(_ layout: FrameLayout) {
      strides = layout.planes.enumerated().map { $1.rowBytes + 3 * $0 + 1 }
      for (plane, stride) in zip(layout.planes, strides).reversed() {
        offsets.insert(byteCount, at: 0)
        // The last row ends with its last sample.
        byteCount += stride * (plane.cellsHigh - 1) + plane.rowBytes
      }
    }

    /// The bytes of a frame without gaps, in that order; nil for a gap.
    func sources(_ layout: FrameLayout) -> [Int?] {
      var sources = [Int?](repeating: nil, count: byteCount)
      var next = 0
      for (index, plane) in layout.planes.enumerated() {
        for row in 0..<plane.cellsHigh {
          for byte in 0..<plane.rowBytes {
            sources[offsets[index] + row * strides[index] + byte] = next
            next += 1
          }
        }
      }
      return sources
    }
  }

  @Test(arguments: [(1, 1), (5, 3), (6, 4), (33, 17)])
  func stridesAndOffsetsChangeNothingButWhereBytesAre(_ size: (Int, Int)) async throws {
    for layout in try Self.layouts(size.0, size.1) {
      let settings = ScanSettings().with(\.depth, 4).with(\.map, .radial).with(
        \.interpolation, .linear)
      let (packed, gapped) = (SlitScanner(), SlitScanner())
      for scanner in [packed, gapped] { try scanner.configure(input: layout, settings: settings) }
      let places = Places(layout)
      let sources = places.sources(layout)
      for number in 0..<6 {
        let pixels = (0..<layout.byteCount).map {
          UInt8(truncatingIfNeeded: ($0 + 7) * (number + 3) * 11)
        }
        var output = [UInt8](repeating: 0, count: layout.byteCount)
        var target = try MutableFrameSpan(output.mutableSpan, layout: layout)
        try packed.scan(
          FrameSpan(pixels.span, layout: layout), into: &target, time: UInt64(number),
          settings: settings)

        let spread = sources.map { $0.map { pixels[$0] } ?? 99 }
        var spreadOutput = [UInt8](repeating: 77, count: spread.count)
        var spreadTarget = try MutableFrameSpan(
          spreadOutput.mutableSpan, layout: layout, strides: places.strides, offsets: places.offsets
        )
        try gapped.scan(
          FrameSpan(
            spread.span, layout: layout, strides: places.strides, offsets: places.offsets),
          into: &spreadTarget, time: UInt64(number), settings: settings)
        #expect(
          spreadOutput == sources.map { $0.map { output[$0] } ?? 77 },
          "frame \(number) of \(layout.components.count) components in \(layout.planes.count) planes"
        )
        #expect(await gapped.snapshot()?.bytes == output)
      }
    }
  }

  @Test func aBufferMustHaveEachByteOfTheFrameAndNoMore() throws {
    for layout in try Self.layouts(5, 3) {
      let strides = layout.planes.map { $0.rowBytes + 4 }
      let last = try #require(layout.planes.last)
      let spread = zip(layout.planes, strides).reduce(0) { $0 + $1.0.cellsHigh * $1.1 } - 4
      for (strides, byteCount) in [(nil, layout.byteCount), (strides, spread)] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        _ = try FrameSpan(bytes.span, layout: layout, strides: strides)
        _ = try MutableFrameSpan(bytes.mutableSpan, layout: layout, strides: strides)
        bytes.removeLast()
        let error = #expect(throws: ScanError.self) {
          _ = try FrameSpan(bytes.span, layout: layout, strides: strides)
        }
        #expect(error?.code == .frameTooSmall)
        #expect(
          error?.description.contains("\(last.cellsHigh) rows of \(last.rowBytes) bytes") == true)
        #expect(error?.description.contains("a buffer of \(byteCount - 1) bytes") == true)
        #expect(throws: ScanError.self) {
          _ = try MutableFrameSpan(bytes.mutableSpan, layout: layout, strides: strides)
        }
      }
    }
  }

  @Test func impossibleStridesAndOffsetsAreRefused() throws {
    let layout = try FrameLayout.i420(width: 8, height: 4)
    var bytes = [UInt8](repeating: 0, count: 100)
    _ = try FrameSpan(bytes.span, layout: layout, strides: [8, 4, 4], offsets: [0, 32, 40])
    let numbers = [Int.min, .min + 1, -1, 3, 97, .max - 1, .max]
    for number in numbers {
      for plane in 0..<3 {
        var strides = [8, 4, 4]
        strides[plane] = number
        var offsets = [0, 32, 40]
        offsets[plane] = number
        // A stride of 97 is one that the last of two rows does not fit in.
        for (strides, offsets) in [(strides, nil), (strides, [0, 32, 40]), (nil, offsets)]
        where strides != nil || plane > 0 || number != 3 {
          #expect(throws: ScanError.self, "\(strides ?? []) \(offsets ?? [])") {
            _ = try MutableFrameSpan(
              bytes.mutableSpan, layout: layout, strides: strides, offsets: offsets)
          }
        }
      }
    }
    for count in [0, 1, 2, 4, 5] {
      let few = [Int](repeating: 8, count: count)
      #expect(throws: ScanError.self) {
        _ = try FrameSpan(bytes.span, layout: layout, strides: few)
      }
      #expect(throws: ScanError.self) {
        _ = try FrameSpan(bytes.span, layout: layout, offsets: few)
      }
    }
    // A row of its own may have any stride: there is no next one.
    let row = try FrameLayout.gray8(width: 8, height: 1)
    _ = try FrameSpan(bytes.span, layout: row, strides: [.max])
    let rows = try FrameLayout.i420(width: 8, height: 1)
    #expect(throws: ScanError.self) {
      _ = try FrameSpan(bytes.span, layout: rows, strides: [.max, .max, .max])
    }
  }

  @Test func planesMayShareBytesToReadAndNotToDrawInto() throws {
    let layout = try FrameLayout.i420(width: 8, height: 4)
    var bytes = [UInt8](repeating: 0, count: 48)
    // Both planes of chroma from the same bytes: a grey frame needs only one.
    _ = try FrameSpan(bytes.span, layout: layout, offsets: [0, 32, 32])
    for offsets in [[0, 32, 32], [0, 32, 39], [0, 31, 40], [14, 8, 0], [0, 0, 40]] {
      let error = #expect(throws: ScanError.self) {
        _ = try MutableFrameSpan(bytes.mutableSpan, layout: layout, offsets: offsets)
      }
      #expect(error?.code == .frameTooSmall)
      #expect(error?.description.contains("overlap") == true)
    }
  }
}
