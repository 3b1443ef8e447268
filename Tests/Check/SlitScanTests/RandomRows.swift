// The reference of history that is kept as rows.

import CSlitScanKernels
import SeededGenerator

@testable import SlitScan

/// Frames of noise that are kept as rows, and a delay for each row.
struct RandomRows {
  let plane: RandomPlane
  let kind: Int32
  private let unusedBits: UInt32
  /// The frames, the oldest first.
  private let frames: [[UInt8]]
  private let delays: [SlitScanRowDelay]

  init(_ plane: RandomPlane, kind: Int32, using random: inout SeededGenerator) {
    self.plane = plane
    self.kind = kind
    let isWords = kind >= Int32(SLIT_SCAN_READ_BLEND_LITTLE_WORDS)
    unusedBits = isWords ? UInt32.random(in: 0...6, using: &random) : 0
    let mask = UInt16(truncatingIfNeeded: -1 << Int(unusedBits))
    let word = kind == Int32(SLIT_SCAN_READ_BLEND_BIG_WORDS) ? mask.bigEndian : mask.littleEndian
    let byteCount = plane.stride * plane.height
    // Of each row by itself, as a stride may be odd.
    frames = (0..<7).map { _ in
      (0..<byteCount).map { byte in
        let half = UInt16(byte % plane.stride % 2)
        return .random(in: 0...255, using: &random) & UInt8(truncatingIfNeeded: word >> (8 * half))
      }
    }
    let scale: UInt32 = kind == Int32(SLIT_SCAN_READ_NEAREST) ? 0 : isWords ? 4095 : 255
    delays = (0..<plane.height).map { _ in
      SlitScanRowDelay(
        level: .random(in: 0...5, using: &random),
        weight: .random(using: &random) ? 0 : .random(in: 0...scale, using: &random))
    }
  }

  /// The frame that is drawn, and the newest frame as tiles.
  func drawn(streams: Bool, pool: OpaquePointer? = nil) -> (rows: [UInt8], newest: [UInt8]) {
    let lineCount = plane.grid.rowLineCount
    let places = (0..<plane.height).map {
      SlitScanPlace(ring: 0, index: UInt32($0 * lineCount))
    }
    let slotBytes = plane.height * lineCount * TileLine.byteCount
    let memory = AlignedBytes([UInt8](repeating: 0xAA, count: slotBytes * frames.count))
    let newest = AlignedBytes(
      [UInt8](repeating: 0, count: plane.grid.lineCount * TileLine.byteCount))
    let drawn = AlignedBytes([UInt8](repeating: 0, count: plane.stride * plane.height))
    let slots = frames.indices.map { $0 * slotBytes }
    withUnsafeBases(places, slots) { places, slots in
      for number in frames.indices {
        // Once around the end of the ring.
        var ring = SlitScanRing(
          start: 0, slot_bytes: slotBytes, slots: UInt32(frames.count),
          length: UInt32(frames.count),
          newest: UInt32((number + 3) % frames.count),
          newest_start: (number + 3) % frames.count * slotBytes)
        withUnsafePointer(to: &ring) { ring in
          var rings = SlitScanRings(
            places: places, has_rows: true, rings: ring, slots: slots, lengths: nil,
            group_bytes: 0, group_shift: 0, slot_step: 0, line_step: TileLine.byteCount)
          withUnsafePointer(to: &rings) { rings in
            store(frames[number], into: memory, rings, streams: streams, pool: pool)
            guard number == frames.count - 1 else { return }
            var era = SlitScanEra(
              memory: memory.start, end: UInt32(frames.count), starts: nil, rings: rings,
              pages: nil, skipped: 0)
            withUnsafePointer(to: &era) { era in
              var history = SlitScanHistoryFrames(
                eras: era, era_count: 1, oldest: UInt32(frames.count - 1), skipped: 0, whole: nil,
                streams: streams, pager: nil, ahead: 0)
              read(&history, into: drawn, pool: pool)
              var tiling = plane.grid.tiling
              slit_scan_copy_newest(&history, &tiling, 1, newest.start)
            }
          }
        }
      }
    }
    return (plane.samples(of: drawn.bytes), newest.bytes)
  }

