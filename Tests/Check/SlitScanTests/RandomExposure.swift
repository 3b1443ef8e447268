// A plane of noise that is added up and shown as a mean, and the plainest reference of that.

import CSlitScanKernels
import SeededGenerator

@testable import SlitScan

/// Sums of samples, two frames, and what becomes of them.
struct RandomExposure {
  /// The sums and the rows of the mean.
  struct Outcome: Equatable {
    var sums: [UInt32]
    var rows: [UInt8]
  }

  let plane: RandomPlane
  private let kind: Int32
  private let unusedBits: UInt32
  private let exposure: SlitScanExposure
  /// A level of an exposure that follows the map, instead.
  private let mapExposure: SlitScanMapExposure?
  private let values: [UInt16]
  private let sums: [UInt32]
  private let added: [UInt8]
  private let removed: [UInt8]

  init(_ plane: RandomPlane, kind: Int32, using random: inout SeededGenerator) {
    self.plane = plane
    self.kind = kind
    let isWords = kind != Int32(SLIT_SCAN_SAMPLES_BYTES)
    let unusedBits = isWords ? UInt32.random(in: 0...6, using: &random) : 0
    self.unusedBits = unusedBits
    let frames = Int.random(in: 2...1000, using: &random)
    let rest = Bool.random(using: &random) ? 0 : Float.random(in: 0..<1, using: &random)
    exposure = SlitScanExposure(
      keeps: .random(in: 0...1, using: &random), times: .random(in: 0...1, using: &random),
      removes: Bool.random(using: &random), develops: Bool.random(using: &random),
      share: 1 / (Float(frames) + rest), rest: rest / (Float(frames) + rest))
    let byteCount = plane.grid.plane.rowBytes * plane.height
    mapExposure =
      Bool.random(using: &random)
      ? nil
      : SlitScanMapExposure(
        level: UInt32.random(in: 0...3, using: &random),
        is_last: Bool.random(using: &random), growth: .random(in: 0...999, using: &random))
    values = (0..<plane.grid.plane.cellsWide * plane.height).map { _ in
      .random(in: 0...UInt16.max, using: &random)
    }
    func noise() -> [UInt8] {
      (0..<byteCount).map { index in
        let isLow = isWords && (index % 2 == 0) != (kind == Int32(SLIT_SCAN_SAMPLES_BIG_WORDS))
        return .random(in: 0...255, using: &random) & (isLow ? .max << UInt8(unusedBits) : .max)
      }
    }
    added = noise()
    removed = noise()
    let white: UInt32 = isWords ? 65_535 : 255
    sums = (0..<byteCount / (isWords ? 2 : 1)).map { _ in
      .random(in: white...UInt32(frames - 1) * white, using: &random)
    }
  }

  private func sample(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    if kind == Int32(SLIT_SCAN_SAMPLES_BYTES) { return UInt32(bytes[index]) }
    let isBig = kind == Int32(SLIT_SCAN_SAMPLES_BIG_WORDS)
    return UInt32(bytes[2 * index + (isBig ? 0 : 1)]) << 8
      | UInt32(bytes[2 * index + (isBig ? 1 : 0)])
  }

  /// The samples of a cell.
  private var cellSamples: Int {
    plane.grid.plane.cellBytes / (kind == Int32(SLIT_SCAN_SAMPLES_BYTES) ? 1 : 2)
  }

  /// The sum of a sample, and what its mean is before it is rounded; nil if it is not drawn.
  private func sum(_ index: Int) -> (UInt32, mean: Float?) {
    // In the same floats.
    let scale = Float(1 << unusedBits)
    guard let mapExposure else {
      let last = sample(removed, index)
      let sum =
        sums[index] * exposure.keeps &+ UInt32(exposure.times) * sample(added, index)
        &- (exposure.removes ? last : 0)
      let mean =
        Float(Int32(bitPattern: sum)) * (exposure.share / scale)
        + Float(last) * (exposure.rest / scale)
      return (sum, exposure.develops ? mean : nil)
    }
    let steps = Float(values[index / cellSamples]) * (mapExposure.growth * 64 / 65_535)
    let length = 64 + UInt32(steps + 0.5)
    let start = 64 * mapExposure.level
    let rest = length > start ? length - start : 0
    let sum =
      (mapExposure.level == 0 ? 0 : sums[index])
      &+ (mapExposure.is_last ? rest : min(rest, 64)) &* sample(added, index)
    return (sum, mapExposure.is_last ? Float(sum) / Float(length << unusedBits) : nil)
  }

  func expected() -> Outcome {
    let isBytes = kind == Int32(SLIT_SCAN_SAMPLES_BYTES)
    let rowBytes = plane.grid.plane.rowBytes
    var outcome = Outcome(
      sums: sums, rows: [UInt8](repeating: 0, count: plane.stride * plane.height))
    for index in sums.indices {
      let (sum, mean) = sum(index)
      outcome.sums[index] = sum
      guard let mean else { continue }
      let word = UInt16(truncatingIfNeeded: Int32(mean + 0.5)) << UInt16(unusedBits)
      let byte = index * (isBytes ? 1 : 2)
      let place = byte / rowBytes * plane.stride + byte % rowBytes
      if isBytes {
        outcome.rows[place] = UInt8(truncatingIfNeeded: word)
      } else {
        let isBig = kind == Int32(SLIT_SCAN_SAMPLES_BIG_WORDS)
        outcome.rows[place + (isBig ? 0 : 1)] = UInt8(word >> 8)
        outcome.rows[place + (isBig ? 1 : 0)] = UInt8(word & 255)
      }
    }
    return outcome
  }

  func exposed(pool: OpaquePointer? = nil) -> Outcome {
    let (added, removed) = (AlignedBytes(added), AlignedBytes(removed))
    let values = AlignedBytes(values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    let frame = AlignedBytes([UInt8](repeating: 0, count: plane.stride * plane.height))
    var sums = sums
    sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      var exposing = SlitScanExposing(
        target: SlitScanTarget(rows: frame.start, stride: plane.stride, tiling: plane.grid.tiling),
        sums: sums, added: added.start,
        removed: mapExposure == nil ? removed.start : values.start,
        samples: SlitScanSamples(kind: kind, unused_bits: unusedBits),
        cell_samples: Int32(cellSamples))
      if let mapExposure {
        slit_scan_expose_by_map(&exposing, 1, mapExposure, pool)
      } else {
        slit_scan_expose(&exposing, 1, exposure, pool)
      }
    }
    return Outcome(sums: sums, rows: frame.bytes)
  }
}
