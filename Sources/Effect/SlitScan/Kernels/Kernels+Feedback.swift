// The kernel that blends a moved frame into another, on all threads.

import CSlitScanKernels

extension Kernels {
  /// Blends a frame, at its places, into another, rounded towards that; both without gaps between rows and planes.
  ///
  /// - Parameter weight: In 1/65536.
  static func feed(
    _ target: inout MutableRawSpan, with other: RawSpan, at places: borrowing FeedbackPlaces,
    tiles: TiledLayout, weight: UInt32, workers: borrowing Workers
  ) {
    let layout = tiles.layout
    let groups = places.groups.span
    let tables = places.tables
    let (length, tableCount) = (places.length, FeedbackPlaces.Table.allCases.count)
    guard 1...8 ~= groups.count, weight <= 65_536, target.byteCount >= layout.byteCount,
      other.byteCount >= layout.byteCount,
      tables.byteCount >= places.componentCount * tableCount * length * MemoryLayout<Int32>.size
    else { return }
    let pool = unsafe workers.pool
    unsafe target.withUnsafeMutableBytes { target in
      unsafe other.withUnsafeBytes { other in
        unsafe tables.withUnsafeBytes { tables in
          guard let target = target.baseAddress, let other = other.baseAddress,
            let tables = unsafe tables.baseAddress?.assumingMemoryBound(to: Int32.self)
          else { return }
          let feedings = unsafe InlineArray<8, SlitScanFeeding> { index in
            let group = groups[min(index, groups.count - 1)]
            let component = layout.components[group.component]
            let plane = layout.planes[component.plane]
            let start = layout.start(ofPlane: component.plane) + group.offset
            func table(_ table: FeedbackPlaces.Table) -> UnsafePointer<Int32> {
              unsafe tables + (group.component * tableCount + table.rawValue) * length
            }
            return unsafe SlitScanFeeding(
              tiling: tiles.grids[component.plane].tiling,
              into: target.assumingMemoryBound(to: UInt8.self) + start,
              other: other.assumingMemoryBound(to: UInt8.self) + start, stride: plane.rowBytes,
              step: component.step, bytes: group.byteCount, kept: group.padding,
              samples_wide: Int32(layout.samplesWide(component)),
              samples_high: Int32(layout.samplesHigh(component)), column_x: table(.columnX),
              column_y: table(.columnY), row_x: table(.rowX), row_y: table(.rowY),
              samples: SlitScanSamples(plane, isBigEndian: layout.isBigEndian))
          }
          unsafe feedings.span.withUnsafeBufferPointer { feedings in
            guard let feedings = feedings.baseAddress else { return }
            unsafe slit_scan_feed_moved(feedings, groups.count, weight, pool)
          }
        }
      }
    }
  }
}
