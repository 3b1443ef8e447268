// Thinned frames hold only those tiles of the history that a static map shows.

import CSlitScanKernels

/// Frames whose lines are kept only as long as something shows them.
///
/// All lines that are kept equally long share a ring, whose slots hold one frame's lines each. So the
/// newest frame is whole, and older ones thin out. In memory, the first slots of all rings come one
/// after another, then the second slots of those that have two, and so on: it is taken up from its
/// start, frame by frame, until the longest ring is full.
struct ThinnedFrames: ~Copyable {
  private var memory = LineMemory()
  /// The place of each line of a frame: a `SlitScanPlace` a line.
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
  /// - Parameter lengths: For each line of a frame, for how many frames it is kept, at least 1.
  /// - Returns: nil if the system refuses the memory.
  init?(_ lengths: [UInt32]) {
    guard places.grow(to: lengths.count * MemoryLayout<SlitScanPlace>.size) else { return nil }
    // The number of lines that are kept so long, and then their places.
    let longest = Int(lengths.max() ?? 0)
    var counts = [Int](repeating: 0, count: longest + 1)
    for length in lengths { counts[Int(length)] += 1 }
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
    guard memory.grow(to: slots[longest]) else { return nil }
    var taken = [UInt32](repeating: 0, count: rings.count)
    var bytes = places.mutableBytes
    for (line, length) in lengths.enumerated() {
      let ring = ringNumbers[Int(length)]
      let start = line * MemoryLayout<SlitScanPlace>.size
      bytes.storeBytes(of: ring, toByteOffset: start, as: UInt32.self)
      bytes.storeBytes(of: taken[Int(ring)], toByteOffset: start + 4, as: UInt32.self)
      taken[Int(ring)] += 1
    }
  }

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
      frame, tiles, into: &memory, places, rings, slots, streams: streams, workers: workers)
  }

  private static func store(
    _ frame: borrowing FrameSpan, _ tiles: TiledLayout, into memory: inout LineMemory,
    _ places: borrowing LineMemory, _ rings: [SlitScanRing], _ slots: [Int], streams: Bool,
    workers: borrowing Workers
  ) {
    var bytes = memory.mutableBytes
    Kernels.store(
      frame, tiles: tiles, into: &bytes, places: places.bytes, rings: rings.span,
      slots: slots.span,
      streams: streams, workers: workers)
  }

  /// A line of the newest frame.
  func newestLine(_ line: Int) -> TileLine {
    let place = places.bytes.place(line)
    let ring = rings[Int(place.ring)]
    return TileLine(
      memory.bytes,
      at: start(of: ring, slot: Int(ring.newest)) + Int(place.index) * TileLine.byteCount)
  }

  /// The start of a ring's slot in memory.
  private func start(of ring: SlitScanRing, slot: Int) -> Int { slots[slot] + ring.start }

  /// Makes the newest frame's lines those of the frame before.
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

  /// Gives `body` the memory and where lines are in it.
  @unsafe
  func withUnsafeRings(
    _ body: (UnsafeRawPointer, UnsafePointer<SlitScanRings>) -> Void
  ) {
    unsafe memory.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe Kernels.withUnsafeRings(
        places: places.bytes, rings: rings.span, slots: slots.span
      ) { unsafe body(base, $0) }
    }
  }
}

extension RawSpan {
  /// The place of a line, by its number.
  fileprivate func place(_ line: Int) -> SlitScanPlace {
    let size = MemoryLayout<SlitScanPlace>.size
    return SlitScanPlace(
      ring: unsafe unsafeLoad(fromByteOffset: line * size, as: UInt32.self),
      index: unsafe unsafeLoad(fromByteOffset: line * size + size / 2, as: UInt32.self))
  }
}
