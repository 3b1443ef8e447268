// A mapped plane describes where the delays of one plane are stored and what they are computed from.

import CSlitScanKernels

/// The location and source of the delays of a plane's lines.
struct MappedPlane {
  /// The plane.
  let grid: TileGrid
  /// The number of its first line in the map.
  var firstLine = 0
  /// The start of its values of the map.
  var start = 0
  /// Whether those are of the raster that the map is made from.
  var isFromRaster = false
  private let kind: Kind
  /// The delay for g = 1: frames, or 1 where frames have ages.
  private let deepest: Float
  /// For each byte of a cell, what is added to its delay.
  private let extra: InlineArray<8, Float>

  /// The ways of making lanes of levels.
  private enum Kind {
    case nearest
    case blendBytes
    case blendWords
  }

  /// - Parameter shares: For each byte of a cell, its part of `component-spread`.
  init(_ grid: TileGrid, key: DelayKey, shares: [Double]) {
    self.grid = grid
    kind =
      switch (key.interpolation, grid.plane.sampleBytes) {
      case (.nearest, _): .nearest
      case (.linear, 1), (.motion, 1): .blendBytes
      case (.linear, _), (.motion, _): .blendWords
      }
    let deepest: Float = key.duration > 0 ? 1 : Float(key.deepest)
    self.deepest = deepest
    extra = InlineArray { byte in
      byte < shares.count ? Float(key.spread * shares[byte]) * deepest : 0
    }
  }

  /// Bytes that a line's narrow delays take.
  var narrowBytes: Int {
    switch kind {
    case .nearest: TileLine.byteCount
    case .blendBytes: 2 * TileLine.byteCount
    case .blendWords: 0
    }
  }

  /// Bytes that a line's wide delays take.
  var wideBytes: Int {
    switch kind {
    case .nearest, .blendBytes: 4 * TileLine.byteCount
    case .blendWords: 2 * TileLine.byteCount
    }
  }

  /// Whether the delays of a line that reaches so far are wide.
  func isWide(reach: UInt32) -> Bool {
    kind == .blendWords || reach > SLIT_SCAN_NARROW_REACH
  }

  /// Bits of the fraction of a ``RowDelay``.
  var fractionBits: UInt32 {
    switch kind {
    case .nearest: 0
    case .blendBytes: UInt32(SLIT_SCAN_NARROW_FRACTION)
    case .blendWords: UInt32(SLIT_SCAN_WIDE_FRACTION)
    }
  }

  /// A wide delay with as many bits.
  func delay(ofWide wide: UInt32) -> UInt32 {
    guard kind == .blendBytes else { return wide }
    let spare = UInt32(SLIT_SCAN_WIDE_FRACTION - SLIT_SCAN_NARROW_FRACTION)
    return (wide &+ (1 << (spare - 1))) >> spare
  }

  /// The rule by which delays follow from g, for frames without ages.
  var rule: SlitScanDelayRule {
    var rule = unsafe SlitScanDelayRule()
    let number =
      switch kind {
      case .nearest: SLIT_SCAN_DELAYS_NEAREST
      case .blendBytes: SLIT_SCAN_DELAYS_BLEND_BYTES
      case .blendWords: SLIT_SCAN_DELAYS_BLEND_WORDS
      }
    unsafe rule.kind = Int32(number)
    unsafe rule.deepest = deepest
    unsafe rule.extra = (
      extra[0], extra[1], extra[2], extra[3], extra[4], extra[5], extra[6], extra[7]
    )
    return unsafe rule
  }

  /// The way in which the kernels read the plane.
  func readKind(isBigEndian: Bool) -> Int32 {
    let number =
      switch kind {
      case .nearest: SLIT_SCAN_READ_NEAREST
      case .blendBytes: SLIT_SCAN_READ_BLEND_BYTES
      case .blendWords:
        isBigEndian ? SLIT_SCAN_READ_BLEND_BIG_WORDS : SLIT_SCAN_READ_BLEND_LITTLE_WORDS
      }
    return Int32(number)
  }
}
