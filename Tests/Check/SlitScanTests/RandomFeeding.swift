// A component of noise that is fed back while it moves, and the plainest reference of that.

import CSlitScanKernels
import SeededGenerator

@testable import SlitScan

/// Samples of two frames, in cells of a few bytes, and their places.
struct RandomFeeding {
  let plane: RandomPlane
  let kind: Int32
  let weight: UInt32
  private let unusedBits: UInt32
  /// The byte of a cell where its samples begin, how many bytes they are, and a bit for each that stays.
  private let offset: Int
  private let byteCount: Int
  private let kept: UInt32
  private let into: [UInt8]
  private let other: [UInt8]
  private let columns: (x: [Int32], y: [Int32])
  private let rows: (x: [Int32], y: [Int32])

  init(_ plane: RandomPlane, kind: Int32, using random: inout SeededGenerator) {
    self.plane = plane
    self.kind = kind
    weight = .random(in: 0...65_536, using: &random)
    let isWords = kind != Int32(SLIT_SCAN_SAMPLES_BYTES)
    let unusedBits = isWords ? UInt32.random(in: 0...6, using: &random) : 0
    self.unusedBits = unusedBits
    let cellBytes = plane.grid.plane.cellBytes
    let sampleBytes = isWords ? 2 : 1
    let isWhole = Bool.random(using: &random)
    offset = isWhole ? 0 : Int.random(in: 0..<cellBytes / sampleBytes, using: &random) * sampleBytes
    byteCount = isWhole ? cellBytes : sampleBytes
    kept = isWhole && !isWords && Bool.random(using: &random) ? 1 << (UInt32(cellBytes) - 1) : 0
    func noise() -> [UInt8] {
      (0..<plane.stride * plane.height).map { index in
        // The low bits of samples that do not use them are 0.
        let byte = index % plane.stride % cellBytes
        let isLow = isWords && (byte % 2 == 0) != (kind == Int32(SLIT_SCAN_SAMPLES_BIG_WORDS))
        return .random(in: 0...255, using: &random) & (isLow ? .max << UInt8(unusedBits) : .max)
      }
    }
    into = noise()
    other = noise()
    func ramp(_ count: Int, from start: Double, by slope: Double) -> [Int32] {
      (0..<count).map { Int32((256 * (start + slope * Double($0))).rounded(.down)) }
    }
    let (wide, high) = (plane.grid.plane.cellsWide, plane.height)
    let turn = Bool.random(using: &random) ? Double.random(in: -2...2, using: &random) : 0
    let growth = Bool.random(using: &random) ? Double.random(in: -2...2, using: &random) : 1
    let start = Double.random(in: -9...9, using: &random)
    columns = (ramp(wide, from: start, by: growth), ramp(wide, from: 0, by: turn))
    rows = (ramp(high, from: 0, by: -turn), ramp(high, from: start, by: growth))
  }

  func expected() -> [UInt8] {
    let cellBytes = plane.grid.plane.cellBytes
    let (wide, high) = (plane.grid.plane.cellsWide, plane.height)
    let isBytes = kind == Int32(SLIT_SCAN_SAMPLES_BYTES)
    let isBigEndian = kind == Int32(SLIT_SCAN_SAMPLES_BIG_WORDS)
    func byte(_ column: Int, _ row: Int, _ lane: Int) -> Int {
      min(max(row, 0), high - 1) * plane.stride + min(max(column, 0), wide - 1) * cellBytes + lane
    }
    func word(_ frame: [UInt8], _ column: Int, _ row: Int, _ lane: Int) -> Int {
      let at = byte(column, row, lane)
      if isBytes { return Int(frame[at]) }
      return Int(frame[isBigEndian ? at : at + 1]) << 8 | Int(frame[isBigEndian ? at + 1 : at])
    }
    let unused = Int(unusedBits)
    var result = into
    for row in 0..<high {
      for column in 0..<wide {
        let u = Int(columns.x[column] + rows.x[row])
        let v = Int(columns.y[column] + rows.y[row])
        guard -128..<(256 * wide - 128) ~= u, -128..<(256 * high - 128) ~= v else { continue }
        let (i, j, across, down) = (u >> 8, v >> 8, u & 255, v & 255)
        for lane in stride(from: offset, to: offset + byteCount, by: isBytes ? 1 : 2)
        where kept >> UInt32(lane) & 1 == 0 {
          func corner(_ x: Int, _ y: Int) -> Int { word(other, i + x, j + y, lane) }
          let sum =
            (corner(0, 0) * (256 - across) + corner(1, 0) * across) * (256 - down)
            + (corner(0, 1) * (256 - across) + corner(1, 1) * across) * down
          let moved = ((sum + (32_768 << unused)) >> (16 + unused)) << unused
          let from = word(into, column, row, lane)
          let step = ((abs(moved - from) * Int(weight)) >> (16 + unused)) << unused
          let fed = moved > from ? from + step : from - step
          let at = byte(column, row, lane)
          if isBytes {
            result[at] = UInt8(fed)
          } else {
            result[isBigEndian ? at : at + 1] = UInt8(fed >> 8)
            result[isBigEndian ? at + 1 : at] = UInt8(fed & 255)
          }
        }
      }
    }
    return result
  }

  func fed(pool: OpaquePointer? = nil) -> [UInt8] {
    let frame = AlignedBytes(into)
    let last = AlignedBytes(other)
    columns.x.withUnsafeBufferPointer { columnX in
      columns.y.withUnsafeBufferPointer { columnY in
        rows.x.withUnsafeBufferPointer { rowX in
          rows.y.withUnsafeBufferPointer { rowY in
            guard let columnX = columnX.baseAddress, let columnY = columnY.baseAddress,
              let rowX = rowX.baseAddress, let rowY = rowY.baseAddress
            else { return }
            var component = SlitScanFeeding(
              tiling: plane.grid.tiling, into: frame.start + offset, other: last.start + offset,
              stride: plane.stride, step: plane.grid.plane.cellBytes, bytes: byteCount,
              kept: kept, samples_wide: Int32(plane.grid.plane.cellsWide),
              samples_high: Int32(plane.height),
              column_x: columnX, column_y: columnY, row_x: rowX, row_y: rowY,
              samples: SlitScanSamples(kind: kind, unused_bits: unusedBits))
            slit_scan_feed_moved(&component, 1, weight, pool)
          }
        }
      }
    }
    return frame.bytes
  }
}
