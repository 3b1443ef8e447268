// Frames of the past of which only what a standing map shows is kept.

import CSlitScanKernels

/// Frames whose lines are kept only as long as something shows them.
///
/// All lines that are kept equally long share a ring, whose slots hold one frame's lines each. So the
/// newest frame is whole, and older ones thin out.
struct ThinnedFrames: ~Copyable {
  private var memory = LineMemory()
  /// Where each line of a frame is: a `SlitScanPlace` a line.
  private var places = LineMemory()
  private var rings: [SlitScanRing] = []
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
    // How many lines are kept so long, and then where those are.
    var counts = [Int](repeating: 0, count: Int(lengths.max() ?? 0) + 1)
    for length in lengths { counts[Int(length)] += 1 }
    var ringNumbers = [UInt32](repeating: 0, count: counts.count)
    var end = 0
    for (length, count) in counts.enumerated() where count > 0 {
      ringNumbers[length] = UInt32(rings.count)
      let slotBytes = count * TileLine.byteCount
      rings.append(
        SlitScanRing(start: end, slot_bytes: slotBytes, length: UInt32(length), newest: 0))
      end += length * slotBytes
    }
    guard memory.grow(to: end) else { return nil }
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
      let length = rings[index].length
      rings[index].newest = (rings[index].newest == 0 ? length : rings[index].newest) - 1
      if total <= length { byteCount += rings[index].slot_bytes }
    }
  }

  /// Stores a picture as the newest frame.
  mutating func store(
    _ picture: borrowing Picture, tiles: TiledLayout, streams: Bool, workers: borrowing Workers
  ) {
    Self.store(
      picture, tiles, into: &memory, places, rings, streams: streams, workers: workers)
  }

  private static func store(
    _ picture: borrowing Picture, _ tiles: TiledLayout, into memory: inout LineMemory,
    _ places: borrowing LineMemory, _ rings: [SlitScanRing], streams: Bool,
    workers: borrowing Workers
  ) {
    var bytes = memory.mutableBytes
    Kernels.store(
      picture, tiles: tiles, into: &bytes, places: places.bytes, rings: rings.span,
      streams: streams, workers: workers)
  }

  /// A line of the newest frame.
  func newestLine(_ line: Int) -> TileLine {
    let place = places.bytes.place(line)
    let ring = rings[Int(place.ring)]
    return TileLine(
      memory.bytes,
      at: ring.start + Int(ring.newest) * ring.slot_bytes + Int(place.index) * TileLine.byteCount)
  }

  /// Makes the newest frame's lines those of the frame before.
  mutating func repeatNewest() {
    guard count > 1 else { return }
    let rings = rings
    var bytes = memory.mutableBytes
    for ring in rings where ring.length > 1 {
      let before = ring.newest + 1 < ring.length ? ring.newest + 1 : 0
      Kernels.copy(
        ring.slot_bytes, within: &bytes, from: ring.start + Int(before) * ring.slot_bytes,
        to: ring.start + Int(ring.newest) * ring.slot_bytes)
    }
  }

  /// Lets go of the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) { count = min(count, max(kept, 0)) }

  /// The same, once there will be no more frames: gives their memory back.
  mutating func giveBack(keeping kept: Int) {
    keep(kept)
    guard kept < slotLimit else { return }
    for ring in rings where Int(ring.length) > kept {
      for slot in kept..<min(Int(ring.length), slotLimit) {
        let index = (Int(ring.newest) + slot) % Int(ring.length)
        // With the older neighbour that was given back before, as they may share a page; the oldest
        // has none, it is followed by the newest.
        let isLast = index + 1 == Int(ring.length) || slot + 1 == Int(ring.length)
        let start = ring.start + index * ring.slot_bytes
        memory.giveBack(start..<(start + (isLast ? 1 : 2) * ring.slot_bytes))
        if slot < total { byteCount -= ring.slot_bytes }
      }
    }
    slotLimit = kept
  }

  /// Gives `body` the memory, the places and the rings.
  @unsafe
  func withUnsafeRings(
    _ body: (UnsafeRawPointer, UnsafePointer<SlitScanPlace>, UnsafePointer<SlitScanRing>) -> Void
  ) {
    unsafe memory.bytes.withUnsafeBytes { bytes in
      unsafe places.bytes.withUnsafeBytes { places in
        unsafe rings.span.withUnsafeBufferPointer { rings in
          guard let base = bytes.baseAddress, let rings = rings.baseAddress,
            let places = places.baseAddress
          else { return }
          unsafe body(base, places.assumingMemoryBound(to: SlitScanPlace.self), rings)
        }
      }
    }
  }
}

extension RawSpan {
  /// Where a line is, by its number.
  fileprivate func place(_ line: Int) -> SlitScanPlace {
    let size = MemoryLayout<SlitScanPlace>.size
    return SlitScanPlace(
      ring: unsafe unsafeLoad(fromByteOffset: line * size, as: UInt32.self),
      index: unsafe unsafeLoad(fromByteOffset: line * size + size / 2, as: UInt32.self))
  }
}
