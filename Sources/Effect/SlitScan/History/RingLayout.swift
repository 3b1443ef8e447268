// The ring layout says where each piece of a frame is kept, and for how many frames.

import CSlitScanKernels

/// Rings of slots for the pieces of frames: lines of tiles, or, where delays are the same along each row, rows as
/// they came.
///
/// The pieces in a ring share its slots, one for each frame. In memory, the first slots of all rings come one after
/// another, then the second slots of those that have two, and so on: it is taken up from its start, frame by frame,
/// until the longest ring is full. On disk, the slots of each ring come one after another, in blocks.
struct RingLayout: ~Copyable {
  /// For how many frames each piece of a frame is kept, at least 1.
  enum Lengths {
    case ofLines([UInt32])
    case ofRows([UInt32])

    /// The lengths, piece by piece.
    var all: [UInt32] {
      switch self {
      case .ofLines(let lengths), .ofRows(let lengths): lengths
      }
    }

    /// Whether the pieces are rows.
    var areOfRows: Bool {
      if case .ofRows = self { true } else { false }
    }

    /// The lines of memory that each piece takes.
    func lineCounts(_ tiles: TiledLayout) -> [Int] {
      guard areOfRows else { return Array(repeating: 1, count: tiles.lineCount) }
      return tiles.grids.flatMap { grid in
        Array(repeating: grid.rowLineCount, count: grid.plane.cellsHigh)
      }
    }
  }

  /// Whether the pieces are rows.
  let hasRows: Bool
  /// The rings, each before its first frame.
  private(set) var rings: [SlitScanRing] = []
  /// For how many frames each piece is kept, on disk.
  private(set) var pieceLengths: [UInt32] = []
  /// The place of each piece of a frame: a `SlitScanPlace` a piece.
  private(set) var places = LineMemory()
  /// The bytes of all slots.
  private(set) var byteCount = 0
  /// Where each slot of all rings begins; empty on disk.
  private(set) var slots: [Int] = []
  /// The slots of a block, on disk.
  private(set) var slotsInBlock = 0
  /// Bytes of a group of slots, on disk.
  private(set) var groupBytes = 0
  /// A group has 2^this slots.
  private(set) var groupShift = 0
  /// In a group, the bytes from one slot to the next.
  private(set) var slotStep = 0
  /// The bytes from one line of a slot to the next.
  private(set) var lineStep = TileLine.byteCount

  /// The rings of a history in memory.
  ///
  /// Pieces that are kept equally long share one, in the order in which they are drawn. The longest ring is the first.
  ///
  /// - Returns: nil if the system refuses the memory, or there is nothing to keep.
  init?(_ lengths: Lengths, of tiles: TiledLayout) {
    self.init(hasRows: lengths.areOfRows)
    let lineCounts = lengths.lineCounts(tiles)
    let all = lengths.all
    guard lineCounts.count == all.count,
      places.grow(to: all.count * MemoryLayout<SlitScanPlace>.stride)
    else { return nil }
    var sums = [Int](repeating: 0, count: Int(all.max() ?? 0) + 1)
    for (piece, length) in all.enumerated() { sums[Int(length)] += lineCounts[piece] }
    guard sums.allSatisfy({ $0 <= UInt32.max }) else { return nil }
    var numbers = [Int](repeating: 0, count: sums.count)
    for (length, sum) in sums.enumerated().reversed() where sum > 0 {
      numbers[length] = rings.count
      let slotBytes = sum * TileLine.byteCount
      addRing(start: slots.last ?? 0, slotBytes: slotBytes, slots: length, length: length)
      slots.append((slots.last ?? 0) + slotBytes)
    }
    listSlots(ends: slots)
    var taken = [Int](repeating: 0, count: rings.count)
    for piece in hasRows ? Array(all.indices) : tiles.drawnLines {
      let number = numbers[Int(all[piece])]
      put(piece, in: number, at: taken[number])
      taken[number] += lineCounts[piece]
    }
  }

