// Thinned frames hold only those tiles or rows of the history that a static map shows.

import CSlitScanKernels

/// Frames whose pieces are kept only as long as something shows them: lines of tiles, or, where delays
/// are the same along each row, rows as they came, which are copied and blended whole.
///
/// All pieces that are kept equally long share a ring, whose slots hold one frame's pieces each. So the
/// newest frame is whole, and older ones thin out. In memory, the first slots of all rings come one
/// after another, then the second slots of those that have two, and so on: it is taken up from its
/// start, frame by frame, until the longest ring is full.
struct ThinnedFrames: ~Copyable {
  /// For how many frames each piece of a frame is kept, at least 1.
  enum Lengths {
    case ofLines([UInt32])
    case ofRows([UInt32])
  }

  /// Whether the pieces are rows.
  let hasRows: Bool
  private var memory = LineMemory()
  /// The place of each piece of a frame: a `SlitScanPlace` a piece.
  private var places = LineMemory()
  /// The rings, the longest first.
  private var rings: [SlitScanRing] = []
  /// The start of each slot in memory, and the end of all.
  private var slots: [Int] = []
  /// The frames that are held.
  private(set) var count = 0
  /// The bytes of the slots that have been written and not been given back.
  private(set) var byteCount = 0
  /// The frames that have been taken in.
  private var total = 0
  /// The slots that rings have; those beyond have been given back.
  private var slotLimit = Int.max

  /// No frames yet.
  ///
  /// - Returns: nil if the system refuses the memory, or there is nothing to keep.
  init?(_ lengths: Lengths, of tiles: TiledLayout) {
    switch lengths {
    case .ofLines(let lengths):
      hasRows = false
      guard lengths.count == tiles.lineCount,
        lay(
          out: lengths, in: tiles.drawnLines, lineCount: { _ in 1 })
      else {
        return nil
      }
    case .ofRows(let lengths):
      hasRows = true
      let lineCounts = tiles.grids.flatMap { grid in
        Array(repeating: grid.rowLineCount, count: grid.plane.cellsHigh)
      }
      guard lineCounts.count == lengths.count,
        lay(
          out: lengths, in: Array(lengths.indices), lineCount: { lineCounts[$0] })
      else { return nil }
    }
  }

  /// Makes rings for pieces of such lengths.
  ///
  /// - Parameters:
  ///   - order: The pieces in the order in which they are drawn, in which a ring's lie in memory.
  ///   - lineCount: The lines of memory that a piece takes.
  /// - Returns: false if the system refuses the memory.
  private mutating func lay(
    out lengths: [UInt32], in order: [Int], lineCount: (Int) -> Int
  ) -> Bool {
    guard places.grow(to: lengths.count * MemoryLayout<SlitScanPlace>.size) else { return false }
    // The number of lines that are kept so long, and then their places.
    let longest = Int(lengths.max() ?? 0)
    var counts = [Int](repeating: 0, count: longest + 1)
    for (piece, length) in lengths.enumerated() { counts[Int(length)] += lineCount(piece) }
    guard counts.allSatisfy({ $0 <= UInt32.max }) else { return false }
    var ringNumbers = [UInt32](repeating: 0, count: counts.count)
    var end = 0
    for (length, count) in counts.enumerated().reversed() where count > 0 {
      ringNumbers[length] = UInt32(rings.count)
      let byteCount = count * TileLine.byteCount
      rings.append(
        SlitScanRing(start: end, byte_count: byteCount, length: UInt32(length), newest: 0))
      end += byteCount
    }
    slots = [0]
    for slot in 0..<longest {
      // As long as all rings that have such a slot.
      let last = rings.last { $0.length > slot }
      slots.append(slots[slot] + (last.map { $0.start + $0.byte_count } ?? 0))
    }
    guard memory.grow(to: slots[longest]) else { return false }
    var taken = [UInt32](repeating: 0, count: rings.count)
    var bytes = places.mutableBytes
    for piece in order {
      let ring = ringNumbers[Int(lengths[piece])]
      let start = piece * MemoryLayout<SlitScanPlace>.size
      bytes.storeBytes(of: ring, toByteOffset: start, as: UInt32.self)
      bytes.storeBytes(of: taken[Int(ring)], toByteOffset: start + 4, as: UInt32.self)
      taken[Int(ring)] += UInt32(lineCount(piece))
    }
    return true
  }

  /// The bytes that all slots take once they are full.
  var fullByteCount: Int { slots.last ?? 0 }

