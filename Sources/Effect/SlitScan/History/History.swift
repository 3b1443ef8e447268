// The history holds the most recent frames as tiles.

import CSlitScanKernels

/// The last frames of a frame.
///
/// *Levels* count back in time: level 0 is the newest frame, level `count − 1` the oldest. Frames are
/// whole, or, while a map stands still, thinned out to what it shows:
///
/// | levels | frames |
/// |---|---|
/// | 0 ..< `fresh` | whole, since the map has moved again |
/// | … ..< `fresh + thinned.count` | thinned, from when it stood still |
/// | the others | whole, from before |
struct History: ~Copyable {
  private let tiles: TiledLayout
  private var whole: WholeFrames
  private var thinned: ThinnedFrames?
  /// Whether new frames are thinned out.
  private(set) var isThinning = false
  /// The whole frames that are newer than the thinned ones.
  private var fresh = 0
  /// When the frames that are held were taken in.
  private(set) var times = FrameTimes()

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    whole = WholeFrames(slotBytes: Self.slotBytes(tiles))
  }

  /// A history that is larger does not stay in the processor's caches until it is read.
  private static let cachedBytes = 8 << 20

  /// Bytes that each whole frame of history takes.
  ///
  /// An odd number of lines: if slots were a power of two apart, one tile's lines of all frames
  /// would compete for the same few places in the processor's caches.
  static func slotBytes(_ tiles: TiledLayout) -> Int { (tiles.lineCount | 1) * TileLine.byteCount }

  /// The bytes of memory that frames have been written to.
  var byteCount: Int {
    switch thinned {
    case .none: whole.byteCount
    case .some(let thinned): whole.byteCount + thinned.byteCount
    }
  }

  /// The frames that fit.
  var depth: Int { times.depth }
  /// The frames that are held.
  var count: Int { times.count }

  private var thinnedCount: Int {
    switch thinned {
    case .none: 0
    case .some(let thinned): thinned.count
    }
  }

  /// Whether frames go past the processor's caches: in, and out as pictures of them.
  private var streams: Bool { depth * whole.slotBytes > Self.cachedBytes }

  /// Gives `body` history as the kernels know it; none while nothing is held.
  @unsafe
  func withUnsafeFrames(_ body: (SlitScanHistoryFrames) -> Void) {
    guard count > 0 else { return }
    let (count, streams) = (count, streams)
    unsafe whole.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress
      switch thinned {
      case .none:
        unsafe whole.starts(of: 0..<count).withUnsafeBufferPointer { starts in
          guard let base = unsafe base else { return }
          unsafe Self.withUnsafeFrames(
            [Self.era(base, starts: starts.baseAddress, end: count)], count: count,
            streams: streams, body)
        }
      case .some(let thinned):
        unsafe whole.starts(of: 0..<whole.count).withUnsafeBufferPointer { starts in
          unsafe thinned.withUnsafeRings { memory, rings in
            let era = unsafe SlitScanEra(
              memory: memory.assumingMemoryBound(to: UInt8.self),
              end: UInt32(fresh + thinned.count), starts: nil, rings: rings)
            guard let base = unsafe base, let start = starts.baseAddress, whole.count > 0 else {
              return unsafe Self.withUnsafeFrames(
                [era], count: count, streams: streams, body)
            }
            // An era without frames is never looked into.
            let newer = unsafe Self.era(base, starts: start, end: fresh)
            let older = unsafe Self.era(base, starts: start + fresh, end: count)
            unsafe Self.withUnsafeFrames(
              [newer, era, older], count: count, streams: streams, body)
          }
        }
      }
    }
  }

  @unsafe
  private static func era(
    _ base: UnsafeRawPointer, starts: UnsafePointer<Int>?, end: Int
  ) -> SlitScanEra {
    unsafe SlitScanEra(
      memory: base.assumingMemoryBound(to: UInt8.self), end: UInt32(end), starts: starts, rings: nil
    )
  }

  @unsafe
  private static func withUnsafeFrames<let eraCount: Int>(
    _ eras: InlineArray<eraCount, SlitScanEra>, count: Int, streams: Bool,
    _ body: (SlitScanHistoryFrames) -> Void
  ) {
    unsafe eras.span.withUnsafeBufferPointer { eras in
      guard let first = eras.baseAddress else { return }
      unsafe body(
        SlitScanHistoryFrames(
          eras: first, era_count: eraCount, oldest: UInt32(count - 1), streams: streams))
    }
  }

  // MARK: Frames

  /// The depth it takes to hold the frames that are younger than `duration` and the youngest of the
  /// others; older ones are let go of.
  ///
  /// - Parameters:
  ///   - reserve: The newest frames that are kept in any case.
  ///   - newFrame: The running time of a frame that is about to be taken in, or nil.
  mutating func depth(for duration: UInt64, reserve: Int, newFrame: UInt64?) -> Int {
    let need = times.need(for: duration, newFrame: newFrame)
    letGo(keeping: max(need.kept, newFrame == nil ? reserve : reserve - 1))
    return need.depth
  }

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func setDepth(_ newDepth: Int) -> Bool {
    guard newDepth != depth else { return true }
    letGo(keeping: newDepth)
    guard whole.resize(to: newDepth) else { return false }
    times.setDepth(newDepth)
    return true
  }

  /// Takes a frame in as level 0; the oldest leaves if the history is full.
  ///
  /// - Parameter time: Its running time in nanoseconds; one before the last frame's counts as that.
  mutating func push(
    _ frame: borrowing FrameSpan, time: UInt64, workers: borrowing Workers
  ) {
    guard depth > 0 else { return }
    advance(to: time)
    let tiles = tiles
    let streams = streams
    if isThinning {
      thinned?.store(frame, tiles: tiles, streams: streams, workers: workers)
      return
    }
    let start = whole.start(of: 0)
    var bytes = whole.mutableBytes
    Kernels.store(
      frame, tiles: tiles, into: &bytes, at: start, streams: streams, workers: workers)
  }

  /// Takes the newest frame in once more, as level 0.
  mutating func repeatNewest(time: UInt64) {
    guard depth > 0, count > 0 else { return }
    if isThinning {
      advance(to: time)
      thinned?.repeatNewest()
      return
    }
    guard fresh > 0 || thinnedCount == 0 else { return repeatThinned(time: time) }
    let source = whole.start(of: 0)
    advance(to: time)
    let target = whole.start(of: 0)
    guard target != source else { return }
    let slotBytes = whole.slotBytes
    var bytes = whole.mutableBytes
    Kernels.copy(slotBytes, within: &bytes, from: source, to: target)
  }

  /// Takes the newest frame in once more where that is the last of the thinned ones: it is whole.
  private mutating func repeatThinned(time: UInt64) {
    advance(to: time)
    let start = whole.start(of: 0)
    Self.copyNewest(of: thinned, to: &whole, at: start, tiles: tiles)
  }

  private static func copyNewest(
    of thinned: borrowing ThinnedFrames?, to whole: inout WholeFrames, at start: Int,
    tiles: TiledLayout
  ) {
    var bytes = whole.mutableBytes
    copyNewest(of: thinned, to: &bytes, at: start, tiles: tiles)
  }

  private static func copyNewest(
    of thinned: borrowing ThinnedFrames?, to bytes: inout MutableRawSpan, at start: Int,
    tiles: TiledLayout
  ) {
    switch thinned {
    case .none: break
    case .some(let thinned): thinned.copyNewest(to: &bytes, at: start, tiles: tiles)
    }
  }

  /// Draws the newest frame as it was taken in.
  func drawNewest(into frame: inout MutableFrameSpan, workers: borrowing Workers) {
    guard count > 0 else { return }
    guard fresh == 0, thinnedCount > 0 else {
      return Kernels.load(
        whole.bytes, at: whole.start(of: 0), tiles: tiles, into: &frame, workers: workers)
    }
    var lines = LineMemory()
    guard lines.grow(to: tiles.byteCount) else { return }
    var bytes = lines.mutableBytes
    Self.copyNewest(of: thinned, to: &bytes, at: 0, tiles: tiles)
    Kernels.load(lines.bytes, at: 0, tiles: tiles, into: &frame, workers: workers)
  }

  /// Forgets all frames; the memory of whole ones stays for the next.
  mutating func forget() {
    thinned = nil
    isThinning = false
    fresh = 0
    whole.keep(0, givesBack: false)
    times.keep(0)
  }

  // MARK: Thinning

  /// Keeps, of frames that are taken in from now on, each line or row only for as many frames as
  /// something shows it; if that saves enough, and there is nothing thinned yet.
  ///
  /// - Parameter lengths: For how many frames each is shown.
  mutating func thinOut(_ lengths: ThinnedFrames.Lengths) {
    guard !isThinning, thinnedCount == 0, let frames = ThinnedFrames(lengths, of: tiles)
    else { return }
    // Little is gained where most is shown.
    guard frames.fullByteCount < depth * whole.slotBytes / 10 * 9 else { return }
    thinned = consume frames
    isThinning = true
    fresh = 0
  }

  /// Whether the newest frames are kept as rows, to be read by the delays of rows.
  var hasRows: Bool {
    switch thinned {
    case .none: false
    case .some(let thinned): isThinning && thinned.hasRows
    }
  }

  /// Keeps frames whole from now on, as the map has moved.
  mutating func stopThinning() {
    isThinning = false
  }

  /// Turns to a new level 0, with room for a frame of the kind that comes.
  private mutating func advance(to time: UInt64) {
    letGo(keeping: depth - 1)
    times.advance(to: time)
    if isThinning {
      thinned?.advance()
    } else {
      _ = whole.advance()
      if thinnedCount > 0 { fresh += 1 }
    }
  }

  /// Lets go of the oldest frames, keeping the newest `kept`.
  private mutating func letGo(keeping kept: Int) {
    guard count > kept else { return }
    times.keep(kept)
    fresh = min(fresh, count)
    let middle = min(thinnedCount, count - fresh)
    // While new frames are thinned out, whole ones do not come back soon.
    whole.keep(count - middle, givesBack: isThinning)
    if isThinning {
      thinned?.keep(middle)
    } else if middle > 0 {
      thinned?.giveBack(keeping: middle)
    } else {
      thinned = nil
      fresh = 0
    }
  }
}

extension History: StripFrames {
  func place(ofByte byte: Int, row: Int, plane: Int) -> SamplePlace {
    let grid = tiles.grids[plane]
    return SamplePlace(
      start: grid.offset(ofByte: byte, row: row), row: grid.firstRow + row, byte: byte)
  }

  func byte(_ number: Int, at place: SamplePlace, plane: Int, ago level: Int) -> UInt8 {
    guard level >= fresh else { return whole.byte(place.start + number, ofFrame: level) }
    switch thinned {
    case .none: return whole.byte(place.start + number, ofFrame: level)
    case .some(let thinned):
      let level = level - fresh
      guard level < thinned.count else {
        return whole.byte(place.start + number, ofFrame: level - thinned.count + fresh)
      }
      return thinned.byte(number, at: place, ago: level)
    }
  }
}
