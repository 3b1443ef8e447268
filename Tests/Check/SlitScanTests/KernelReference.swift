// The reference of the kernels, in the plainest Swift: one byte after another.

import CSlitScanKernels
import SeededGenerator

@testable import SlitScan

/// Bytes at an address that is a multiple of 64, as lines must be.
final class AlignedBytes {
  let pointer: UnsafeMutableRawPointer
  let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    pointer = .allocate(byteCount: max(count, 1), alignment: 64)
    bytes.withUnsafeBytes {
      pointer.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(pointer), byteCount: count)
    }
  }

  deinit { pointer.deallocate() }

  var start: UnsafeMutablePointer<UInt8> { pointer.assumingMemoryBound(to: UInt8.self) }
  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: pointer, count: count)) }
}

/// A plane of some size, with some stride.
struct RandomPlane: CustomStringConvertible {
  let grid: TileGrid
  let stride: Int
  var height: Int { grid.plane.cellsHigh }

  init(
    cellBytes: Int, width: Int? = nil, height: Int? = nil,
    using random: inout SeededGenerator
  ) throws {
    let width = width ?? Int.random(in: 1...70, using: &random)
    let plane = FrameLayout.Plane(
      cellBytes: cellBytes, cellsWide: width,
      cellsHigh: height ?? Int.random(in: 1...40, using: &random), pixelsWide: 1, pixelsHigh: 1,
      sampleBytes: 1, unusedBits: 0, rowBytes: width * cellBytes)
    guard let grid = TileGrid(plane, firstLine: 0) else { throw ScanError.notConfigured }
    self.grid = grid
    // Whole lines may be stored past the caches.
    stride =
      Int.random(in: 0...2, using: &random) == 0
      ? (plane.rowBytes + 63) / 64 * 64 : plane.rowBytes + Int.random(in: 0...9, using: &random)
  }

  var description: String {
    "\(grid.plane.cellsWide)x\(grid.plane.cellsHigh) cells of \(grid.plane.cellBytes) bytes, "
      + "stride \(stride)"
  }

  /// The place of each byte of the tiles in the frame; nil beyond it.
  private var places: [Int?] {
    let shape = grid.shape
    return (0..<grid.lineCount * TileLine.byteCount).map { index in
      let (tile, byte) = index.quotientAndRemainder(dividingBy: shape.byteCount)
      let (row, column) = byte.quotientAndRemainder(dividingBy: shape.rowBytes)
      let x = tile % grid.tilesWide * shape.rowBytes + column
      let y = tile / grid.tilesWide * shape.rows + row
      return x < grid.plane.rowBytes && y < grid.plane.cellsHigh ? y * stride + x : nil
    }
  }

  /// The tiles of a frame; 0 beyond it.
  func tiles(of frame: [UInt8]) -> [UInt8] { places.map { $0.map { frame[$0] } ?? 0 } }

  /// The bytes of a frame without those between its rows.
  func samples(of frame: [UInt8]) -> [UInt8] {
    (0..<height).flatMap { frame[($0 * stride)..<($0 * stride + grid.plane.rowBytes)] }
  }

  func store(_ frame: [UInt8], streams: Bool, pool: OpaquePointer? = nil) -> [UInt8] {
    let lines = AlignedBytes([UInt8](repeating: 0xAA, count: grid.lineCount * TileLine.byteCount))
    frame.withUnsafeBufferPointer { frame in
      guard let rows = frame.baseAddress else { return }
      var source = SlitScanSource(rows: rows, stride: stride, tiling: grid.tiling)
      slit_scan_store(
        &source, 1,
        SlitScanSlot(memory: lines.start, rings: nil, streams: streams), pool)
    }
    return lines.bytes
  }

  func load(_ tiles: [UInt8]) -> [UInt8] {
    let lines = AlignedBytes(tiles)
    var frame = [UInt8](repeating: 0, count: stride * height)
    frame.withUnsafeMutableBufferPointer { frame in
      guard let rows = frame.baseAddress else { return }
      var target = SlitScanTarget(rows: rows, stride: stride, tiling: grid.tiling)
      slit_scan_load(lines.start, &target, 1, nil)
    }
    return frame
  }
}

/// Frames of noise, and delays that fit them more or less.
struct RandomHistory {
  let plane: RandomPlane
  let kind: Int32
  private let unusedBits: UInt32
  private let frames: [[UInt8]]
  /// The delay of each byte, in 1/4096 frames; whole ones for nearest.
  private var delays: [Int] = []
  private var lines: [SlitScanLineDelay] = []

