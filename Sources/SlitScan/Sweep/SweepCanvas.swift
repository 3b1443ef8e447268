// The sweep mode: what the slit has passed stands still, the rest is live.

/// The picture of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
struct SweepCanvas: ~Copyable {
  private let tiles: TiledLayout
  private var map = SweepMap()
  /// The whole output, one slot of tiles.
  private var memory = LineMemory()
  private var clock = SweepClock()
  /// Everything up to this value was frozen by earlier frames; nil if nothing was.
  private var frozen: UInt32?
  /// p of the last frame.
  private(set) var progress: Double = 0

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
  }

  /// The bytes of memory that the canvas takes.
  var byteCount: Int { memory.byteCount }

  /// Whether there is a picture to draw.
  var isEmpty: Bool { memory.byteCount == 0 }

  /// Takes the memory that a canvas needs.
  ///
  /// - Returns: false if the system refuses it.
  mutating func reserve() -> Bool { memory.grow(to: tiles.byteCount) }

  /// Starts anew with the next frame.
  mutating func restart() {
    clock.restart()
    frozen = nil
    progress = 0
  }

  /// Takes a frame in: what the slit has not passed before becomes this frame's.
  ///
  /// - Parameter time: Running time of the frame in nanoseconds.
  /// - Returns: Whether the slit has reached its end with this frame.
  mutating func push(
    _ picture: borrowing Picture, time: UInt64, settings: ScanSettings
  ) -> Bool {
    guard !isEmpty else { return false }
    map.prepare(settings.map, for: tiles)
    let reading = clock.advance(
      to: time, duration: settings.sweepDuration, loop: settings.sweepLoop,
      stands: settings.freeze)
    let position = SweepMap.quantized(reading.position)
    if reading.startsRound { frozen = nil }
    if !settings.freeze || reading.startsRound {
      // A slit on its way back sets free what it passes.
      draw(picture, keeping: frozen.map { min($0, position) })
    }
    progress = reading.position
    frozen = position
    return reading.completes
  }

  /// Brings the cells with g > `frozen` up to date; all of them if that is nil.
  private mutating func draw(_ picture: borrowing Picture, keeping frozen: UInt32?) {
    let (tiles, map) = (tiles, map)
    var memory = self.memory.mutableBytes
    var tile = InlineArray<24, UInt64>(repeating: 0)
    for (index, grid) in tiles.grids.enumerated() {
      let rows = picture.bytes(ofPlane: index)
      let stride = picture.stride(ofPlane: index)
      for tileY in 0..<grid.tilesHigh {
        for tileX in 0..<grid.tilesWide {
          let firstLine = grid.line(tileX: tileX, tileY: tileY)
          let lines = firstLine..<(firstLine + grid.shape.lineCount)
          if let frozen, lines.allSatisfy({ map.ranges[$0].upperBound <= frozen }) { continue }
          var tileSpan = tile.mutableSpan
          var tileBytes = unsafe tileSpan.mutableBytes
          grid.load(
            tileX: tileX, tileY: tileY, of: rows, stride: stride, into: &tileBytes, at: 0)
          for line in lines {
            let live = unsafe TileLine(
              tileSpan.bytes, at: (line - firstLine) * TileLine.byteCount)
            let offset = line * TileLine.byteCount
            if let frozen, map.ranges[line].lowerBound <= frozen {
              for lane in 0..<TileLine.byteCount where map.values[offset + lane] > frozen {
                memory.storeBytes(
                  of: live[lane], toByteOffset: offset + lane, as: UInt8.self)
              }
            } else {
              live.store(to: &memory, at: offset)
            }
          }
        }
      }
    }
  }

  /// Writes the picture out.
  func render(into picture: inout MutablePicture) {
    guard !isEmpty else { return }
    tiles.load(memory.bytes, at: 0, into: &picture)
  }
}
