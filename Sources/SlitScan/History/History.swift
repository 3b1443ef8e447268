// The frames of the past, as tiles: a ring of slots, the newest first.

import CSlitScanKernels

/// The last frames of a picture, each a slot of cache lines.
///
/// *Levels* count back in time: level 0 is the newest frame, level `count − 1` the oldest. Memory is
/// taken up as frames arrive; the depth can change at any time without losing a frame that still
/// fits.
struct History: ~Copyable {
  private let tiles: TiledLayout
  /// Bytes from one slot to the next.
  let slotBytes: Int
  private var memory = LineMemory()
  /// Where each slot of the ring starts, twice in a row, so that any run of levels is one slice.
  private var ring: [Int] = []
  /// Starts of slots that are reserved but no longer in the ring.
  private var spares: [Int] = []
  /// Starts of slots that have been written since their memory was last given back.
  private var written: Set<Int> = []
  /// The running time of the frame in each slot of the ring, in nanoseconds; twice, as the ring.
  private var times: [UInt64] = []
  /// The index in `ring` of level 0.
  private var newest = 0
  /// The frames that fit.
  private(set) var depth = 0
  /// The frames that are held.
  private(set) var count = 0

  init(_ tiles: TiledLayout) {
    self.tiles = tiles
    slotBytes = Self.slotBytes(tiles)
  }

  /// A history that is larger does not stay in the processor's caches until it is read.
  private static let cachedBytes = 8 << 20

  /// Bytes that each frame of history takes.
  ///
  /// An odd number of lines: if slots were a power of two apart, one tile's lines of all frames
  /// would compete for the same few places in the processor's caches.
  static func slotBytes(_ tiles: TiledLayout) -> Int { (tiles.lineCount | 1) * TileLine.byteCount }

  /// The bytes of memory that frames have been written to.
  var byteCount: Int { written.count * slotBytes }

  /// Gives `body` the past as the kernels know it; none while nothing is held.
  @unsafe
  func withUnsafePast(_ body: (SlitScanPast) -> Void) {
    guard count > 0 else { return }
    unsafe memory.bytes.withUnsafeBytes { bytes in
      unsafe ring.span.extracting(newest..<(newest + count)).withUnsafeBufferPointer { starts in
        guard let base = bytes.baseAddress else { return }
        let era = unsafe SlitScanEra(
          memory: base.assumingMemoryBound(to: UInt8.self), end: UInt32(count),
          starts: starts.baseAddress, places: nil, rings: nil)
        unsafe withUnsafePointer(to: era) { era in
          unsafe body(SlitScanPast(eras: era, era_count: 1, oldest: UInt32(count - 1)))
        }
      }
    }
  }

  /// The running time of a level's frame, in nanoseconds; never later than that of a newer level.
  func time(ofLevel level: Int) -> UInt64 { times[newest + level] }

  /// How much younger the newest frame is than that of a level, in nanoseconds.
  func age(ofLevel level: Int) -> UInt64 { time(ofLevel: 0) - time(ofLevel: level) }

  /// Lets go of the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) { count = min(count, max(kept, 0)) }

  /// The depth it takes to hold the frames that are younger than `duration` and the youngest of the
  /// others; older ones are let go of.
  ///
  /// Grows by some frames at a time, so that a stream that begins does not move the ring with each.
  ///
  /// - Parameter newFrame: The running time of a frame that is about to be taken in, or nil.
  mutating func depth(for duration: UInt64, newFrame: UInt64?) -> Int {
    guard count > 0 else { return max(depth, 1) }
    let now = max(newFrame ?? 0, time(ofLevel: 0))
    // Levels are ever older, so the first that is old enough is the last one needed.
    var kept = count
    for level in 0..<count where now - time(ofLevel: level) >= duration {
      kept = level + 1
      break
    }
    keep(kept)
    let needed = kept + (newFrame == nil ? 0 : 1)
    let spare = needed / 16 + 1
    guard needed > depth || needed + 2 * spare < depth else { return depth }
    return min(needed + spare, ScanSettings.deepest)
  }

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func setDepth(_ newDepth: Int) -> Bool {
    guard newDepth != depth else { return true }
    let kept = (0..<min(count, newDepth)).map { ring[newest + $0] }
    let keptTimes = (0..<min(count, newDepth)).map { times[newest + $0] }
    let keptStarts = Set(kept)
    var free = ring.prefix(depth).filter { !keptStarts.contains($0) } + spares
    let reserved = depth + spares.count
    if newDepth > reserved {
      guard memory.grow(to: newDepth * slotBytes) else { return false }
      free += (reserved..<newDepth).map { $0 * slotBytes }
    }
    let added = free.prefix(newDepth - kept.count)
    spares = Array(free.dropFirst(added.count))
    for start in spares where written.contains(start) {
      memory.giveBack(start..<(start + slotBytes))
      written.remove(start)
    }
    ring = kept + added
    ring += ring
    times = keptTimes + Array(repeating: 0, count: newDepth - keptTimes.count)
    times += times
    newest = 0
    depth = newDepth
    count = kept.count
    return true
  }

  /// Takes a frame in as level 0; the oldest leaves if the ring is full.
  ///
  /// - Parameter time: Its running time in nanoseconds; one before the last frame's counts as that.
  mutating func push(
    _ picture: borrowing Picture, time: UInt64, workers: borrowing Workers
  ) {
    guard depth > 0 else { return }
    let start = advance(to: time)
    let tiles = tiles
    let streams = depth * slotBytes > Self.cachedBytes
    var memory = self.memory.mutableBytes
    Kernels.store(
      picture, tiles: tiles, into: &memory, at: start, streams: streams, workers: workers)
  }

  /// Takes the newest frame in once more, as level 0.
  mutating func repeatNewest(time: UInt64) {
    guard depth > 0, count > 0 else { return }
    let source = ring[newest]
    let target = advance(to: time)
    guard target != source else { return }
    let slotBytes = slotBytes
    var memory = self.memory.mutableBytes
    Kernels.copy(slotBytes, within: &memory, from: source, to: target)
  }

  /// Forgets all frames; their memory stays for the next ones.
  mutating func forget() {
    count = 0
  }

  /// Turns the ring to a new level 0; says where its slot starts.
  private mutating func advance(to time: UInt64) -> Int {
    let last = count > 0 ? times[newest] : 0
    newest = (newest == 0 ? depth : newest) - 1
    count = min(count + 1, depth)
    let other = newest < depth ? newest + depth : newest - depth
    times[newest] = max(time, last)
    times[other] = times[newest]
    let start = ring[newest]
    if written.count < depth { written.insert(start) }
    return start
  }
}