  init(_ plane: RandomPlane, kind: Int32, isWide: Bool, using random: inout SeededGenerator) {
    self.plane = plane
    self.kind = kind
    let isWords = kind >= Int32(SLIT_SCAN_READ_BLEND_LITTLE_WORDS)
    let unusedBits = isWords ? UInt32.random(in: 0...6, using: &random) : 0
    self.unusedBits = unusedBits
    let byteCount = plane.grid.lineCount * TileLine.byteCount
    let isBigEndian = kind == Int32(SLIT_SCAN_READ_BLEND_BIG_WORDS)
    frames = (0..<(isWide ? 40 : 7)).map { _ in
      (0..<byteCount).map { byte in
        // The low bits of samples that do not use them are 0.
        let isLow = isWords && (byte % 2 == 0) != isBigEndian
        return UInt8.random(in: 0...255, using: &random)
          & (isLow ? .max << UInt8(unusedBits) : .max)
      }
    }
    for _ in 0..<plane.grid.lineCount {
      let first = Int.random(in: 0...frames.count, using: &random)
      let reach =
        isWide ? Int.random(in: 20...60, using: &random) : Int.random(in: 0...9, using: &random)
      var own = (0..<TileLine.byteCount).map { _ in
        Int.random(in: first * 4096...(first + reach) * 4096, using: &random)
      }
      // The values that narrow delays can have; words of two bytes have one delay.
      own = own.map { kind == Int32(SLIT_SCAN_READ_NEAREST) ? $0 & ~4095 : $0 & ~15 }
      if isWords { own = own.indices.map { own[$0 & ~1] } }
      delays += own
      let base = (own.min() ?? 0) >> 12
      let last = ((own.max() ?? 0) + 4095) >> 12
      lines.append(
        SlitScanLineDelay(
          base: UInt32(base), reach: UInt32(last - base), pattern: UInt32(lines.count)))
    }
  }

  /// The tiles that must come out.
  func expected() -> [UInt8] {
    let oldest = frames.count - 1
    func blend(_ newer: Int, _ older: Int, _ weight: Int) -> Int {
      let sum = newer * (4096 - weight) + older * weight
      return ((sum + (4096 << Int(unusedBits)) / 2) >> (12 + Int(unusedBits))) << Int(unusedBits)
    }
    return delays.indices.map { index in
      let level = min(delays[index] >> 12, oldest)
      let next = min(level + 1, oldest)
      let weight = delays[index] & 4095
      switch kind {
      case Int32(SLIT_SCAN_READ_NEAREST): return frames[level][index]
      case Int32(SLIT_SCAN_READ_BLEND_BYTES):
        return UInt8(blend(Int(frames[level][index]), Int(frames[next][index]), weight))
      default:
        let isBigEndian = kind == Int32(SLIT_SCAN_READ_BLEND_BIG_WORDS)
        let (low, high) = isBigEndian ? (index | 1, index & ~1) : (index & ~1, index | 1)
        func word(_ frame: [UInt8]) -> Int { Int(frame[high]) << 8 | Int(frame[low]) }
        let value = blend(word(frames[level]), word(frames[next]), weight)
        return UInt8(index == low ? value & 255 : value >> 8)
      }
    }
  }

  /// The same, with bytes of the newest frame where the delay is older than the oldest.
  func expectedNewest(_ expected: [UInt8]) -> [UInt8] {
    delays.indices.map { delays[$0] > (frames.count - 1) << 12 ? frames[0][$0] : expected[$0] }
  }

