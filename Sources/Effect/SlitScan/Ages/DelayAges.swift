// The delay ages draw how old the pixels of a displaced frame are.

/// The ages of the pixels of a displaced frame.
///
/// They are what the effect makes of a video in which every pixel of a frame is as old as the frame.
struct DelayAges: ~Copyable {
  private let tiles: TiledLayout
  private var delays = DelayMap()
  private var frames = FlatFrames()
  private var table: [UInt16] = []
  private var exposure: Exposure

  /// - Parameter layout: The layout of the frames.
  init(_ layout: FrameLayout) throws(ScanError) {
    let tiles = TiledLayout(try .gray16(width: layout.width, height: layout.height))
    self.tiles = tiles
    exposure = Exposure(tiles)
  }

  /// Draws the ages.
  ///
  /// - Parameters:
  ///   - settings: Those of the frame, with ``ScanSettings/ageUnit``.
  ///   - map: The map, with values for single pixels.
  ///   - times: The times of the frames held.
  ///   - shutter: The exposure, of whose ages the mean is drawn.
  ///   - depth: The frames that delays are parts of.
  ///   - ages: Those of the frames held, as parts of the longest delay, where that is a time.
  ///   - target: A frame of ``FrameLayout/gray16(width:height:)``.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func draw(
    _ settings: ScanSettings, _ map: borrowing MapInputs, _ times: FrameTimes, _ shutter: Shutter,
    depth: Int, ages: [Double], flow: borrowing FlowFields, into target: inout MutableFrameSpan,
    workers: borrowing Workers
  ) throws(ScanError) {
    // Along the motion, a pixel lies between two frames just as well.
    var plain = settings
    if settings.interpolation == .motion { plain.interpolation = .linear }
    let follows = settings.shutterFollowsMap && shutter != .single
    times.listAges(
      inStepsOf: settings.ageUnit, exposed: follows ? .single : shutter, in: &table)
    try frames.exchange(&table, tiles)
    _ = try delays.prepare(plain, map, tiles, depth: depth, ages: ages, workers: workers)
    guard !follows else {
      try exposure.follow(settings, map, flow: flow, workers: workers)
      _ = try exposure.drawByMap(
        shutter, delays, frames, flow: flow, late: .oldest, into: &target, workers: workers)
      return
    }
    exposure.release()
    _ = delays.render(
      frames, tiles: tiles, flow: flow, late: .oldest, into: &target, workers: workers)
  }
}
