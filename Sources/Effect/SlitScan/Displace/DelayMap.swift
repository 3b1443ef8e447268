// The delay map holds the delay of every cell, line by line in the order in which the kernels read.

import CSlitScanKernels

/// The delays of one cache line: `base` is the smallest level that it shows something of, `reach` the
/// way to the largest.
typealias LineDelay = SlitScanLineDelay

/// The delay of one row, where it is the same all along: `level`, and the `weight` of the level after it.
typealias RowDelay = SlitScanRowDelay

/// The delay d of every cell of a frame.
///
/// Each byte (or sample) of a line is a *lane* and has a delay of its own, equal for all lanes of a
/// cell but for what `component-spread` adds. Lines whose delays lie close together keep them as small
/// numbers above the line's base, so that whole vectors of them can be compared with a level; the
/// others, and all lines of two-byte samples when interpolating, keep them as they are. Planes whose
/// tiles have equal delays share them.
struct DelayMap: ~Copyable {
  /// The source of delays besides the values of the map and the ages of frames.
  struct Key: Equatable {
    /// The settings that are applied to the values.
    var map: ScanSettings
    /// Which values they are.
    var surfaces: Int
    /// The longest delay in frames, unless frames have ages.
    var deepest: Int
    var interpolation: ScanSettings.Interpolation
    var spread: Double
    /// The longest delay in nanoseconds; 0 if it counts frames.
    var duration: UInt64
  }

  /// The key that the map was made for, nil before the first time.
  private(set) var key: Key?
  /// Counts the changes of the map.
  private(set) var revision = 0
  /// The ages that the map was made for.
  private var ages: [Double] = []
  /// The planes and where their lines are; some may share them.
  private(set) var planes: [MappedPlane] = []
  /// Of those, the ones that make lines of their own.
  private var owners: [MappedPlane] = []
  /// The delays of every line.
  private var lines = LineMemory()
  /// Each lane's delay above its line's base, where that reaches no farther than
  /// `SLIT_SCAN_NARROW_REACH`.
  private var narrow = LineMemory()
  /// Each lane's delay, elsewhere.
  private var wide = LineMemory()
  /// The largest level that any line shows something of.
  private(set) var last: UInt32 = 0
  /// The delay of each row, plane after plane; empty until ``findRows()`` has found them.
  private(set) var rows: [RowDelay] = []
  /// The revision whose rows have been looked for.
  private var searchedRevision = 0

  /// The level that the frame shows on average, to half a frame and from a sample of its lines.
  private(set) var meanLevel: Double = 0
  /// The level that the tiles around the centre of the frame show on average.
  private(set) var centerLevel: Double = 0

  /// No map yet.
  init() {}

  /// The bytes of memory that the map takes, at most.
  var byteCount: Int { lines.byteCount + narrow.byteCount }