  /// The frame that does.
  func read(late: Int32, streams: Bool, pool: OpaquePointer? = nil) -> [UInt8] {
    let slot = plane.grid.lineCount * TileLine.byteCount
    let memory = AlignedBytes(frames.flatMap(\.self))
    let starts = frames.indices.map { $0 * slot }
    let isWords = kind >= Int32(SLIT_SCAN_READ_BLEND_LITTLE_WORDS)
    let isNearest = kind == Int32(SLIT_SCAN_READ_NEAREST)
    var levels: [UInt8] = []
    var narrow: [UInt16] = []
    var wide: [UInt32] = []
    for (line, delay) in lines.enumerated() {
      for byte in 0..<TileLine.byteCount {
        let exact = delays[line * TileLine.byteCount + byte]
        let above = exact - Int(delay.base) << 12
        let isNarrow = delay.reach <= SLIT_SCAN_NARROW_REACH
        levels.append(isNarrow ? UInt8(above >> 12) : 0)
        narrow.append(isNarrow ? UInt16(above >> 4) : 0)
        if !isWords || byte % 2 == 0 { wide.append(UInt32(isNearest ? exact >> 12 : exact)) }
      }
    }
    let alignedLevels = AlignedBytes(levels)
    let alignedNarrow = AlignedBytes(narrow.withUnsafeBytes { Array($0) })
    let alignedWide = AlignedBytes(wide.withUnsafeBytes { Array($0) })
    let frame = AlignedBytes([UInt8](repeating: 0, count: plane.stride * plane.height))
    starts.withUnsafeBufferPointer { starts in
      lines.withUnsafeBufferPointer { lines in
        guard let lines = lines.baseAddress else { return }
        var era = SlitScanEra(
          memory: memory.start, end: UInt32(frames.count), starts: starts.baseAddress, rings: nil,
          pages: nil, skipped: 0)
        withUnsafePointer(to: &era) { era in
          var history = SlitScanHistoryFrames(
            eras: era, era_count: 1, oldest: UInt32(frames.count - 1), skipped: 0, whole: nil,
            streams: streams, pager: nil, ahead: 0)
          var reading = SlitScanReading(
            target: SlitScanTarget(
              rows: frame.start, stride: plane.stride, tiling: plane.grid.tiling),
            delays: lines, levels: alignedLevels.start,
            narrow: alignedNarrow.pointer.assumingMemoryBound(to: UInt16.self),
            wide: alignedWide.pointer.assumingMemoryBound(to: UInt32.self), kind: kind,
            unused_bits: unusedBits, late: late, colour: nil, rows: nil)
          _ = slit_scan_read(&history, &reading, 1, pool)
        }
      }
    }
    return frame.bytes
  }
}

/// Values of a map and what is done to them.
struct RandomMap {
  /// The result.
  struct Delays: Equatable {
    var deepest: UInt32
    /// Base and reach of each line, and its delays where they are to be kept.
    var lines: [[UInt32]]
  }

  let plane: RandomPlane
  let curve: SlitScanCurve
  let rule: SlitScanDelayRule
  private let f: [Float]
  private let samples: [UInt8]?
  private static let black: Float = 16
  private static let scale: Float = 1 / 219

  init(_ plane: RandomPlane, using random: inout SeededGenerator) {
    self.plane = plane
    curve = SlitScanCurve(
      inverts: .random(using: &random),
      gain: .random(using: &random) ? 1 : .random(in: -3...3, using: &random),
      offset: .random(using: &random) ? 0 : .random(in: -2...2, using: &random),
      edge: .random(in: 0...2, using: &random))
    var rule = SlitScanDelayRule()
    rule.kind = .random(in: 0...2, using: &random)
    rule.deepest = Float(Int.random(in: 0...200, using: &random))
    rule.extra.0 = .random(using: &random) ? 0 : 3.25
    rule.extra.2 = .random(using: &random) ? 0 : -7.5
    self.rule = rule
    let count = plane.grid.plane.cellCount
    let steepness = Float.random(in: 0...1, using: &random)
    f = (0..<count).map { _ in
      .random(in: (0.5 - steepness / 2)...(0.5 + steepness / 2), using: &random)
    }
    samples =
      Bool.random(using: &random)
      ? (0..<count).map { _ in .random(in: 0...255, using: &random) } : nil
  }

  private func g(_ cell: Int) -> Float {
    var f = samples.map { (Float($0[cell]) - Self.black) * Self.scale } ?? f[cell]
    f = min(max(f, 0), 1)
    let g = (curve.inverts ? 1 - f : f) * curve.gain + curve.offset
    guard !(0...1 ~= g) else { return g }
    switch curve.edge {
    case Int32(SLIT_SCAN_CURVE_CLAMP): return min(max(g, 0), 1)
    case Int32(SLIT_SCAN_CURVE_WRAP): return g - g.rounded(.down)
    default:
      let folded = g - 2 * (g / 2).rounded(.down)
      return folded > 1 ? 2 - folded : folded
    }
  }

