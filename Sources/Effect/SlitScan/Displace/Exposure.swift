// The exposure draws each pixel as the mean of several frames.

import CSlitScanKernels

/// The sums of the frames that the shutter has been open for.
///
/// Sums are exact. While the delays stay as they are, the frame that has come is added and the one that has left is
/// subtracted; else, and where lengths follow the map, all of them are added up anew.
struct Exposure: ~Copyable {
  /// The frames that the sums are made of.
  private struct State {
    /// The frames of each pixel.
    var frames: Int
    /// The revision of the delays.
    var revision: Int
    var warmup: ScanSettings.Warmup
    /// The number of the newest frame, and the frames held with it.
    var pushCount: Int
    var heldCount: Int
  }

  private let tiles: TiledLayout
  private let sampleCount: Int
  private var sums = LineMemory()
  private var added: FrameCopy
  private var removed: FrameCopy
  /// The map, where lengths follow it.
  private var map: MapSamples?
  private var state: State?

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    sampleCount = tiles.layout.planes.reduce(0) { $0 + $1.sampleCount }
    added = FrameCopy(tiles)
    removed = FrameCopy(tiles)
  }

  /// The bytes of memory that it takes.
  var byteCount: Int {
    sums.byteCount + added.byteCount + removed.byteCount + (map.read { $0.byteCount } ?? 0)
  }

  /// Gives the memory back.
  mutating func release() {
    guard byteCount > 0 else { return }
    state = nil
    sums = LineMemory()
    added = FrameCopy(tiles)
    removed = FrameCopy(tiles)
    map = nil
  }

  /// The part of the shutter that lengths have beyond a single frame, on average and around the centre of the frame.
  var mean: (all: Double, center: Double) { map.read { $0.mean } ?? (1, 1) }

  /// Has lengths follow the map, or be those of the shutter.
  ///
  /// - Parameter flow: The motion of history, which is not followed.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func follow(
    _ settings: ScanSettings, _ inputs: borrowing MapInputs, flow: borrowing FlowFields,
    workers: borrowing Workers
  ) throws(ScanError) {
    guard settings.shutterFollowsMap else { return map = nil }
    if map == nil { map = try MapSamples(tiles.layout) }
    try map?.prepare(settings, inputs, flow: flow, workers: workers)
  }

  private mutating func takeMemory() throws(ScanError) {
    guard sums.grow(to: sampleCount * MemoryLayout<UInt32>.size) else {
      throw .refused(sampleCount * MemoryLayout<UInt32>.size, for: "the exposure")
    }
  }

  /// Draws the mean of the frames from each delay on.
  ///
  /// - Returns: false if history is on a disk that fails.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func draw(
    _ shutter: Shutter, _ delays: borrowing DelayMap, _ history: borrowing History,
    flow: borrowing FlowFields, late: WarmupFill, warmup: ScanSettings.Warmup,
    into target: inout MutableFrameSpan, workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    guard map == nil else {
      return try drawByMap(
        shutter, delays, history, flow: flow, late: late, into: &target, workers: workers)
    }
    try takeMemory()
    let tiles = tiles
    /// Draws what each pixel showed so many frames before its delay.
    func draw(_ level: Int, into copy: inout FrameCopy) throws(ScanError) -> Bool {
      try delays.render(
        history, skipping: level, tiles: tiles, flow: flow, late: late, into: &copy,
        workers: workers)
    }
    let last = state
    state = nil
    var held: Int
    if let last, isCurrent(last, shutter, delays, history, warmup) {
      held = last.frames
      if history.pushCount > last.pushCount {
        guard try draw(0, into: &added), try draw(held, into: &removed) else { return false }
        expose(Kernels.Exposing(times: 1, removes: true), into: &target, workers)
      }
    } else {
      held = 0
    }
    while held < shutter.frames {
      guard try draw(held, into: &added) else { return false }
      // Where there is no older frame, the oldest stands for those before it.
      let times = held >= history.count - 1 ? shutter.frames - held : 1
      expose(Kernels.Exposing(keeps: held > 0, times: times), into: &target, workers)
      held += times
    }
    while held > shutter.frames {
      held -= 1
      guard try draw(held, into: &added) else { return false }
      expose(Kernels.Exposing(times: -1), into: &target, workers)
    }
    if shutter.rest > 0 {
      guard try draw(held, into: &removed) else { return false }
    }
    expose(Kernels.Exposing(times: 0, develops: shutter), into: &target, workers)
    state = State(
      frames: held, revision: delays.revision, warmup: warmup, pushCount: history.pushCount,
      heldCount: history.count)
    return true
  }

  /// Draws the mean of as many frames as the map says for each cell.
  ///
  /// - Parameter longest: The exposure where the map is 1.
  /// - Returns: false if history is on a disk that fails.
  /// - Throws: ``ScanError/Code/outOfMemory``.
  mutating func drawByMap<Frames: HistoryFrames & ~Copyable>(
    _ longest: Shutter, _ delays: borrowing DelayMap, _ frames: borrowing Frames,
    flow: borrowing FlowFields, late: WarmupFill, into target: inout MutableFrameSpan,
    workers: borrowing Workers
  ) throws(ScanError) -> Bool {
    try takeMemory()
    state = nil
    let tiles = tiles
    // Where there is no older frame, the oldest stands for those before it.
    let last = min(longest.lastLevel, max(frames.count - 1, 0))
    for level in 0...last {
      let isDrawn = try delays.render(
        frames, skipping: level, tiles: tiles, flow: flow, late: late, into: &added,
        workers: workers)
      guard isDrawn else { return false }
      let exposure = SlitScanMapExposure(
        level: UInt32(clamping: level), is_last: level == last,
        growth: Float(longest.length - 1))
      switch map {
      case .none: break
      case .some(let map):
        Kernels.expose(
          exposure, sums: &sums, added: added, map: map, tiles: tiles, into: &target,
          workers: workers)
      }
    }
    return true
  }

  /// Whether the sums are those of the last frame, or of the one before it, and less is to be added to them than
  /// there is in all.
  private func isCurrent(
    _ last: State, _ shutter: Shutter, _ delays: borrowing DelayMap, _ history: borrowing History,
    _ warmup: ScanSettings.Warmup
  ) -> Bool {
    let (pushed, count) = (history.pushCount - last.pushCount, history.count)
    guard last.revision == delays.revision, last.warmup == warmup, pushed <= 1,
      abs(shutter.frames - last.frames) < shutter.frames
    else { return false }
    guard pushed > 0 else { return count == last.heldCount }
    // Nothing has left that they are made of; what is late may have been something else.
    let deepest = Int(delays.last)
    if min(count, last.heldCount) > deepest + max(shutter.frames, last.frames) { return true }
    return count == last.heldCount + 1 && (warmup == .hold || last.heldCount > deepest)
  }

  private mutating func expose(
    _ exposing: Kernels.Exposing, into target: inout MutableFrameSpan, _ workers: borrowing Workers
  ) {
    Kernels.expose(
      exposing, sums: &sums, added: added, removed: removed, tiles: tiles, into: &target,
      workers: workers)
  }
}
