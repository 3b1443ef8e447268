// Ring frames are the frames of one stretch of history, whose pieces are kept in rings.

import CSlitScanKernels

/// Frames whose pieces are kept only as long as something shows them, or all equally long, in the order in which they
/// are read.
///
/// The newest frame is whole, and older ones thin out.
struct RingFrames: ~Copyable {
  private var layout: RingLayout
  private var memory: LineMemory
  /// The rings as they are now.
  private var rings: [SlitScanRing]
  /// The frames that are held.
  private(set) var count = 0
  /// The bytes of the slots that have been written and not been given back.
  private(set) var byteCount = 0
  /// The frames that have been taken in.
  private var total = 0
  /// The slots that rings have; those beyond have been given back.
  private var slotLimit = Int.max
  /// For each ring on disk, the number of its oldest block that is kept, counted from the first that was written.
  private var oldestBlocks: [Int] = []

  /// No frames yet.
  ///
  /// - Returns: nil if the system refuses the memory, or there is nothing to keep.
  init?(_ lengths: RingLayout.Lengths, of tiles: TiledLayout) {
    guard let layout = RingLayout(lengths, of: tiles) else { return nil }
    var memory = LineMemory()
    guard memory.grow(to: layout.byteCount) else { return nil }
    self.init(layout, in: memory)
  }

  private init(_ layout: consuming RingLayout, in memory: consuming LineMemory) {
    rings = layout.rings
    self.layout = layout
    self.memory = memory
  }

  /// No frames yet, on disk.
  ///
  /// - Returns: nil if the system refuses the addresses.
  init?(_ layout: consuming RingLayout, on disk: borrowing HistoryDisk) {
    guard let memory = LineMemory(layout.byteCount, on: disk) else { return nil }
    self.init(layout, in: memory)
    oldestBlocks = Array(repeating: 0, count: rings.count)
    // So that rings do not all begin a block with the same frame.
    let slotsInBlock = self.layout.slotsInBlock
    for index in rings.indices {
      rings[index].newest = UInt32(index % slotsInBlock + Int(rings[index].slots) - 1)
      if rings[index].newest >= rings[index].slots { rings[index].newest -= rings[index].slots }
    }
  }

  /// Whether the pieces are rows.
  var hasRows: Bool { layout.hasRows }

  /// The frames that whole ones can be.
  var capacity: Int { Int(layout.rings.first?.length ?? 0) }

  /// The newest frames of which every piece is kept.
  var wholeCount: Int { min(count, layout.shortestLength) }

  // MARK: Frames

  /// Turns the rings to a new frame.
  mutating func advance() {
    count += 1
    total += 1
    for index in rings.indices {
      let next = rings[index].newest + 1
      rings[index].newest = next == rings[index].slots ? 0 : next
      rings[index].newest_start = layout.start(of: rings[index], slot: Int(rings[index].newest))
      if total <= rings[index].length { byteCount += rings[index].slot_bytes }
    }
    if !oldestBlocks.isEmpty { turnBlocks() }
  }

  /// Stores a frame as the newest frame.
  mutating func store(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, streams: Bool, workers: borrowing Workers
  ) {
    Kernels.store(
      frame, tiles: tiles, into: &memory, layout, rings: rings, streams: streams,
      workers: workers)
  }

  /// Copies the newest frame into lines that start at byte `offset`.
  func copyNewest(to lines: inout LineMemory, at offset: Int, tiles: TiledLayout) {
    unsafe withUnsafeEra(end: 1) { era in
      unsafe withUnsafePointer(to: era) { era in
        let frames = unsafe SlitScanHistoryFrames(
          eras: era, era_count: 1, oldest: 0, skipped: 0, whole: nil, streams: false, pager: nil,
          ahead: 0)
        unsafe Kernels.copyNewest(of: frames, tiles: tiles, to: &lines, at: offset)
      }
    }
  }

  /// Draws the newest frame as it was taken in; nothing where the system refuses memory.
  func drawNewest(
    into frame: inout MutableFrameSpan, tiles: TiledLayout, workers: borrowing Workers
  ) {
    var lines = LineMemory()
    guard lines.grow(to: tiles.byteCount) else { return }
    copyNewest(to: &lines, at: 0, tiles: tiles)
    Kernels.load(lines.bytes, at: 0, tiles: tiles, into: &frame, workers: workers)
  }

