// The system memory keeps frames as bytes, and draws them with the processor.

/// Memory of the system: frames as bytes, in tiles, and the threads that share the work.
package struct SystemMemory: ~Copyable, ScanMemory {
  package typealias Frame = FrameSpan
  package typealias Target = MutableFrameSpan
  package typealias Displace = DisplaceMode
  package typealias Sweep = SweepMode
  package typealias Strip = StripMode

  /// The inputs of the map, and its values.
  var map = MapInputs()
  /// The threads that share the work.
  private(set) var workers = Workers(1)
  private var tiles: TiledLayout?
  /// The folder of history that does not fit into memory.
  var historyLocation: String?

  init() {}

  package func check(_ layout: FrameLayout) {}

  /// The tiles of frames that come in.
  mutating func tiles(of layout: FrameLayout) -> TiledLayout {
    if let tiles { return tiles }
    let new = TiledLayout(layout)
    tiles = new
    return new
  }

  package mutating func shape(
    of frame: borrowing FrameSpan, _ layout: FrameLayout, isNew: inout Bool
  ) throws(ScanError) -> TiledLayout {
    try frame.check(against: layout)
    return tiles(of: layout)
  }

  package func check(
    _ target: inout MutableFrameSpan, _ layout: FrameLayout, hasInputLayout: Bool
  ) throws(ScanError) {
    try target.check(against: layout)
  }

  package mutating func follow(
    _ frame: borrowing FrameSpan, _ shape: TiledLayout, settings: ScanSettings
  ) throws(ScanError) {
    if settings.threads != workers.wanted { workers = Workers(settings.threads) }
    try map.follow(frame, settings: settings, tiles: shape)
  }

  package mutating func followAgain(
    _ layout: FrameLayout, settings: ScanSettings
  ) throws(ScanError) {
    try map.followAgain(settings: settings, tiles: tiles(of: layout))
  }

  package mutating func forgetFrames() { map.forgetFrames() }

  package mutating func release() {
    map.release()
    workers = Workers(1)
    tiles = nil
  }
}