  /// Computes the delays of settings anew, if they are not up to date.
  ///
  /// - Parameters:
  ///   - depth: The frames that delays are parts of.
  ///   - ages: The ages of the frames held, as parts of the longest delay, where that is a time.
  /// - Returns: Whether the map has values.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ settings: ScanSettings, _ map: borrowing MapInputs, _ tiles: TiledLayout, depth: Int,
    ages: [Double], workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    guard let revision = map.valuesRevision else { return false }
    let duration = settings.duration
    let key = Key(
      map: settings.ofMap, surfaces: revision, deepest: duration > 0 ? 0 : depth - 1,
      interpolation: settings.interpolation, spread: settings.componentSpread,
      duration: duration)
    // Clocks and rounded frame times are not better than that.
    let slack = duration > 0 ? 1000 / Double(duration) : 0
    try map.withValues(of: settings) { surfaces, raster throws(ScanError) in
      try prepare(
        key, from: surfaces, raster: raster, for: tiles, ages: ages, slack: slack,
        workers: workers)
    }
    return true
  }

  /// Computes the map anew, if it is not up to date.
  ///
  /// - Parameters:
  ///   - raster: What the map is made from, where `surfaces` leaves its values out.
  ///   - ages: The ages of the frames held, as parts of the longest delay; empty if delays count
  ///     frames.
  ///   - slack: What an age may be off by and still be the same.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ key: Key, from surfaces: borrowing MapSurfaces, raster: borrowing Raster,
    for tiles: TiledLayout, ages: [Double], slack: Double, workers: borrowing Workers
  ) throws(ScanError) {
    guard key != self.key || !Self.areEqual(ages, self.ages, slack: slack) else { return }
    self.key = nil
    self.ages = ages
    try layOut(tiles, key: key, surfaces: surfaces)
    last = Self.map(
      owners, surfaces, raster, curve: SlitScanCurve(key.map), ages: ages, slack: slack,
      lines: &lines, narrow: &narrow, wide: &wide, workers: workers)
    self.key = key
    revision += 1
    rows.removeAll(keepingCapacity: true)
    survey()
  }

  /// Finds the mean level, of the first plane, and the one in the centre.
  private mutating func survey() {
    guard let plane = planes.first, plane.grid.lineCount > 0 else { return }
    let grid = plane.grid
    // Odd, so that lines of all columns of tiles are looked at.
    let step = max(1, grid.lineCount / Self.surveyedLines) | 1
    var sum = 0.0
    var count = 0.0
    for line in stride(from: 0, to: grid.lineCount, by: step) {
      sum += middleLevel(ofLine: plane.firstLine + line)
      count += 1
    }
    meanLevel = sum / count
    sum = 0
    for corner in 0..<4 {
      let line = grid.line(
        tileX: (grid.tilesWide - corner % 2) / 2, tileY: (grid.tilesHigh - corner / 2) / 2)
      sum += middleLevel(ofLine: plane.firstLine + line - grid.firstLine)
    }
    centerLevel = sum / 4
  }

  /// The number of lines that the mean level is taken from: a fraction of what preparing them took.
  private static let surveyedLines = 1000

  private func middleLevel(ofLine line: Int) -> Double {
    let (base, reach) = delay(ofLine: line)
    return Double(base) + Double(reach) / 2
  }

  /// The levels that a line shows something of.
  private func delay(ofLine line: Int) -> (base: UInt32, reach: UInt32) {
    let delay = lineDelay(line)
    return (delay.base, delay.reach)
  }

  private func lineDelay(_ line: Int) -> LineDelay {
    let bytes = lines.bytes
    let start = line * MemoryLayout<LineDelay>.size
    return unsafe LineDelay(
      base: bytes.unsafeLoad(fromByteOffset: start, as: UInt32.self),
      reach: bytes.unsafeLoad(fromByteOffset: start + 4, as: UInt32.self),
      pattern: bytes.unsafeLoad(fromByteOffset: start + 8, as: UInt32.self))
  }

  private static func map(
    _ planes: [MappedPlane], _ surfaces: borrowing MapSurfaces, _ raster: borrowing Raster,
    curve: SlitScanCurve, ages: [Double], slack: Double, lines: inout LineMemory,
    narrow: inout LineMemory, wide: inout LineMemory, workers: borrowing Workers
  ) -> UInt32 {
    var lines = lines.mutableBytes
    var narrow = narrow.mutableBytes
    var wide = wide.mutableBytes
    return Kernels.map(
      planes, values: surfaces.allValues, raster: raster, curve: curve, ages: ages.span,
      slack: slack, lines: &lines, narrow: &narrow, wide: &wide, workers: workers)
  }

  private static func areEqual(_ ages: [Double], _ others: [Double], slack: Double) -> Bool {
    guard ages.count == others.count else { return false }
    return ages.indices.allSatisfy { abs(ages[$0] - others[$0]) <= slack }
  }

  /// Decides which planes share their lines, and makes room for all.
  private mutating func layOut(
    _ tiles: TiledLayout, key: Key, surfaces: borrowing MapSurfaces
  ) throws(ScanError) {
    planes.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
    var end = 0
    for (index, grid) in tiles.grids.enumerated() {
      var plane = MappedPlane(grid, key: key, shares: tiles.spreadShares[index])
      (plane.start, plane.isFromRaster) = surfaces.place(of: grid.plane)
      let twin = owners.firstIndex { other in
        key.spread == 0 && other.grid.plane.hasCells(of: grid.plane)
          && other.grid.shape == grid.shape
          && other.grid.plane.sampleBytes == grid.plane.sampleBytes
      }
      if let twin {
        plane.firstLine = owners[twin].firstLine
      } else {
        plane.firstLine = end
        end += grid.lineCount
        owners.append(plane)
      }
      planes.append(plane)
    }
    let narrowBytes = planes.map(\.narrowBytes).max() ?? 0
    let wideBytes = planes.map(\.wideBytes).max() ?? 0
    guard lines.grow(to: end * MemoryLayout<LineDelay>.size), narrow.grow(to: end * narrowBytes),
      wide.grow(to: end * wideBytes)
    else {
      throw .refused(end * (narrowBytes + wideBytes), for: "the delays of the map")
    }
  }

  /// For each line of a frame, or each row where ``rows`` are known, how many of the newest frames it
  /// shows something of, with `exposed` older ones, but no fewer than `least`; nil while there is no map.
  func lengths(
    of tiles: TiledLayout, exposed: Int, atLeast least: Int
  ) -> RingLayout.Lengths? {
    guard key != nil else { return nil }
    let exposed = UInt32(clamping: exposed)
    let least = UInt32(clamping: least)
    guard rows.isEmpty else {
      return .ofRows(rows.map { max($0.level + ($0.weight > 0 ? 2 : 1) + exposed, least) })
    }
    var lengths: [UInt32] = []
    lengths.reserveCapacity(tiles.lineCount)
    for plane in planes {
      for line in plane.firstLine..<(plane.firstLine + plane.grid.lineCount) {
        let (base, reach) = delay(ofLine: line)
        lengths.append(max(base + reach + 1 + exposed, least))
      }
    }
    return .ofLines(lengths)
  }

  /// Whether any line shows more than one frame.
  var mayLieBetweenFrames: Bool {
    planes.contains { plane in
      (plane.firstLine..<(plane.firstLine + plane.grid.lineCount)).contains {
        delay(ofLine: $0).reach > 0
      }
    }
  }

  // MARK: Rows

  /// Looks for the delays of rows, once a revision.
  mutating func findRows() {
    guard key != nil, searchedRevision != revision else { return }
    searchedRevision = revision
    for plane in planes {
      for tileY in 0..<plane.grid.tilesHigh where !appendRows(ofTiles: tileY, of: plane) {
        return rows.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Appends the delays of the rows in a row of tiles.
  ///
  /// - Returns: false if one of them is not the same all along its row.
  private mutating func appendRows(ofTiles tileY: Int, of plane: MappedPlane) -> Bool {
    let (grid, shape) = (plane.grid, plane.grid.shape)
    let first = plane.firstLine + tileY * grid.tilesWide * shape.lineCount
    let last = first + (grid.tilesWide - 1) * shape.lineCount
    for line in first..<last where !areAlike(line, line + shape.lineCount, of: plane) {
      return false
    }
    for row in 0..<min(shape.rows, grid.plane.cellsHigh - tileY * shape.rows) {
      let start = row * shape.rowBytes
      let delay = delay(ofByte: start, inTileAt: first, of: plane)
      for byte in start..<(start + shape.rowBytes)
      where self.delay(ofByte: byte, inTileAt: first, of: plane) != delay {
        return false
      }
      let full: UInt32 = 1 << plane.fractionBits
      rows.append(RowDelay(level: delay / full, weight: delay % full))
    }
    return true
  }

  /// Whether the lanes of two lines have the same delays; `second` is in the next tile to the right.
  private func areAlike(_ first: Int, _ second: Int, of plane: MappedPlane) -> Bool {
    let (one, other) = (lineDelay(first), lineDelay(second))
    guard one.base == other.base, one.reach == other.reach else { return false }
    guard plane.isWide(reach: one.reach) else { return one.pattern == other.pattern }
    let byteCount = plane.wideBytes
    return Kernels.areEqual(
      wide.bytes.extracting((first * byteCount)..<((first + 1) * byteCount)),
      wide.bytes.extracting((second * byteCount)..<((second + 1) * byteCount)))
  }

  /// The delay of a byte of a tile, in frames of 2^`fractionBits` parts.
  private func delay(ofByte byte: Int, inTileAt firstLine: Int, of plane: MappedPlane) -> UInt32 {
    let (tileLine, lane) = byte.quotientAndRemainder(dividingBy: TileLine.byteCount)
    let line = firstLine + tileLine
    let delay = lineDelay(line)
    guard !plane.isWide(reach: delay.reach) else {
      let start = line * plane.wideBytes + lane * plane.wideBytes / TileLine.byteCount / 4 * 4
      return plane.delay(
        ofWide: unsafe wide.bytes.unsafeLoad(fromByteOffset: start, as: UInt32.self))
    }
    let laneBytes = plane.narrowBytes / TileLine.byteCount
    let start = (plane.firstLine + Int(delay.pattern)) * plane.narrowBytes + lane * laneBytes
    let above =
      laneBytes == 1
      ? unsafe UInt32(narrow.bytes.unsafeLoad(fromByteOffset: start, as: UInt8.self))
      : unsafe UInt32(narrow.bytes.unsafeLoad(fromByteOffset: start, as: UInt16.self))
    return (delay.base << plane.fractionBits) + above
  }

  // MARK: Output

  /// Draws in(x, y, t − d) for the whole frame; `history` must hold a frame.
  ///
  /// - Parameters:
  ///   - skipped: The frames that are added to each delay.
  ///   - flow: The motion between its frames, where frames between them follow from that.
  /// - Returns: false if history is on a disk that fails.
  func render<Frames: HistoryFrames & ~Copyable>(
    _ history: borrowing Frames, skipping skipped: Int = 0, tiles: TiledLayout,
    flow: borrowing FlowFields, late: WarmupFill,
    into frame: inout MutableFrameSpan, workers: borrowing Workers
  ) -> Bool {
    guard history.count > 0, key != nil else { return true }
    return Kernels.read(
      planes, history: history, skipping: skipped, tiles: tiles, flow: flow,
      alongMotion: key?.interpolation == .motion, rows: rows.span, lines: lines.bytes,
      narrow: narrow.bytes, wide: wide.bytes, late: late, into: &frame, workers: workers)
  }
}
