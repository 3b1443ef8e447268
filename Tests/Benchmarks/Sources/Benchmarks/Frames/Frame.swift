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
    (planes, byteCount) = Self.planes(of: layout)
    unsafe memory = .allocate(byteCount: byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit { unsafe memory.deallocate() }

  /// Bytes that a frame takes.
  static func byteCount(of layout: FrameLayout) -> Int { planes(of: layout).byteCount }

  private static func planes(
    of layout: FrameLayout
  ) -> (planes: [(start: Int, stride: Int, byteCount: Int)], byteCount: Int) {
    var end = 0
    let planes = layout.planes.map { plane in
      let stride = (plane.rowBytes + 3) / 4 * 4
      defer { end += stride * plane.cellsHigh }
      return (start: end, stride: stride, byteCount: stride * plane.cellsHigh)
    }
    return (planes, end)
  }

  /// Gives each row of each plane to `body`, to fill it.
  func fillRows(_ body: (_ plane: Int, _ row: Int, _ bytes: inout MutableRawSpan) -> Void) {
    for (index, plane) in planes.enumerated() {
      for row in 0..<layout.planes[index].cellsHigh {
        var bytes = unsafe MutableRawSpan(
          _unsafeStart: memory + plane.start + row * plane.stride, byteCount: plane.stride)
        body(index, row, &bytes)
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

  /// Gives the frame to the effect as a map.
  func set(as role: MapImageRole, of scanner: SlitScanner) throws(ScanError) {
    let source = FrameSpan(span(0), span(1), span(2), span(3), strides: strides)
    try scanner.setMapImage(source, layout: layout, as: role)
  }

  /// Takes over the bytes of another frame of the same layout: one memcpy.
  func copy(_ other: Frame) {
    unsafe memcpy(memory, other.memory, min(byteCount, other.byteCount))
  }

  /// Gives `body` all bytes, to read: for tests.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory, count: byteCount))
  }

  // Why it is sound that spans outlive these calls: only `scan` and `set` make them, and use them up
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

  private var strides: SIMD4<Int> {
    var strides = SIMD4<Int>()
    for (index, plane) in planes.enumerated() { strides[index] = plane.stride }
    return strides
  }
}
