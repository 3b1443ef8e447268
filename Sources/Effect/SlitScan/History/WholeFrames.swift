// Whole frames of the history: a ring of slots, the newest first.

/// Frames as they came, each in a slot of its own.
///
/// Memory is taken up as frames arrive. How many fit can change at any time without losing a frame
/// that still fits.
struct WholeFrames: ~Copyable {
  /// Bytes from one slot to the next.
  let slotBytes: Int
  /// All slots; see ``starts(of:)``.
  var memory = LineMemory()
  /// The start of each slot of the ring, twice in a row, so that any run of frames is one slice.
  private var ring: [Int] = []
  /// Starts of slots that are reserved but no longer in the ring.
  private var spares: [Int] = []
  /// Starts of slots that have been written since their memory was last given back.
  private var written: Set<Int> = []
  /// The index in `ring` of the newest frame.
  private var newest = 0
  /// The frames that fit.
  private(set) var capacity = 0
  /// The frames that are held.
  private(set) var count = 0

  init(slotBytes: Int) {
    self.slotBytes = slotBytes
  }

  /// The bytes of memory that frames have been written to.
  var byteCount: Int { written.count * slotBytes }

  /// The start in ``memory`` of each of some frames, the newest being 0.
  @_lifetime(borrow self)
  func starts(of frames: Range<Int>) -> Span<Int> {
    ring.span.extracting((newest + frames.lowerBound)..<(newest + frames.upperBound))
  }

  /// The start of a frame's slot, the newest being 0.
  func start(of frame: Int) -> Int { ring[newest + frame] }

  /// A byte of a frame, the newest being 0.
  func byte(_ offset: Int, ofFrame frame: Int) -> UInt8 {
    unsafe memory.bytes.unsafeLoad(fromByteOffset: start(of: frame) + offset, as: UInt8.self)
  }

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func resize(to newCapacity: Int) -> Bool {
    guard newCapacity != capacity else { return true }
    let kept = (0..<min(count, newCapacity)).map { ring[newest + $0] }
    let keptStarts = Set(kept)
    var free = ring.prefix(capacity).filter { !keptStarts.contains($0) } + spares
    let reserved = capacity + spares.count
    if newCapacity > reserved {
      guard memory.grow(to: newCapacity * slotBytes) else { return false }
      free += (reserved..<newCapacity).map { $0 * slotBytes }
    }
    let added = free.prefix(newCapacity - kept.count)
    spares = Array(free.dropFirst(added.count))
    for start in spares { giveBack(start) }
    ring = kept + added
    ring += ring
    newest = 0
    capacity = newCapacity
    count = kept.count
    return true
  }

  /// Turns the ring to a new frame, in place of the oldest if it is full; says where its slot starts.
  mutating func advance() -> Int {
    newest = (newest == 0 ? capacity : newest) - 1
    count = min(count + 1, capacity)
    let start = ring[newest]
    if written.count < capacity { written.insert(start) }
    return start
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  ///
  /// - Parameter givesBack: Whether their memory is given back, because no others will come soon.
  mutating func keep(_ kept: Int, givesBack: Bool) {
    let kept = max(kept, 0)
    while count > kept {
      count -= 1
      if givesBack { giveBack(ring[newest + count]) }
    }
  }

  private mutating func giveBack(_ start: Int) {
    guard written.remove(start) != nil else { return }
    memory.giveBack(start..<(start + slotBytes))
  }
}
