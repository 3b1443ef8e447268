// The delay map is the delay of every cell, made of the values of a map.

import CSlitScanKernels

/// The delay d of every cell of a frame.
///
/// Planes whose tiles have equal delays share them, see ``DelayLanes``.
struct DelayMap: ~Copyable {
  /// The key that the map was made for, nil before the first time.
  private(set) var key: DelayKey?
  /// Counts the changes of the map.
  private(set) var revision = 0
  /// The ages that the map was made for.
  private var ages: [Double] = []
  /// The planes and where their lines are; some may share them.
  private(set) var planes: [MappedPlane] = []
  /// Of those, the ones that make lines of their own.
  private var owners: [MappedPlane] = []
  private var lanes = DelayLanes()
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
  var byteCount: Int { lanes.byteCount }

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
    let key = DelayKey(settings, values: revision, depth: depth)
    try map.withValues(of: settings) { surfaces, raster throws(ScanError) in
      try prepare(key, from: surfaces, raster: raster, for: tiles, ages: ages, workers: workers)
    }
    return true
  }

  /// Computes the map anew, if it is not up to date.
  ///
  /// - Parameters:
  ///   - raster: What the map is made from, where `surfaces` leaves its values out.
  ///   - ages: The ages of the frames held, as parts of the longest delay; empty if delays count
  ///     frames.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func prepare(
    _ key: DelayKey, from surfaces: borrowing MapSurfaces, raster: borrowing Raster,
    for tiles: TiledLayout, ages: [Double], workers: borrowing Workers
  ) throws(ScanError) {
    guard !key.isMet(by: self.key, ages: ages, others: self.ages) else { return }
    self.key = nil
    self.ages = ages
    try layOut(tiles, key: key, surfaces: surfaces)
    last = Kernels.map(
      owners, values: surfaces.allValues, raster: raster, curve: SlitScanCurve(key.map),
      ages: ages.span, slack: key.slack, into: &lanes, workers: workers)
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
    let delay = lanes.delay(ofLine: line)
    return Double(delay.base) + Double(delay.reach) / 2
  }

  /// Decides which planes share their lines, and makes room for all.
  private mutating func layOut(
    _ tiles: TiledLayout, key: DelayKey, surfaces: borrowing MapSurfaces
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
    try lanes.grow(to: end, for: planes)
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
        let delay = lanes.delay(ofLine: line)
        lengths.append(max(delay.base + delay.reach + 1 + exposed, least))
      }
    }
    return .ofLines(lengths)
  }

  /// Whether any line shows more than one frame.
  var mayLieBetweenFrames: Bool {
    planes.contains { plane in
      (plane.firstLine..<(plane.firstLine + plane.grid.lineCount)).contains {
        lanes.delay(ofLine: $0).reach > 0
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
    for line in first..<last where !lanes.areAlike(line, line + shape.lineCount, of: plane) {
      return false
    }
    for row in 0..<min(shape.rows, grid.plane.cellsHigh - tileY * shape.rows) {
      let start = row * shape.rowBytes
      let delay = lanes.delay(ofByte: start, inTileAt: first, of: plane)
      for byte in start..<(start + shape.rowBytes)
      where lanes.delay(ofByte: byte, inTileAt: first, of: plane) != delay {
        return false
      }
      let full: UInt32 = 1 << plane.fractionBits
      rows.append(RowDelay(level: delay / full, weight: delay % full))
    }
    return true
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
      alongMotion: key?.interpolation == .motion, rows: rows.span, lanes: lanes, late: late,
      into: &frame, workers: workers)
  }

  /// The same, drawn into a copy of a frame.
  ///
  /// - Throws: ``ScanError/Code/outOfMemory``.
  func render<Frames: HistoryFrames & ~Copyable>(
    _ history: borrowing Frames, skipping skipped: Int = 0, tiles: TiledLayout,
    flow: borrowing FlowFields, late: WarmupFill, into copy: inout FrameCopy,
    workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    var isDrawn = true
    try copy.draw { frame in
      isDrawn = render(
        history, skipping: skipped, tiles: tiles, flow: flow, late: late, into: &frame,
        workers: workers)
    }
    return isDrawn
  }
}
