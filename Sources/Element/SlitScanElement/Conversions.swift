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

extension FrameLayout {
  /// - Throws: ``ScanError/Code/notConfigured`` where the size is not the one that the element has negotiated.
  package func require(width: Int32, height: Int32) throws(ScanError) {
    guard self.width == Int(width), self.height == Int(height) else { throw .notConfigured }
  }
}

extension SlitScanReport {
  /// The effect's report.
  package init(_ report: FrameReport) {
    self.init(
      progress: report.progress,
      history_frames: report.historyFrames,
      history_bytes: UInt64(clamping: report.historyBytes),
      completes: report.completes,
      limited_depth: UInt32(clamping: report.limitedDepth ?? 0),
      limited_history: UInt32(clamping: report.limitedHistory ?? 0),
      history_limit: SlitScanLimit(report.historyLimit),
      limited_lines: UInt32(clamping: report.limitedLines ?? 0),
      are_lines_refused: report.areLinesRefused,
      wanted_depth: UInt32(clamping: report.wantedDepth),
      wanted_history: UInt32(clamping: report.wantedHistory),
      wanted_lines: UInt32(clamping: report.wantedLines),
      has_caught_up: report.hasCaughtUp,
      mean_delay: report.meanDelay,
      center_delay: report.centerDelay,
      disk_bytes: UInt64(clamping: report.diskBytes),
      disk_bytes_read: report.disk.bytesRead,
      disk_bytes_written: report.disk.bytesWritten,
      disk_late_frames: report.disk.lateFrames,
      disk_waiting_time: report.disk.waitingTime,
      disk_failure: SlitScanDiskFailure(report.diskFailure?.action),
      disk_error: report.diskFailure?.code ?? 0
    )
  }
}

extension SlitScanLimit {
  init(_ limit: FrameReport.HistoryLimit) {
    switch limit {
    case .maxMemory: self = SLIT_SCAN_LIMIT_MAX_MEMORY
    case .memory: self = SLIT_SCAN_LIMIT_MEMORY
    case .maxDisk: self = SLIT_SCAN_LIMIT_MAX_DISK
    case .disk: self = SLIT_SCAN_LIMIT_DISK
    }
  }
}

extension SlitScanDiskFailure {
  init(_ action: FrameReport.DiskFailure.Action?) {
    switch action {
    case nil: self = SLIT_SCAN_DISK_FINE
    case .open: self = SLIT_SCAN_DISK_OPEN
    case .write: self = SLIT_SCAN_DISK_WRITE
    case .read: self = SLIT_SCAN_DISK_READ
    }
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

extension MapImageRole {
  /// The image of a map from a file, or of the pad.
  package init(_ map: SlitScanMap) { self = map == SLIT_SCAN_MAP_LIVE ? .live : .image }
}

extension UnsafeMutablePointer<SlitScanError> {
  /// Whether `body` succeeds; fills in the error where not.
  package func attempt(_ body: () throws(ScanError) -> Void) -> Bool {
    do throws(ScanError) {
      try body()
      return true
    } catch {
      unsafe pointee.set(error)
      return false
    }
  }
}

extension FrameSpan {
  /// The planes of a frame.
  @_lifetime(immortal)
  package init(_ frame: SlitScanFrame) {
    let strides = frame.strides
    self.init(
      frame.span(0), frame.span(1), frame.span(2), frame.span(3),
      strides: [strides.0, strides.1, strides.2, strides.3])
  }
}

extension MutableFrameSpan {
  /// The planes of a frame to be drawn.
  @_lifetime(immortal)
  package init(_ frame: SlitScanFrame) {
    let strides = frame.strides
    self.init(
      frame.mutableSpan(0), frame.mutableSpan(1), frame.mutableSpan(2), frame.mutableSpan(3),
      strides: [strides.0, strides.1, strides.2, strides.3])
  }
}

extension SlitScanFrame {
  /// The bytes of a plane, which the element keeps mapped; none where there is no plane.
  @_lifetime(immortal)
  fileprivate func span(_ plane: Int) -> RawSpan {
    guard let (start, byteCount) = unsafe memory(plane) else { return RawSpan() }
    let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// The bytes of a plane to be written.
  @_lifetime(immortal)
  fileprivate func mutableSpan(_ plane: Int) -> MutableRawSpan {
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
