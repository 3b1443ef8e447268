// The kernels that add frames up and draw their mean.

import CSlitScanKernels

extension Kernels {
  /// The change of the sums of an exposure.
  struct Exposing {
    /// Whether the sums stay; else they begin at 0.
    var keeps = true
    /// The number of times that `added` is added.
    var times: Int
    /// Whether `removed` is subtracted.
    var removes = false
    /// The shutter whose mean is drawn, its rest of what is in `removed`; nil for none.
    var develops: Shutter?
  }

  /// Changes the sums of frames, and draws their mean.
  ///
  /// - Parameters:
  ///   - sums: The sum of each sample, of 32 bits, row by row and plane after plane.
  ///   - added: A frame.
  ///   - removed: Another, where one is subtracted or a rest is drawn of it.
  static func expose(
    _ exposing: Exposing, sums: inout LineMemory, added: borrowing FrameCopy,
    removed: borrowing FrameCopy, tiles: TiledLayout, into frame: inout MutableFrameSpan,
    workers: borrowing Workers
  ) {
    let length = exposing.develops?.length ?? 1
    let exposure = SlitScanExposure(
      keeps: exposing.keeps ? 1 : 0, times: Int32(clamping: exposing.times),
      removes: exposing.removes, develops: exposing.develops != nil, share: Float(1 / length),
      rest: Float((exposing.develops?.rest ?? 0) / length))
    let pool = unsafe workers.pool
    let other = removed.isHeld ? removed.bytes : added.bytes
    unsafe withExposings(
      sums: &sums, added: added.bytes, other: other, of: tiles.layout, tiles: tiles, into: &frame
    ) { planes, count in
      unsafe slit_scan_expose(planes, count, exposure, pool)
    }
  }

  /// Adds one level of an exposure that follows the map to the sums, and draws their mean with the last.
  ///
  /// - Parameters:
  ///   - sums: The sum of each sample, of 32 bits, row by row and plane after plane.
  ///   - added: A frame.
  static func expose(
    _ exposure: SlitScanMapExposure, sums: inout LineMemory, added: borrowing FrameCopy,
    map: borrowing MapSamples, tiles: TiledLayout, into frame: inout MutableFrameSpan,
    workers: borrowing Workers
  ) {
    let pool = unsafe workers.pool
    unsafe withExposings(
      sums: &sums, added: added.bytes, other: map.bytes, of: map.layout, tiles: tiles, into: &frame
    ) { planes, count in
      unsafe slit_scan_expose_by_map(planes, count, exposure, pool)
    }
  }

  /// Gives `body` planes to expose, as the kernels know them.
  ///
  /// - Parameters:
  ///   - other: The bytes of a second frame, rows without gaps.
  ///   - otherLayout: Its layout.
  @unsafe
  private static func withExposings(
    sums: inout LineMemory, added: RawSpan, other: RawSpan, of otherLayout: FrameLayout,
    tiles: TiledLayout, into frame: inout MutableFrameSpan,
    _ body: (UnsafePointer<SlitScanExposing>, Int) -> Void
  ) {
    let layout = tiles.layout
    let sampleCount = layout.planes.reduce(0) { $0 + $1.sampleCount }
    guard frame.fits(layout), sums.byteCount >= sampleCount * MemoryLayout<UInt32>.size,
      added.byteCount >= layout.byteCount, other.byteCount >= otherLayout.byteCount
    else { return }
    unsafe withTargets(&frame, tiles: tiles) { targets in

      unsafe added.withUnsafeBytes { added in
        unsafe other.withUnsafeBytes { other in
          guard let sums = unsafe sums.start?.assumingMemoryBound(to: UInt32.self),
            let added = unsafe added.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let other = unsafe other.baseAddress?.assumingMemoryBound(to: UInt8.self)
          else { return }
          let planes = unsafe InlineArray<4, SlitScanExposing> { index in
            let number = min(index, targets.count - 1)
            let plane = layout.planes[number]
            let first = layout.planes[..<number].reduce(0) { $0 + $1.sampleCount }
            return unsafe SlitScanExposing(
              target: targets[number], sums: sums + first,
              added: added + layout.start(ofPlane: number),
              removed: other + otherLayout.start(ofPlane: number),
              samples: SlitScanSamples(plane, isBigEndian: layout.isBigEndian),
              cell_samples: Int32(plane.cellBytes / plane.sampleBytes))
          }
          unsafe planes.span.withUnsafeBufferPointer { planes in
            guard let planes = planes.baseAddress else { return }
            unsafe body(planes, targets.count)
          }
        }
      }
    }
  }
}