  /// The rings of a history on disk.
  ///
  /// As many neighbours in an order as fill a page share one. Its slots are whole blocks, and one block more than
  /// they need, so that none is written to while it is read.
  ///
  /// - Parameter order: A number for each piece: the lowest come first.
  /// - Returns: nil if the system refuses the memory, or a piece is larger than a block.
  init?(
    _ lengths: Lengths, sortedBy order: [UInt32], of tiles: TiledLayout, blockBytes: Int
  ) {
    self.init(hasRows: lengths.areOfRows)
    let lineCounts = lengths.lineCounts(tiles)
    let all = lengths.all
    let largest = (lineCounts.max() ?? 1) * TileLine.byteCount
    guard lineCounts.count == all.count, order.count == all.count,
      let slotBytes = Self.slotBytes(for: largest, within: blockBytes),
      places.grow(to: all.count * MemoryLayout<SlitScanPlace>.stride)
    else { return nil }
    pieceLengths = all
    slotsInBlock = blockBytes / slotBytes
    groupShift = min(slotsInBlock.trailingZeroBitCount, Self.groupShift)
    groupBytes = slotBytes << groupShift
    slotStep = hasRows ? slotBytes : TileLine.byteCount
    lineStep = hasRows ? TileLine.byteCount : TileLine.byteCount << groupShift
    var keys = all.indices.map { UInt64(order[$0]) << 32 | UInt64($0) }
    keys.sort()
    let sorted = keys.map { Int(UInt32(truncatingIfNeeded: $0)) }
    var start = 0
    while start < sorted.count {
      var lineCount = 0
      var length = 0
      var end = start
      while end < sorted.count,
        (lineCount + lineCounts[sorted[end]]) * TileLine.byteCount <= slotBytes
      {
        let piece = sorted[end]
        put(piece, in: rings.count, at: lineCount)
        lineCount += lineCounts[piece]
        length = max(length, Int(all[piece]))
        end += 1
      }
      let blocks = (length + slotsInBlock - 1) / slotsInBlock + 1
      let slots = blocks * slotsInBlock
      addRing(start: byteCount, slotBytes: slotBytes, slots: slots, length: length)
      byteCount += slots * slotBytes
      start = end
    }
  }

  /// For how many frames every piece is kept.
  var shortestLength: Int {
    Int(pieceLengths.min() ?? rings.last?.length ?? 0)
  }

  private init(hasRows: Bool) { self.hasRows = hasRows }

  private mutating func addRing(start: Int, slotBytes: Int, slots: Int, length: Int) {
    rings.append(
      SlitScanRing(
        start: start, slot_bytes: slotBytes, slots: UInt32(slots), length: UInt32(length),
        newest: UInt32(slots - 1), newest_start: 0))
  }

  /// Lists where slots of all rings begin, the longest of which is the first.
  ///
  /// - Parameter ends: Where a slot ends that is of this ring and those before it.
  private mutating func listSlots(ends: [Int]) {
    slots = []
    var last = rings.count - 1
    for slot in 0..<(rings.first?.length ?? 0) {
      while rings[last].length <= slot { last -= 1 }
      slots.append(byteCount)
      byteCount += ends[last]
    }
  }

  /// Slots of a group, as a power of two: the more, the nearer are the frames that a line is read from, and the
  /// farther the lines that a frame is written to.
  private static let groupShift = 3

  /// The start of a slot of a ring.
  func start(of ring: SlitScanRing, slot: Int) -> Int {
    guard slots.isEmpty else { return ring.start + slots[slot] }
    let (group, rest) = slot.quotientAndRemainder(dividingBy: 1 << groupShift)
    return ring.start + group * groupBytes + rest * slotStep
  }

  private mutating func put(_ piece: Int, in ring: Int, at index: Int) {
    var bytes = places.mutableBytes
    bytes.storeBytes(
      of: SlitScanPlace(ring: UInt32(ring), index: UInt32(index)),
      toByteOffset: piece * MemoryLayout<SlitScanPlace>.stride, as: SlitScanPlace.self)
  }

  /// The place of a piece.
  func place(ofPiece piece: Int) -> SlitScanPlace {
    unsafe places.bytes.unsafeLoad(
      fromByteOffset: piece * MemoryLayout<SlitScanPlace>.stride, as: SlitScanPlace.self)
  }

  /// The slot that wastes the least of pieces of so many bytes.
  ///
  /// - Returns: nil if a piece is larger.
  static func slotBytes(for pieceBytes: Int, within blockBytes: Int) -> Int? {
    let page = Int(PAGER_PAGE)
    let sizes = sequence(first: page) { $0 * 4 <= blockBytes ? $0 * 2 : nil }
    return sizes.filter { $0 >= pieceBytes }.min { first, second in
      let (a, b) = (first % pieceBytes * second, second % pieceBytes * first)
      return a < b
    }
  }
}
