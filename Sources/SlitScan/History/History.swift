// The frames of the past, as tiles: a ring of slots, the newest first.

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

  /// Bytes that each frame of history takes.
  ///
  /// An odd number of lines: if slots were a power of two apart, one tile's lines of all frames
  /// would compete for the same few places in the processor's caches.
  static func slotBytes(_ tiles: TiledLayout) -> Int { (tiles.lineCount | 1) * TileLine.byteCount }

  /// The bytes of memory that frames have been written to.
  var byteCount: Int { written.count * slotBytes }

  /// All slots, to read; see ``starts``.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { memory.bytes }
  }

  /// Where in ``bytes`` each level's slot starts; `count` of them count.
  var starts: Span<Int> {
    @_lifetime(borrow self)
    get { ring.span.extracting(newest..<(newest + count)) }
  }

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func setDepth(_ newDepth: Int) -> Bool {
    guard newDepth != depth else { return true }
    let kept = (0..<min(count, newDepth)).map { ring[newest + $0] }
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
    newest = 0
    depth = newDepth
    count = kept.count
    return true
  }

  /// Takes a frame in as level 0; the oldest leaves if the ring is full.
  mutating func push(_ picture: borrowing Picture) {
    guard depth > 0 else { return }
    newest = (newest == 0 ? depth : newest) - 1
    count = min(count + 1, depth)
    let start = ring[newest]
    if written.count < depth { written.insert(start) }
    let tiles = tiles
    var memory = self.memory.mutableBytes
    tiles.store(picture, into: &memory, at: start)
  }

  /// Forgets all frames; their memory stays for the next ones.
  mutating func forget() {
    count = 0
  }
}