  /// A byte of a sample in the frame of so many frames ago.
  func byte(_ number: Int, at place: SamplePlace, ago level: Int) -> UInt8 {
    let piece = hasRows ? place.row : place.start / TileLine.byteCount
    let offset = (hasRows ? place.byte : place.start % TileLine.byteCount) + number
    let entry = layout.place(ofPiece: piece)
    let ring = rings[Int(entry.ring)]
    let slots = Int(ring.slots)
    let length = Int(layout.pieceLengths.isEmpty ? ring.length : layout.pieceLengths[piece])
    let slot = (Int(ring.newest) + slots - min(level, length - 1)) % slots
    let start = layout.start(of: ring, slot: slot) + Int(entry.index) * layout.lineStep
    memory.fetch(start + offset)
    return unsafe memory.bytes.unsafeLoad(fromByteOffset: start + offset, as: UInt8.self)
  }

  /// Makes the newest frame's pieces those of the frame before.
  mutating func repeatNewest() {
    guard count > 1 else { return }
    let copies = rings.filter { $0.slots > 1 }.map { ring in
      let before = Int(ring.newest > 0 ? ring.newest - 1 : ring.slots - 1)
      return (ring.slot_bytes, layout.start(of: ring, slot: before), ring.newest_start)
    }
    let step = layout.lineStep
    var bytes = memory.mutableBytes
    for (count, before, newest) in copies {
      for line in 0..<(count / TileLine.byteCount) {
        Kernels.copy(
          TileLine.byteCount, within: &bytes, from: before + line * step, to: newest + line * step)
      }
    }
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) { count = min(count, max(kept, 0)) }

  /// The same, once there will be no more frames: gives their memory back.
  mutating func giveBack(keeping kept: Int) {
    keep(kept)
    guard oldestBlocks.isEmpty else { return releaseBlocks(isCurrent: false) }
    guard kept < slotLimit else { return }
    for ring in rings where Int(ring.slots) > kept {
      let length = Int(ring.slots)
      for frame in kept..<min(length, slotLimit) {
        let slot = (Int(ring.newest) + length - frame) % length
        let start = layout.start(of: ring, slot: slot)
        memory.giveBack(start..<(start + ring.slot_bytes))
        if frame < total { byteCount -= ring.slot_bytes }
      }
    }
    slotLimit = kept
  }

  // MARK: Blocks

  /// Begins the blocks that the new frame is the first of, and releases those whose frames have left.
  private mutating func turnBlocks() {
    let slotsInBlock = layout.slotsInBlock
    for index in rings.indices {
      let ring = rings[index]
      let (block, slot) = Int(ring.newest).quotientAndRemainder(dividingBy: slotsInBlock)
      let isFirst = total == 1
      guard slot == 0 || isFirst else { continue }
      let blocks = Int(ring.slots) / slotsInBlock
      let first = ring.start / memory.blockBytes
      if !isFirst { memory.seal(first + (block + blocks - 1) % blocks) }
      // Written over, rather than released.
      if number(ofBlock: index) - blocks == oldestBlocks[index] { oldestBlocks[index] += 1 }
      memory.begin(first + block)
    }
    releaseBlocks(isCurrent: true)
  }

  /// The number of the block that a ring's newest frame is in, counted from the first that was written.
  private func number(ofBlock index: Int) -> Int {
    let slotsInBlock = layout.slotsInBlock
    return (total - 1 + index % slotsInBlock) / slotsInBlock
  }

  /// Releases the blocks of frames that are not kept.
  ///
  /// - Parameter isCurrent: Whether frames will come; blocks that are written over soon are left to them.
  private mutating func releaseBlocks(isCurrent: Bool) {
    let slotsInBlock = layout.slotsInBlock
    for index in rings.indices {
      let ring = rings[index]
      let blocks = Int(ring.slots) / slotsInBlock
      let newest = number(ofBlock: index)
      // The frame after the last one that is kept, in slots from the first block's start.
      let left = total - min(count, Int(ring.length)) + index % slotsInBlock
      let kept = count == 0 ? newest + 1 : left / slotsInBlock
      let reused = isCurrent ? newest - blocks + 3 : 0
      while oldestBlocks[index] < kept, !isCurrent || oldestBlocks[index] >= reused {
        memory.release(ring.start / memory.blockBytes + oldestBlocks[index] % blocks)
        oldestBlocks[index] += 1
      }
    }
  }

  // MARK: Kernels

  /// Gives `body` these frames as the kernels know them.
  ///
  /// - Parameter end: The level after the last of them.
  @unsafe
  func withUnsafeEra(end: Int, _ body: (SlitScanEra) -> Void) {
    unsafe memory.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe Kernels.withUnsafeRings(layout, rings: rings) { rings in
        unsafe body(
          SlitScanEra(
            memory: base.assumingMemoryBound(to: UInt8.self), end: UInt32(end), starts: nil,
            rings: rings, pages: memory.pages, skipped: 0))
      }
    }
  }
}