  func expected() -> Delays {
    let shape = plane.grid.shape
    let cellBytes = shape.cellBytes
    let extra = withUnsafeBytes(of: rule.extra) { Array($0.bindMemory(to: Float.self)) }
    var delays = Delays(deepest: 0, lines: [])
    for line in 0..<plane.grid.lineCount {
      let exact = (0..<TileLine.byteCount).map { lane -> Float in
        let byte = line % shape.lineCount * TileLine.byteCount + lane
        let tile = line / shape.lineCount
        let cell = byte % shape.rowBytes / cellBytes
        let x = tile % plane.grid.tilesWide * shape.cellsWide + cell
        let y = tile / plane.grid.tilesWide * shape.rows + byte / shape.rowBytes
        let value = g(
          min(y, plane.height - 1) * plane.grid.plane.cellsWide
            + min(x, plane.grid.plane.cellsWide - 1))
        return min(max(value * rule.deepest + extra[byte % cellBytes], 0), rule.deepest)
      }
      let isNearest = rule.kind == Int32(SLIT_SCAN_DELAYS_NEAREST)
      let first = exact.map { isNearest ? ($0 + 0.5).rounded(.down) : $0.rounded(.down) }
      let last = exact.map { isNearest ? ($0 + 0.5).rounded(.down) : $0.rounded(.up) }
      let base = first.min() ?? 0
      let reach = (last.max() ?? 0) - base
      let kept = exact.indices.map { lane -> UInt32 in
        if isNearest { return UInt32(first[lane] - (isNarrow(reach) ? base : 0)) }
        if isNarrow(reach) { return UInt32((exact[lane] - base) * 256 + 0.5) }
        return UInt32(first[lane]) << 12 + UInt32((exact[lane] - first[lane]) * 4096 + 0.5)
      }
      let isWords = rule.kind == Int32(SLIT_SCAN_DELAYS_BLEND_WORDS)
      delays.lines.append(
        [UInt32(base), UInt32(reach)]
          + (isWords ? stride(from: 0, to: kept.count, by: 2).map { kept[$0] } : kept))
      delays.deepest = max(delays.deepest, UInt32(base + reach))
    }
    return delays
  }

  private func isNarrow(_ reach: Float) -> Bool {
    reach <= Float(SLIT_SCAN_NARROW_REACH) && rule.kind != Int32(SLIT_SCAN_DELAYS_BLEND_WORDS)
  }

  func made(pool: OpaquePointer? = nil) -> Delays {
    let count = plane.grid.lineCount * TileLine.byteCount
    var lines = [SlitScanLineDelay](repeating: .init(), count: plane.grid.lineCount)
    var levels = [UInt8](repeating: 0, count: count)
    var narrow = [UInt16](repeating: 0, count: count)
    var wide = [UInt32](repeating: 0, count: count)
    var deepest: UInt32 = 0
    let samples = samples ?? []
    f.withUnsafeBufferPointer { f in
      samples.withUnsafeBufferPointer { samples in
        lines.withUnsafeMutableBufferPointer { lines in
          levels.withUnsafeMutableBufferPointer { levels in
            narrow.withUnsafeMutableBufferPointer { narrow in
              wide.withUnsafeMutableBufferPointer { wide in
                guard let lines = lines.baseAddress, let wide = wide.baseAddress else { return }
                var mapping = SlitScanMapping(
                  f: f.baseAddress, samples: samples.isEmpty ? nil : samples.baseAddress,
                  black: Self.black, scale: Self.scale, cells_wide: plane.grid.plane.cellsWide,
                  cells_high: plane.height, cell_bytes: Int32(plane.grid.shape.cellBytes),
                  tiling: plane.grid.tiling, curve: curve, rule: rule, lines: lines,
                  levels: levels.baseAddress, narrow: narrow.baseAddress, wide: wide)
                deepest = slit_scan_map(&mapping, 1, pool)
              }
            }
          }
        }
      }
    }
    return Delays(
      deepest: deepest,
      lines: lines.enumerated().map { line, delay in
        let reach = [delay.base, delay.reach]
        if rule.kind == Int32(SLIT_SCAN_DELAYS_BLEND_WORDS) {
          return reach + wide[(line * 32)..<(line * 32 + 32)]
        }
        guard isNarrow(Float(delay.reach)) else {
          return reach + wide[(line * 64)..<(line * 64 + 64)]
        }
        let lanes = (Int(delay.pattern) * 64)..<(Int(delay.pattern) * 64 + 64)
        return reach
          + (rule.kind == Int32(SLIT_SCAN_DELAYS_NEAREST)
            ? levels[lanes].map { UInt32($0) } : narrow[lanes].map { UInt32($0) })
      })
  }
}
