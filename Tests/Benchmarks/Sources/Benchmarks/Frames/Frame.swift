// A frame in memory, laid out as GStreamer lays it out.

import Foundation
import SlitScan

/// A frame's bytes: planes one after another, rows padded to multiples of four bytes.
@safe
final class Frame {
  let layout: FrameLayout
  /// Bytes of all planes.
  let byteCount: Int
  private let memory: UnsafeMutableRawPointer
  /// The start of each plane, and the bytes from one of its rows to the next.
  private let planes: [(start: Int, stride: Int, byteCount: Int)]

  /// A frame of zeros, on a cache line of its own.
  init(_ layout: FrameLayout) {
    self.layout = layout
    var end = 0
    planes = layout.planes.map { plane in
      let stride = (plane.rowBytes + 3) / 4 * 4
      defer { end += stride * plane.cellsHigh }
      return (start: end, stride: stride, byteCount: stride * plane.cellsHigh)
    }
    byteCount = end
    unsafe memory = .allocate(byteCount: byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit { unsafe memory.deallocate() }

  /// A frame that is different for each `number`: noise for odd ones, slopes for even ones.
  ///
  /// Noise is the worst a camera delivers; slopes are what maps from images look like.
  convenience init(_ layout: FrameLayout, format: FrameFormat, number: Int) {
    self.init(layout)
    let mask = format.sampleMask
    // xorshift64, Marsaglia 2003: noise enough to be different everywhere.
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    for plane in planes {
      let span = plane.stride + plane.byteCount / plane.stride
      // Rows are multiples of four bytes.
      for offset in stride(from: 0, to: plane.byteCount, by: 4) {
        if number % 2 == 1 {
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
        } else {
          let (row, byte) = offset.quotientAndRemainder(dividingBy: plane.stride)
          state = UInt64(16 + (row + byte) * 208 / span + number % 8) * 0x0101_0101_0101_0101
        }
        unsafe (memory + plane.start).storeBytes(
          of: UInt32(truncatingIfNeeded: state & mask), toByteOffset: offset, as: UInt32.self)
      }
    }
  }

  /// Sends the frame through the effect.
  ///
  /// - Parameters:
  ///   - target: Where the output goes.
  ///   - time: Running time in nanoseconds.
  func scan(
    by scanner: SlitScanner, into target: Frame, time: UInt64, settings: ScanSettings
  ) throws(ScanError) -> FrameReport {
    let source = FrameSpan(span(0), span(1), span(2), span(3), strides: strides)
    var drawn = MutableFrameSpan(
      target.mutableSpan(0), target.mutableSpan(1), target.mutableSpan(2), target.mutableSpan(3),
      strides: target.strides)
    return try scanner.scan(source, into: &drawn, time: time, settings: settings)
  }

  /// Draws the ages of the effect's last output into the frame.
  func drawAges(of scanner: SlitScanner) throws(ScanError) {
    var drawn = MutableFrameSpan(
      mutableSpan(0), mutableSpan(1), mutableSpan(2), mutableSpan(3), strides: strides)
    try scanner.drawAges(into: &drawn)
  }

  /// Gives the frame to the effect as a map.
  func set(as role: MapImageRole, of scanner: SlitScanner) throws(ScanError) {
    let source = FrameSpan(span(0), span(1), span(2), span(3), strides: strides)
    try scanner.setMapImage(source, layout: layout, as: role)
  }

  /// Takes over the bytes of another frame of the same layout: one memcpy.
  func copy(_ other: Frame) { unsafe memcpy(memory, other.memory, min(byteCount, other.byteCount)) }

  /// Gives `body` all bytes, to read: for tests.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory, count: byteCount))
  }

  // Why it is sound that spans outlive these calls: only `scan`, `drawAges` and `set` make them, and use them up
  // while the frame is alive.

  @_lifetime(immortal)
  private func span(_ plane: Int) -> RawSpan {
    guard plane < planes.count else { return RawSpan() }
    let span = unsafe RawSpan(
      _unsafeStart: memory + planes[plane].start, byteCount: planes[plane].byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  @_lifetime(immortal)
  private func mutableSpan(_ plane: Int) -> MutableRawSpan {
    guard plane < planes.count else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(
      _unsafeStart: memory + planes[plane].start, byteCount: planes[plane].byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  private var strides: InlineArray<4, Int> {
    var strides = InlineArray<4, Int>(repeating: 0)
    for (index, plane) in planes.enumerated() { strides[index] = plane.stride }
    return strides
  }
}
