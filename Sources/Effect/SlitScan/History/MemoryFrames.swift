// Memory frames are the frames of a history in memory: whole, or thinned out to what a static map shows.

import CSlitScanKernels

/// Frames in memory, the newest first.
///
/// | levels | frames |
/// |---|---|
/// | 0 ..< `fresh` | whole, since the map has moved again |
/// | … ..< `fresh + thinned.count` | thinned, from when it stood still |
/// | the others | whole, from before |
struct MemoryFrames: ~Copyable {
  private let tiles: TiledLayout
  private var whole: WholeFrames
  private var thinned: RingFrames?
  /// Whether new frames are thinned out.
  private(set) var isThinning = false
  /// The whole frames that are newer than the thinned ones.
  private var fresh = 0
  /// The frames that are held.
  private(set) var count = 0

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    whole = WholeFrames(slotBytes: Self.slotBytes(tiles))
  }

  /// Bytes that each whole frame of history takes.
  ///
  /// An odd number of lines: if slots were a power of two apart, one tile's lines of all frames
  /// would compete for the same few places in the processor's caches.
  static func slotBytes(_ tiles: TiledLayout) -> Int { (tiles.lineCount | 1) * TileLine.byteCount }

  /// The bytes of memory that frames have been written to.
  var byteCount: Int { whole.byteCount + (thinned.read { $0.byteCount } ?? 0) }

  private var thinnedCount: Int { thinned.read { $0.count } ?? 0 }

  /// The newest frames that are whole.
  var wholeCount: Int {
    let whole = thinned.read { $0.wholeCount } ?? 0
    return whole == thinnedCount ? count : fresh + whole
  }

  /// Gives `body` the frames as the kernels know them; there must be one.
  @unsafe
  func withUnsafeEras(_ body: (UnsafeBufferPointer<SlitScanEra>) -> Void) {
    let count = count
    unsafe whole.memory.bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress
      switch thinned {
      case .none:
        unsafe whole.starts(of: 0..<count).withUnsafeBufferPointer { starts in
          guard let base = unsafe base else { return }
          let eras = unsafe [Self.era(base, starts: starts.baseAddress, end: count)] as InlineArray
          unsafe eras.span.withUnsafeBufferPointer(body)
        }
      case .some(let thinned):
        unsafe whole.starts(of: 0..<whole.count).withUnsafeBufferPointer { starts in
          unsafe thinned.withUnsafeEra(end: fresh + thinned.count) { era in
            guard let base = unsafe base, let start = starts.baseAddress, whole.count > 0 else {
              let eras = unsafe [era] as InlineArray
              return unsafe eras.span.withUnsafeBufferPointer(body)
            }
            // An era without frames is never looked into.
            let eras =
              unsafe [
                Self.era(base, starts: start, end: fresh), era,
                Self.era(base, starts: start + fresh, end: count),
              ] as InlineArray
            unsafe eras.span.withUnsafeBufferPointer(body)
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
      memory: base.assumingMemoryBound(to: UInt8.self), end: UInt32(end), starts: starts,
      rings: nil, pages: nil, skipped: 0)
  }

  // MARK: Frames

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func resize(to capacity: Int) -> Bool {
    keep(capacity)
    return whole.resize(to: capacity)
  }

  /// Takes a frame in as the newest; there must be room for one.
  mutating func push(
    _ frame: borrowing FrameSpan, streams: Bool, workers: borrowing Workers
  ) {
    advance()
    let tiles = tiles
    if isThinning {
      thinned?.store(frame, tiles: tiles, streams: streams, workers: workers)
      return
    }
    let start = whole.start(of: 0)
    Kernels.store(
      frame, tiles: tiles, into: &whole.memory, at: start, streams: streams, workers: workers)
  }

  /// Takes the newest frame in once more; there must be one.
  mutating func repeatNewest() {
    if isThinning {
      advance()
      thinned?.repeatNewest()
      return
    }
    guard fresh > 0 || thinnedCount == 0 else { return repeatThinned() }
    let source = whole.start(of: 0)
    advance()
    let target = whole.start(of: 0)
    guard target != source else { return }
    let slotBytes = whole.slotBytes
    var bytes = whole.memory.mutableBytes
    Kernels.copy(slotBytes, within: &bytes, from: source, to: target)
  }

  /// Takes the newest frame in once more where that is the last of the thinned ones: it is whole.
  private mutating func repeatThinned() {
    advance()
    let (start, tiles) = (whole.start(of: 0), tiles)
    switch thinned {
    case .none: break
    case .some(let thinned): thinned.copyNewest(to: &whole.memory, at: start, tiles: tiles)
    }
  }

  /// Draws the newest frame as it was taken in.
  func drawNewest(into frame: inout MutableFrameSpan, workers: borrowing Workers) {
    guard fresh == 0, thinnedCount > 0 else {
      return Kernels.load(
        whole.memory.bytes, at: whole.start(of: 0), tiles: tiles, into: &frame, workers: workers)
    }
    thinned.read { $0.drawNewest(into: &frame, tiles: tiles, workers: workers) }
  }

  /// Forgets all frames; the memory of whole ones stays for the next.
  mutating func forget() {
    thinned = nil
    isThinning = false
    fresh = 0
    count = 0
    whole.keep(0, givesBack: false)
  }

  // MARK: Thinning

  /// Whether some frames are thinned out.
  var hasThinned: Bool { thinnedCount > 0 }

  /// Keeps, of frames that are taken in from now on, each line or row only for as many frames as
  /// something shows it.
  mutating func thinOut(_ lengths: RingLayout.Lengths) {
    guard let frames = RingFrames(lengths, of: tiles) else { return }
    thinned = consume frames
    isThinning = true
    fresh = 0
  }

  /// Whether the newest frames are kept as rows, to be read by the delays of rows.
  var hasRows: Bool { isThinning && thinned.read { $0.hasRows } == true }

  /// Keeps frames whole from now on, as the map has moved.
  mutating func stopThinning() {
    isThinning = false
  }

  /// Turns to a new frame, with room for one of the kind that comes.
  private mutating func advance() {
    keep(whole.capacity - 1)
    count += 1
    if isThinning {
      thinned?.advance()
    } else {
      _ = whole.advance()
      if thinnedCount > 0 { fresh += 1 }
    }
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) {
    guard count > kept else { return }
    count = max(kept, 0)
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

extension MemoryFrames {
  /// A byte of a sample in the frame of so many frames ago.
  func byte(_ number: Int, at place: SamplePlace, ago level: Int) -> UInt8 {
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
