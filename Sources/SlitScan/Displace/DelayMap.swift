// The delay of every cell, in the order in which the kernels read: line by line.

import CSlitScanKernels

/// The delays of one cache line.
///
/// `base` is the smallest level that the line shows something of, `reach` the way to the largest;
/// `wide_start` is where its exact delays start in ``DelayMap/wide``, negative if it has none.
typealias LineDelay = SlitScanLineDelay

extension LineDelay {
  /// The largest level that the line shows something of.
  var last: UInt32 { base + reach }
  /// Where the line's exact delays start in ``DelayMap/wide``.
  var wideStart: Int { Int(wide_start) }
  /// Whether the line has exact delays.
  var isWide: Bool { wide_start >= 0 }
}

/// The delay d of every cell of a frame.
///
/// Each byte (or sample) of a line is a *lane* and has a delay of its own, equal for all lanes of a
/// cell but for what `component-spread` adds. Lines whose delays lie within ``narrowReach`` levels of
/// each other keep them as small numbers above the line's base, so that whole vectors of them can be
/// compared with a level; the others, and all lines of two-byte samples when interpolating, keep them
/// as they are. Planes whose tiles have equal delays share them.
struct DelayMap {
  /// The levels that a line may span and still be read level by level; beyond, it is read lane by
  /// lane.
  static let narrowReach: UInt32 = 24
  /// Bits of the fraction of a wide delay.
  static let wideFraction: UInt32 = 12
  /// Bits of the fraction of a narrow delay.
  static let narrowFraction: UInt16 = 8

  /// What delays are made from, besides the values of the map and the ages of frames.
  struct Key: Equatable {
    /// What is done to the values.
    var map: MapSettings
    /// Which values they are.
    var surfaces: Int
    /// The longest delay in frames, unless frames have ages.
    var deepest: Int
    var interpolation: ScanSettings.Interpolation
    var spread: Double
    /// The longest delay in nanoseconds; 0 if it counts frames.
    var duration: UInt64
  }

  /// What the map was made for, nil before the first time.
  private(set) var key: Key?
  /// The ages that the map was made for.
  private var ages: [Double] = []
  /// The number of the first line of each plane in the arrays below, equal for planes that share.
  private(set) var firstLines: [Int] = []
  /// Every line.
  private(set) var lines: [LineDelay] = []
  /// Nearest: each byte's level above the base; four vectors a line.
  private(set) var narrowLevels: [SIMD16<UInt8>] = []
  /// Linear, one-byte samples: each byte's delay above the base in 1/256 frames; four vectors a line.
  private(set) var narrowDelays: [SIMD16<UInt16>] = []
  /// Wide lines: 64 levels (nearest), or 64 or 32 samples' delays in 1/4096 frames (linear).
  private(set) var wide: [UInt32] = []
  /// The largest level that any line shows something of.
  private(set) var last: UInt32 = 0
  private var rows = CurvedRows()

  /// Computes the map anew, if it is not up to date.
  ///
  /// - Parameters:
  ///   - ages: The ages of the frames held, as parts of the longest delay; empty if delays count
  ///     frames.
  ///   - slack: What an age may be off by and still be the same.
  mutating func prepare(
    _ key: Key, from surfaces: borrowing MapSurfaces, for tiles: TiledLayout, ages: [Double],
    slack: Double
  ) {
    guard key != self.key || !Self.areEqual(ages, self.ages, slack: slack) else { return }
    self.key = key
    self.ages = ages
    share(tiles, spread: key.spread)
    var wideCount = 0
    last = 0
    for (index, grid) in tiles.grids.enumerated() {
      // The first of those that share makes the lines.
      guard firstLines.firstIndex(of: firstLines[index]) == index else { continue }
      fill(
        grid, index, firstLine: firstLines[index], key: key, tiles: tiles,
        surface: surfaces.values(of: grid.plane), slack: slack, wideCount: &wideCount)
    }
  }

  private static func areEqual(_ ages: [Double], _ others: [Double], slack: Double) -> Bool {
    guard ages.count == others.count else { return false }
    return ages.indices.allSatisfy { abs(ages[$0] - others[$0]) <= slack }
  }