  private func store(
    _ frame: [UInt8], into memory: AlignedBytes, _ rings: UnsafePointer<SlitScanRings>,
    streams: Bool, pool: OpaquePointer?
  ) {
    frame.withUnsafeBufferPointer { frame in
      guard let rows = frame.baseAddress else { return }
      var source = SlitScanSource(rows: rows, stride: plane.stride, tiling: plane.grid.tiling)
      slit_scan_store(
        &source, 1, SlitScanSlot(memory: memory.start, rings: rings, streams: streams), pool)
    }
  }

  private func read(
    _ history: inout SlitScanHistoryFrames, into frame: AlignedBytes, pool: OpaquePointer?
  ) {
    // Not looked at.
    let lines = [SlitScanLineDelay(base: 0, reach: 0, pattern: 0)]
    let wide: [UInt32] = [0]
    delays.withUnsafeBufferPointer { delays in
      lines.withUnsafeBufferPointer { lines in
        wide.withUnsafeBufferPointer { wide in
          guard let lines = lines.baseAddress, let wide = wide.baseAddress else { return }
          var reading = SlitScanReading(
            target: SlitScanTarget(
              rows: frame.start, stride: plane.stride, tiling: plane.grid.tiling),
            delays: lines, levels: nil, narrow: nil, wide: wide, kind: kind,
            unused_bits: unusedBits, late: Int32(SLIT_SCAN_LATE_OLDEST), colour: nil,
            rows: delays.baseAddress)
          slit_scan_read(&history, &reading, 1, pool)
        }
      }
    }
  }

  /// The frame that is to be drawn.
  func expected() -> [UInt8] {
    let isWords = kind >= Int32(SLIT_SCAN_READ_BLEND_LITTLE_WORDS)
    let isBigEndian = kind == Int32(SLIT_SCAN_READ_BLEND_BIG_WORDS)
    let full: UInt32 = isWords ? 4096 : 256
    return (0..<plane.height).flatMap { row -> [UInt8] in
      let delay = delays[row]
      let start = row * plane.stride
      let end = start + plane.grid.plane.rowBytes
      let newer = Array(frames[frames.count - 1 - Int(delay.level)][start..<end])
      guard delay.weight > 0 else { return newer }
      let older = Array(frames[frames.count - 2 - Int(delay.level)][start..<end])
      func blend(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let sum = one * (full - delay.weight) + other * delay.weight + (full << unusedBits) / 2
        return ((sum / full) >> unusedBits) << unusedBits
      }
      guard isWords else { return zip(newer, older).map { UInt8(blend(UInt32($0), UInt32($1))) } }
      return stride(from: 0, to: newer.count, by: 2).flatMap { byte -> [UInt8] in
        func word(_ bytes: [UInt8]) -> UInt32 {
          let (low, high) = isBigEndian ? (byte + 1, byte) : (byte, byte + 1)
          return UInt32(bytes[low]) | UInt32(bytes[high]) << 8
        }
        let sample = blend(word(newer), word(older))
        let bytes = [UInt8(sample & 255), UInt8(sample >> 8)]
        return isBigEndian ? bytes.reversed() : bytes
      }
    }
  }

  /// The newest frame as tiles, what lies beyond it as it may be.
  func hasNewest(_ tiles: [UInt8]) -> Bool {
    plane.samples(of: plane.load(tiles)) == plane.samples(of: frames[frames.count - 1])
  }
}

/// Calls `body` with the starts of two arrays that are not empty.
private func withUnsafeBases<First, Second>(
  _ first: [First], _ second: [Second],
  _ body: (UnsafePointer<First>, UnsafePointer<Second>) -> Void
) {
  first.withUnsafeBufferPointer { first in
    second.withUnsafeBufferPointer { second in
      guard let first = first.baseAddress, let second = second.baseAddress else { return }
      body(first, second)
    }
  }
}
