// The flat frames are a history in which all samples of a frame are equal.

import CSlitScanKernels

/// Frames of one sample of 16 bits each, which all lines of tiles show, the newest frame first.
struct FlatFrames: ~Copyable, HistoryFrames {
  /// The place of each line, which is the only one of its frame.
  private var places = LineMemory()
  /// A line of tiles for each frame.
  private var lines = LineMemory()
  private var samples: [UInt16] = []
  /// The start of each frame, the oldest first.
  private var slots: [Int] = []

  init() {}

  var count: Int { samples.count }

  /// The bytes of memory that they take.
  var byteCount: Int { places.byteCount + lines.byteCount }

  /// Takes the samples of frames, and gives the former ones.
  ///
  /// - Parameter tiles: The tiles of a frame of two bytes a pixel.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func exchange(
    _ newSamples: inout [UInt16], _ tiles: TiledLayout
  ) throws(ScanError) {
    let placeBytes = tiles.lineCount * MemoryLayout<SlitScanPlace>.stride
    let lineBytes = newSamples.count * TileLine.byteCount
    guard places.grow(to: placeBytes), lines.grow(to: lineBytes) else {
      throw .refused(placeBytes + lineBytes, for: "a table of frames")
    }
    if newSamples.count != samples.count {
      slots = (0..<newSamples.count).reversed().map { $0 * TileLine.byteCount }
    }
    swap(&samples, &newSamples)
    Self.fill(&lines, with: samples, insteadOf: newSamples)
  }

  private static func fill(
    _ lines: inout LineMemory, with samples: [UInt16], insteadOf former: [UInt16]
  ) {
    var bytes = lines.mutableBytes
    for (level, value) in samples.enumerated() where level >= former.count || former[level] != value
    {
      let start = level * TileLine.byteCount
      for sample in stride(from: start, to: start + TileLine.byteCount, by: 2) {
        bytes.storeBytes(of: value.littleEndian, toByteOffset: sample, as: UInt16.self)
      }
    }
  }

  @unsafe
  func withUnsafeFrames(skipping skipped: Int, _ body: (SlitScanHistoryFrames) -> Void) {
    guard count > 0 else { return }
    let ring = SlitScanRing(
      start: 0, slot_bytes: TileLine.byteCount, slots: UInt32(count), length: UInt32(count),
      newest: UInt32(count - 1), newest_start: 0)
    let (rings, last) = ([ring] as InlineArray, UInt32(count - 1))
    unsafe places.bytes.withUnsafeBytes { places in
      unsafe lines.bytes.withUnsafeBytes { lines in
        unsafe slots.span.withUnsafeBufferPointer { slots in
          unsafe rings.span.withUnsafeBufferPointer { rings in
            guard let places = places.baseAddress, let lines = lines.baseAddress,
              let ring = rings.baseAddress
            else { return }
            let all = unsafe SlitScanRings(
              places: places.assumingMemoryBound(to: SlitScanPlace.self), has_rows: false,
              rings: ring, slots: slots.baseAddress, lengths: nil, group_bytes: 0, group_shift: 0,
              slot_step: 0, line_step: TileLine.byteCount)
            unsafe withUnsafePointer(to: all) { all in
              let eras =
                unsafe [
                  SlitScanEra(
                    memory: lines.assumingMemoryBound(to: UInt8.self), end: last + 1, starts: nil,
                    rings: all, pages: nil, skipped: 0)
                ] as InlineArray
              unsafe eras.span.withUnsafeBufferPointer { eras in
                guard let era = eras.baseAddress else { return }
                unsafe body(
                  SlitScanHistoryFrames(
                    eras: era, era_count: 1, oldest: last, skipped: UInt32(clamping: skipped),
                    whole: nil, streams: false, pager: nil, ahead: 0))
              }
            }
          }
        }
      }
    }
  }
}
