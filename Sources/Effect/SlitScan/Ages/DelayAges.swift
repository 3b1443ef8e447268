// The delay ages draw how old the pixels of a displaced frame are.

/// The ages of the pixels of a displaced frame.
///
/// They are what the effect makes of a video in which every pixel of a frame is as old as the frame.
struct DelayAges: ~Copyable {
  private let tiles: TiledLayout
  private var delays = DelayMap()
  private var frames = FlatFrames()
  private var table: [UInt16] = []

  /// - Parameter layout: The layout of the frames.
  init(_ layout: FrameLayout) throws(ScanError) {
    tiles = TiledLayout(try .gray16(width: layout.width, height: layout.height))
  }

  /// The bytes of memory that they take.
  var byteCount: Int { delays.byteCount + frames.byteCount }

  /// Draws the ages.
  ///
  /// - Parameters:
  ///   - settings: Those of the frame, with ``ScanSettings/ageUnit``.
  ///   - times: The times of the frames held.
  ///   - shutter: The exposure, of which the mean counts.
  ///   - prepare: Brings delays up to date.
  ///   - target: A frame of ``FrameLayout/gray16(width:height:)``.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func draw(
    _ settings: ScanSettings, _ times: FrameTimes, _ shutter: Shutter, flow: borrowing FlowFields,
    workers: borrowing Workers, into target: inout MutableFrameSpan,
    prepare: (inout DelayMap, TiledLayout) throws(ScanError) -> Void
  ) throws(ScanError) {
    times.listAges(inStepsOf: settings.ageUnit, exposed: shutter, in: &table)
    try frames.exchange(&table, tiles)
    try prepare(&delays, tiles)
    _ = delays.render(
      frames, tiles: tiles, flow: flow, late: .oldest, into: &target, workers: workers)
  }
}
