// Conversions between the C structs of the element and the values of the effect.

import CSlitScanEngine
import SlitScan

extension FrameLayout {
  /// The layout that the element describes.
  package init(_ layout: SlitScanLayout) throws(ScanError) {
    let described = [
      layout.components.0, layout.components.1, layout.components.2, layout.components.3,
    ]
    let components = described.prefix(max(0, Int(layout.component_count))).map { component in
      Component(
        role: component.is_alpha ? .alpha : .colour,
        plane: Int(component.plane),
        offset: Int(component.offset),
        step: Int(component.step),
        bytes: Int(component.bytes),
        xShift: Int(component.x_shift),
        yShift: Int(component.y_shift),
        unusedBits: Int(component.unused_bits),
        black: component.black,
        white: component.white
      )
    }
    try self.init(
      width: Int(layout.width), height: Int(layout.height), isBigEndian: layout.is_big_endian,
      isRGB: layout.is_rgb, components: components)
  }
}

extension SlitScanReport {
  /// The effect's report.
  package init(_ report: FrameReport) {
    self.init(
      progress: report.progress,
      history_frames: UInt32(clamping: report.historyFrames),
      history_bytes: UInt64(clamping: report.historyBytes),
      completes: report.completes,
      limited_depth: UInt32(clamping: report.limitedDepth ?? 0),
      limited_history: UInt32(clamping: report.limitedHistory ?? 0),
      is_memory_refused: report.isMemoryRefused,
      limited_lines: UInt32(clamping: report.limitedLines ?? 0),
      are_lines_refused: report.areLinesRefused,
      wanted_depth: UInt32(clamping: report.wantedDepth),
      wanted_history: UInt32(clamping: report.wantedHistory),
      wanted_lines: UInt32(clamping: report.wantedLines),
      has_caught_up: report.hasCaughtUp,
      mean_delay: report.meanDelay,
      center_delay: report.centerDelay
    )
  }
}

extension SlitScanError {
  /// Fills in an error; a sentence that is too long ends early, with a whole character.
  package mutating func set(_ error: ScanError) {
    code = error.code.rawValue
    unsafe withUnsafeMutableBytes(of: &message) { bytes in
      var text = error.description
      while text.utf8.count >= bytes.count { text.removeLast() }
      unsafe bytes.copyBytes(from: text.utf8)
      unsafe bytes[text.utf8.count] = 0
    }
  }
}

extension SlitScanFrame {
  /// The strides of the planes.
  package var strideVector: SIMD4<Int> { SIMD4(strides.0, strides.1, strides.2, strides.3) }

  /// The bytes of a plane, which the element keeps mapped; none where there is no plane.
  @_lifetime(immortal)
  package func span(_ plane: Int) -> RawSpan {
    guard let (start, byteCount) = unsafe memory(plane) else { return RawSpan() }
    let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// The bytes of a plane to be written.
  @_lifetime(immortal)
  func mutableSpan(_ plane: Int) -> MutableRawSpan {
    guard let (start, byteCount) = unsafe memory(plane) else { return MutableRawSpan() }
    let span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  private func memory(_ plane: Int) -> (UnsafeMutableRawPointer, Int)? {
    let (start, size) =
      switch plane {
      case 0: unsafe (planes.0, byte_counts.0)
      case 1: unsafe (planes.1, byte_counts.1)
      case 2: unsafe (planes.2, byte_counts.2)
      default: unsafe (planes.3, byte_counts.3)
      }
    guard let start = unsafe start else { return nil }
    return unsafe (start, Int(clamping: size))
  }
}
