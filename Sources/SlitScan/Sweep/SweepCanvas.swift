// The sweep mode: what the slit has passed stands still, the rest is live.

import CSlitScanKernels

/// The picture of a sweep: frozen where g ≤ p, as it was when the slit passed; live elsewhere.
struct SweepCanvas: ~Copyable {
  private let tiles: TiledLayout
  /// The whole output, one slot of tiles.
  private var memory = LineMemory()
  private var clock = SweepClock()
  /// Everything up to this value was frozen by earlier frames; nil if nothing was.
  private var frozen: Float?
  /// p of the last frame.
  private(set) var progress: Double = 0
  /// Whether the sweep has come to an end that lasts.
  private var hasEnded = false
  private var rows = CurvedRows()

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
    hasEnded = false
  }

  /// Takes a frame in: what the slit has not passed before becomes this frame's.
  ///
  /// - Parameters:
  ///   - time: Running time of the frame in nanoseconds.
  ///   - surfaces: The map's values for this frame.
  /// - Returns: Whether the slit has reached its end with this frame.
  mutating func push(
    _ picture: borrowing Picture, time: UInt64, settings: ScanSettings,
    surfaces: borrowing MapSurfaces, workers: borrowing Workers
  ) -> Bool {
    guard !isEmpty else { return false }
    let reading = clock.advance(
      to: time, duration: settings.sweepDuration, loop: settings.sweepLoop,
      stands: settings.freeze)
    let position = Float(reading.position)
    if reading.startsRound { frozen = nil }
    if !settings.freeze || reading.startsRound {
      // A slit on its way back sets free what it passes.
      let kept = frozen.map { min($0, position) }
      if kept.map({ $0 < 1 }) ?? true {
        Self.draw(
          picture, tiles: tiles, keeping: kept, curve: SlitScanCurve(settings.map),
          surfaces: surfaces, into: &memory, workers: workers)
      }
    }
    progress = reading.position
    hasEnded = settings.sweepLoop == .once && reading.position >= 1
    frozen = position
    return reading.completes
  }

  /// Brings the cells with g > `frozen` up to date; all of them if that is nil.
  private static func draw(
    _ picture: borrowing Picture, tiles: TiledLayout, keeping frozen: Float?,
    curve: SlitScanCurve, surfaces: borrowing MapSurfaces, into memory: inout LineMemory,
    workers: borrowing Workers
  ) {
    var memory = memory.mutableBytes
    guard let frozen else {
      return Kernels.store(
        picture, tiles: tiles, into: &memory, at: 0, streams: false, workers: workers)
    }
    Kernels.sweep(
      picture, tiles: tiles, surfaces: surfaces, curve: curve, frozen: frozen, into: &memory,
      workers: workers)
  }

  /// Writes the picture out, with the line on it if there is one.
  mutating func render(
    into picture: inout MutablePicture, settings: ScanSettings, surfaces: borrowing MapSurfaces,
    workers: borrowing Workers
  ) {
    guard !isEmpty else { return }
    Kernels.load(memory.bytes, at: 0, tiles: tiles, into: &picture, workers: workers)
    if settings.lineWidth > 0, !hasEnded {
      let line = SweepLine(tiles, settings: settings, position: Float(progress))
      line.draw(into: &picture, surfaces: surfaces, rows: &rows)
    }
  }
}
