// The sweep ages hold how old the pixels of a sweep are.

import CSlitScanKernels

/// The ages of the pixels of a sweep, in a canvas of their own.
///
/// Pixels that were frozen before the ages were asked for count from then on.
struct SweepAges: ~Copyable {
  private let tiles: TiledLayout
  private var canvas: LineMemory
  /// A frame that is as old as the newest one: 0 everywhere.
  private let newest: FrameCopy
  private var clock: AgeClock

  /// - Parameters:
  ///   - layout: The layout of the frames.
  ///   - unit: The step of ages, in nanoseconds.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  init(_ layout: FrameLayout, unit: UInt64) throws(ScanError) {
    let tiles = TiledLayout(try .gray16(width: layout.width, height: layout.height))
    var canvas = LineMemory()
    guard canvas.grow(to: tiles.byteCount) else { throw .refused(tiles.byteCount, for: "ages") }
    var newest = FrameCopy(tiles)
    try newest.draw { $0.clear() }
    self.tiles = tiles
    self.canvas = canvas
    self.newest = newest
    clock = AgeClock(unit: unit)
  }

  /// A step, in nanoseconds.
  var unit: UInt64 { clock.unit }

  /// The bytes of memory that they take.
  var byteCount: Int { canvas.byteCount + newest.byteCount }

  /// Goes on to a frame, which some cells become.
  mutating func advance(
    to time: UInt64, _ part: SweepState.Part, curve: SlitScanCurve,
    surfaces: borrowing MapSurfaces, workers: borrowing Workers
  ) {
    Kernels.age(&canvas, by: clock.advance(to: time))
    Self.draw(part, of: newest, tiles, curve, surfaces, into: &canvas, workers)
  }

  private static func draw(
    _ part: SweepState.Part, of newest: borrowing FrameCopy, _ tiles: TiledLayout,
    _ curve: SlitScanCurve, _ surfaces: borrowing MapSurfaces, into canvas: inout LineMemory,
    _ workers: borrowing Workers
  ) {
    SweepMode.draw(
      part, of: newest.frame, tiles: tiles, curve: curve, surfaces: surfaces, into: &canvas,
      workers: workers)
  }

  /// Draws the ages.
  ///
  /// - Parameter target: A frame of ``FrameLayout/gray16(width:height:)``.
  func draw(into target: inout MutableFrameSpan, workers: borrowing Workers) {
    Kernels.load(canvas.bytes, at: 0, tiles: tiles, into: &target, workers: workers)
  }
}
