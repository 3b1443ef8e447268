// The delay of every cell, in the order in which the kernels read: line by line.

/// The delays of one cache line.
struct LineDelay {
  /// The smallest level that the line shows something of.
  var base: UInt32
  /// From the smallest to the largest level.
  var reach: UInt32
  /// Where the line's exact delays start in ``DelayMap/wide``, or `nowhere`.
  var wideStart: Int

  /// The `wideStart` of a line that has none.
  static let nowhere = -1

  /// The largest level that the line shows something of.
  var last: UInt32 { base + reach }
}

/// The delay d = g·(depth − 1) of every cell of a frame.
///
/// Each byte (or sample) of a line is a *lane* and has a delay of its own, equal for all lanes of a
/// cell. Lines whose delays lie within ``narrowReach`` levels of each other keep them as small
/// numbers above the line's base, so that whole vectors of them can be compared with a level; the
/// others, and all lines of two-byte samples when interpolating, keep them as they are.
struct DelayMap {
  /// The levels that a line may span and still be read level by level; beyond, it is read lane by
  /// lane.
  static let narrowReach: UInt32 = 24
  /// Bits of the fraction of a wide delay.
  static let wideFraction: UInt32 = 12
  /// Bits of the fraction of a narrow delay.
  static let narrowFraction: UInt16 = 8

  /// What the map was made for.
  struct Key: Equatable {
    var map: MapSettings
    var depth: Int
    var interpolation: ScanSettings.Interpolation
  }

  /// What the map was made for, nil before the first time.
  private(set) var key: Key?
  /// Every line of a slot.
  private(set) var lines: [LineDelay] = []
  /// Nearest: each byte's level above the base; four vectors a line.
  private(set) var narrowLevels: [SIMD16<UInt8>] = []
  /// Linear, one-byte samples: each byte's delay above the base in 1/256 frames; four vectors a line.
  private(set) var narrowDelays: [SIMD16<UInt16>] = []
  /// Wide lines: 64 levels (nearest), or 64 or 32 samples' delays in 1/4096 frames (linear).
  private(set) var wide: [UInt32] = []

  /// Computes the map anew, if it is not for `key` already.
  mutating func prepare(_ key: Key, for tiles: TiledLayout) {
    guard key != self.key else { return }
    self.key = key
    let isNearest = key.interpolation == .nearest
    lines = []
    lines.reserveCapacity(tiles.lineCount)
    narrowLevels = isNearest ? .init(repeating: .zero, count: 4 * tiles.lineCount) : []
    narrowDelays = isNearest ? [] : .init(repeating: .zero, count: 4 * tiles.lineCount)
    wide.removeAll(keepingCapacity: true)
    let field = MapField(key.map, width: tiles.layout.width, height: tiles.layout.height)
    for grid in tiles.grids { append(grid, field: field, deepest: Double(key.depth - 1)) }
  }

  private mutating func append(_ grid: TileGrid, field: MapField, deepest: Double) {
    var delays: [Double] = []
    grid.forEachTile { tileX, tileY in
      delays.removeAll(keepingCapacity: true)
      grid.forEachCell(tileX: tileX, tileY: tileY) { x, y in
        delays.append(field.value(x: x, y: y) * deepest)
      }
      for line in 0..<grid.shape.lineCount {
        if key?.interpolation == .nearest {
          appendLevels(delays, line: line, shape: grid.shape)
        } else if grid.plane.sampleBytes == 1 {
          appendDelays(delays, line: line, shape: grid.shape)
        } else {
          appendWideDelays(delays, line: line, shape: grid.shape)
        }
      }
    }
  }

  /// One line, nearest: the level floor(d + ½) of each byte.
  private mutating func appendLevels(_ delays: [Double], line: Int, shape: TileShape) {
    let firstByte = line * TileLine.byteCount
    func level(_ lane: Int) -> UInt32 {
      UInt32((delays[(firstByte + lane) / shape.cellBytes] + 0.5).rounded(.down))
    }
    var base = UInt32.max
    var last: UInt32 = 0
    for lane in 0..<TileLine.byteCount {
      base = min(base, level(lane))
      last = max(last, level(lane))
    }
    var entry = LineDelay(base: base, reach: last - base, wideStart: LineDelay.nowhere)
    if entry.reach > Self.narrowReach {
      entry.wideStart = wide.count
      for lane in 0..<TileLine.byteCount { wide.append(level(lane)) }
    } else {
      for lane in 0..<TileLine.byteCount {
        narrowLevels[4 * lines.count + lane / 16][lane % 16] = UInt8(level(lane) - base)
      }
    }
    lines.append(entry)
  }

  /// One line, linear, one-byte samples.
  private mutating func appendDelays(_ delays: [Double], line: Int, shape: TileShape) {
    let firstByte = line * TileLine.byteCount
    func delay(_ lane: Int) -> Double { delays[(firstByte + lane) / shape.cellBytes] }
    let (base, reach) = Self.levels(of: (0..<TileLine.byteCount).lazy.map(delay))
    var entry = LineDelay(base: base, reach: reach, wideStart: LineDelay.nowhere)
    if reach > Self.narrowReach {
      entry.wideStart = wide.count
      for lane in 0..<TileLine.byteCount { wide.append(Self.wide(delay(lane))) }
    } else {
      let scale = Double(1 << Self.narrowFraction)
      for lane in 0..<TileLine.byteCount {
        let above = (delay(lane) - Double(base)) * scale
        narrowDelays[4 * lines.count + lane / 16][lane % 16] = UInt16(above.rounded())
      }
    }
    lines.append(entry)
  }

  /// One line, linear, two-byte samples.
  private mutating func appendWideDelays(_ delays: [Double], line: Int, shape: TileShape) {
    let firstByte = line * TileLine.byteCount
    func delay(_ sample: Int) -> Double { delays[(firstByte + 2 * sample) / shape.cellBytes] }
    let samples = TileLine.byteCount / 2
    let (base, reach) = Self.levels(of: (0..<samples).lazy.map(delay))
    lines.append(LineDelay(base: base, reach: reach, wideStart: wide.count))
    for sample in 0..<samples { wide.append(Self.wide(delay(sample))) }
  }

  /// The levels from floor of the smallest to ceiling of the largest delay.
  private static func levels(of delays: some Sequence<Double>) -> (base: UInt32, reach: UInt32) {
    let base = (delays.min() ?? 0).rounded(.down)
    let last = (delays.max() ?? 0).rounded(.up)
    return (UInt32(base), UInt32(last - base))
  }

  private static func wide(_ delay: Double) -> UInt32 {
    UInt32((delay * Double(1 << wideFraction)).rounded())
  }
}
