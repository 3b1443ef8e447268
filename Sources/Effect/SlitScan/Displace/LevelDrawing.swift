// The level drawing draws a frame of history as it is, wherever history keeps it.

/// A map without delays, which is made once: the levels before a frame are skipped.
struct LevelDrawing: ~Copyable {
  private var delays = DelayMap()

  /// Draws a frame of history.
  ///
  /// - Parameter flow: The motion of history, which is not followed.
  /// - Returns: false if history is on a disk that fails; the newest frame is left.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func draw(
    _ level: Int, of history: inout History, flow: borrowing FlowFields, tiles: TiledLayout,
    into target: inout MutableFrameSpan, _ workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    if delays.key == nil {
      let key = DelayKey(ScanSettings(), values: 0, depth: 1)
      var surfaces = MapSurfaces(tiles)
      let raster = Raster()
      try surfaces.prepare(key.map, raster: raster, for: .delays)
      try delays.prepare(
        key, from: surfaces, raster: raster, for: tiles, ages: [], workers: workers)
    }
    if history.hasRows { delays.findRows() }
    let isDrawn = delays.render(
      history, skipping: level, tiles: tiles, flow: flow, late: .oldest, into: &target,
      workers: workers)
    if !isDrawn { history.leaveDisk() }
    return isDrawn
  }
}
