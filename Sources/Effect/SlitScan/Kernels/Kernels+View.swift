// The kernel that draws a canvas in perspective, on all threads.

import CSlitScanKernels

extension Kernels {
  /// The numbers of scratch memory that a canvas with so many points needs.
  static func viewSums(points: Int, workers: borrowing Workers) -> Int {
    guard points >= 0 else { return 0 }
    return unsafe slit_scan_view_sums(points, workers.pool)
  }

  /// Draws one component of a canvas into its plane.
  ///
  /// - Parameters:
  ///   - memory: The memory of all sheets.
  ///   - sums: Scratch memory, see ``viewSums(points:workers:)``.
  ///   - output: The layout of the output.
  static func draw(
    _ sheet: StripCanvas.Sheet, of memory: RawSpan, _ ring: StripRing,
    sums: inout MutableSpan<Float>, shownAs output: FrameLayout, _ view: SlitScanView,
    warmup: ScanSettings.Warmup, into rows: inout MutableRawSpan, stride: Int,
    workers: borrowing Workers
  ) {
    let component = sheet.component
    let isRightwards = ring.axis == .rightwards
    let bytes = component.bytes
    let columns = output.samplesWide(component)
    let rowCount = output.samplesHigh(component)
    let rowBytes = bytes * sheet.width
    let end = component.offset + (rowCount - 1) * stride + (columns - 1) * component.step + bytes
    let points = isRightwards ? sheet.height : sheet.width
    guard stride >= 0, sums.count >= viewSums(points: points, workers: workers),
      end <= rows.byteCount, ring.keptCount >= 1, sheet.width >= 1,
      ring.keptCount == (isRightwards ? sheet.width : sheet.height), sheet.start >= 0,
      sheet.start + rowBytes * sheet.height <= memory.byteCount
    else { return }
    let slit = isRightwards ? output.height : output.width
    let shift = isRightwards ? component.yShift : component.xShift
    let kind =
      bytes == 1
      ? SLIT_SCAN_SAMPLES_BYTES
      : output.isBigEndian ? SLIT_SCAN_SAMPLES_BIG_WORDS : SLIT_SCAN_SAMPLES_LITTLE_WORDS
    let pool = unsafe workers.pool
    unsafe memory.withUnsafeBytes { memory in
      unsafe rows.withUnsafeMutableBytes { rows in
        guard let memory = memory.baseAddress, let rows = rows.baseAddress else { return }
        let sheet = unsafe SlitScanSheet(
          samples: (memory + sheet.start).assumingMemoryBound(to: UInt8.self),
          line_step: isRightwards ? bytes : rowBytes, point_step: isRightwards ? rowBytes : bytes,
          point_count: points,
          slit: Float(slit) / Float(1 << shift), kept_count: ring.keptCount,
          held_count: ring.heldCount, newest_place: ring.newestPlace,
          substitute: Int32(clamping: ring.substitute(warmup) ?? -1),
          colour: Float(component.blackValue(seeThrough: warmup == .transparent)),
          kind: SlitScanSamples(kind: Int32(kind), unused_bits: UInt32(component.unusedBits)),
          columns: columns, rows: rowCount, cell_width: Float(1 << component.xShift),
          cell_height: Float(1 << component.yShift), step: component.step, stride: stride)
        let target = unsafe rows.assumingMemoryBound(to: UInt8.self) + component.offset
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard let sums = sums.baseAddress else { return }
          unsafe withUnsafePointer(to: sheet) { sheet in
            unsafe withUnsafePointer(to: view) { view in
              unsafe slit_scan_draw_view(sheet, view, sums, target, pool)
            }
          }
        }
      }
    }
  }
}