  /// Turns the rings to a new frame.
  mutating func advance() {
    count += 1
    total += 1
    for index in rings.indices {
      let ring = rings[index]
      let next = total == 1 || ring.newest + 1 == ring.length ? 0 : ring.newest + 1
      rings[index].newest = next
      if total <= ring.length { byteCount += ring.byte_count }
    }
  }

  /// Stores a frame as the newest frame.
  mutating func store(
    _ frame: borrowing FrameSpan, tiles: TiledLayout, streams: Bool, workers: borrowing Workers
  ) {
    Self.store(
      frame, tiles, into: &memory, places, rings, slots, hasRows: hasRows, streams: streams,
      workers: workers)
  }

  private static func store(
    _ frame: borrowing FrameSpan, _ tiles: TiledLayout, into memory: inout LineMemory,
    _ places: borrowing LineMemory, _ rings: [SlitScanRing], _ slots: [Int], hasRows: Bool,
    streams: Bool, workers: borrowing Workers
  ) {
    var bytes = memory.mutableBytes
    Kernels.store(
      frame, tiles: tiles, into: &bytes, places: places.bytes, rings: rings.span,
      slots: slots.span, hasRows: hasRows, streams: streams, workers: workers)
  }

  /// Copies the newest frame into lines that start at byte `offset`.
  func copyNewest(to lines: inout MutableRawSpan, at offset: Int, tiles: TiledLayout) {
    unsafe withUnsafeRings { memory, rings in
      let era = unsafe SlitScanEra(
        memory: memory.assumingMemoryBound(to: UInt8.self), end: 1, starts: nil, rings: rings)
      unsafe withUnsafePointer(to: era) { era in
        let frames = unsafe SlitScanHistoryFrames(
          eras: era, era_count: 1, oldest: 0, streams: false)
        unsafe Kernels.copyNewest(of: frames, tiles: tiles, to: &lines, at: offset)
      }
    }
  }

  /// A byte of a sample in the frame of so many frames ago.
  func byte(_ number: Int, at place: SamplePlace, ago level: Int) -> UInt8 {
    let piece = hasRows ? place.row : place.start / TileLine.byteCount
    let offset = (hasRows ? place.byte : place.start % TileLine.byteCount) + number
    let entry = piece * MemoryLayout<SlitScanPlace>.size
    let ring = rings[Int(unsafe places.bytes.unsafeLoad(fromByteOffset: entry, as: UInt32.self))]
    let line = Int(unsafe places.bytes.unsafeLoad(fromByteOffset: entry + 4, as: UInt32.self))
    let length = Int(ring.length)
    let slot = (Int(ring.newest) + length - min(level, length - 1)) % length
    return unsafe memory.bytes.unsafeLoad(
      fromByteOffset: start(of: ring, slot: slot) + line * TileLine.byteCount + offset,
      as: UInt8.self)
  }

  /// The start of a ring's slot in memory.
  private func start(of ring: SlitScanRing, slot: Int) -> Int { slots[slot] + ring.start }

  /// Makes the newest frame's pieces those of the frame before.
  mutating func repeatNewest() {
    guard count > 1 else { return }
    let (rings, slots) = (rings, slots)
    var bytes = memory.mutableBytes
    for ring in rings where ring.length > 1 {
      let newest = Int(ring.newest)
      let before = newest > 0 ? newest - 1 : Int(ring.length) - 1
      Kernels.copy(
        ring.byte_count, within: &bytes, from: slots[before] + ring.start,
        to: slots[newest] + ring.start)
    }
  }

  /// Lets go of the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) { count = min(count, max(kept, 0)) }

  /// The same, once there will be no more frames: gives their memory back.
  mutating func giveBack(keeping kept: Int) {
    keep(kept)
    guard kept < slotLimit else { return }
    for ring in rings where Int(ring.length) > kept {
      let length = Int(ring.length)
      for frame in kept..<min(length, slotLimit) {
        let slot = (Int(ring.newest) + length - frame) % length
        let start = start(of: ring, slot: slot)
        memory.giveBack(start..<(start + ring.byte_count))
        if frame < total { byteCount -= ring.byte_count }
      }
    }
    slotLimit = kept
  }

  /// Gives `body` the memory and where pieces are in it.
  @unsafe
  func withUnsafeRings(
    _ body: (UnsafeRawPointer, UnsafePointer<SlitScanRings>) -> Void
  ) {
    unsafe memory.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe Kernels.withUnsafeRings(
        places: places.bytes, rings: rings.span, slots: slots.span, hasRows: hasRows
      ) { unsafe body(base, $0) }
    }
  }
}