  /// Decides which planes share their lines, and makes room for all.
  private mutating func share(_ tiles: TiledLayout, spread: Double) {
    firstLines.removeAll(keepingCapacity: true)
    var end = 0
    for (index, grid) in tiles.grids.enumerated() {
      let twin = tiles.grids[..<index].firstIndex { other in
        spread == 0 && other.plane.hasCells(of: grid.plane) && other.shape == grid.shape
          && other.plane.sampleBytes == grid.plane.sampleBytes
      }
      if let twin {
        firstLines.append(firstLines[twin])
      } else {
        firstLines.append(end)
        end += grid.lineCount
      }
    }
    let isNearest = key?.interpolation == .nearest
    if lines.count != end {
      lines = .init(repeating: LineDelay(), count: end)
      narrowLevels = []
      narrowDelays = []
    }
    if isNearest, narrowLevels.count != 4 * end {
      narrowDelays = []
      narrowLevels = .init(repeating: .zero, count: 4 * end)
    } else if !isNearest, narrowDelays.count != 4 * end {
      narrowLevels = []
      narrowDelays = .init(repeating: .zero, count: 4 * end)
    }
  }

  private mutating func fill(
    _ grid: TileGrid, _ index: Int, firstLine: Int, key: Key, tiles: TiledLayout,
    surface: Span<Float>, slack: Double, wideCount: inout Int
  ) {
    guard !surface.isEmpty else { return }
    let curve = SlitScanCurve(key.map)
    let kind =
      switch (key.interpolation, grid.plane.sampleBytes) {
      case (.nearest, _): SLIT_SCAN_DELAYS_NEAREST
      case (.linear, 1): SLIT_SCAN_DELAYS_BLEND_BYTES
      case (.linear, _): SLIT_SCAN_DELAYS_BLEND_WORDS
      }
    var rule = unsafe SlitScanDelayRule()
    unsafe rule.kind = Int32(kind)
    unsafe rule.narrow_reach = Self.narrowReach
    unsafe rule.wide_fraction = Self.wideFraction
    unsafe rule.deepest = key.duration > 0 ? 1 : Float(key.deepest)
    unsafe rule.age_slack = slack
    for byte in 0..<grid.shape.cellBytes {
      let share = tiles.spreadShares[index][byte]
      unsafe withUnsafeMutableBytes(of: &rule.extra) { extra in
        unsafe extra.storeBytes(
          of: Float(key.spread * share) * rule.deepest,
          toByteOffset: byte * MemoryLayout<Float>.size, as: Float.self)
      }
    }

    let tilesAcross = grid.tilesWide * grid.shape.cellsWide
    let lineCount = grid.tilesWide * grid.shape.lineCount
    for tileY in 0..<grid.tilesHigh {
      rows.load(
        tileY * grid.shape.rows, count: grid.shape.rows, of: grid.plane, cellsWide: tilesAcross,
        from: surface, curve: curve)
      let room = wideCount + lineCount * TileLine.byteCount
      if wide.count < room {
        wide.append(contentsOf: repeatElement(0, count: max(room - wide.count, wide.count)))
      }
      let deepest = unsafe Self.fillRow(
        grid, rows, rule: rule, ages: ages, firstLine: firstLine + tileY * lineCount,
        lines: &lines, levels: &narrowLevels, delays: &narrowDelays, wide: &wide,
        wideCount: &wideCount)
      last = max(last, deepest)
    }
  }

  /// One row of tiles; says which is the largest level that it shows something of.
  private static func fillRow(
    _ grid: TileGrid, _ rows: CurvedRows, rule: SlitScanDelayRule, ages: [Double], firstLine: Int,
    lines: inout [LineDelay], levels: inout [SIMD16<UInt8>], delays: inout [SIMD16<UInt16>],
    wide: inout [UInt32], wideCount: inout Int
  ) -> UInt32 {
    var lines = lines.mutableSpan
    var levels = levels.mutableSpan
    var delays = delays.mutableSpan
    var wide = wide.mutableSpan
    return unsafe Kernels.delays(
      of: rows.values.span, stride: rows.stride, tiles: grid, rule: rule, ages: ages.span,
      line: firstLine, lines: &lines, levels: &levels, delays: &delays, wide: &wide,
      wideCount: &wideCount)
  }
}
