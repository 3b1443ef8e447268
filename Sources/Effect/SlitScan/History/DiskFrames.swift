// Disk frames are the frames of a history that does not fit into memory: stretches of it, each in the order in which
// it is read.

import CPagedMemory
import CSlitScanKernels

/// Frames on disk, the newest first, in eras of frames whose pieces lie in one order.
///
/// The first era lies in the order of the frame. Another begins when the map stands still, in the order of its delays,
/// so that what is read together lies together; when history is thinned out, and when it is whole again; and when more
/// frames are to be held than an era has room for.
struct DiskFrames: ~Copyable {
  private static let mostEras = 16
  /// Eras that only the order asks for leave room for others.
  private static let mostOrderedEras = 8
  /// The frames that an era has room for, at least, once more than expected are to be held.
  private static let leastRoom = 1024

  private let tiles: TiledLayout
  private let disk: HistoryDisk
  private var eras = InlineArray<16, RingFrames?> { _ in nil }
  private var eraCount = 0
  /// The frames that are held.
  private(set) var count = 0
  /// The frames that are to fit.
  private(set) var capacity = 0
  /// Whether the newest era is thinned out.
  private(set) var isThinning = false
  /// The number of the era that is thinned out, counted from the oldest, or nil.
  private var thinnedEra: Int?
  /// The order that the newest era is in; nil for that of the frame.
  private var order: (number: Int, delays: RingLayout.Lengths)?
  /// The order that the next era is to have.
  private var nextOrder: (number: Int, delays: RingLayout.Lengths)?
  /// Whether the newest era is not to be gone on with.
  private var hasEnded = false
  /// The lines of a frame in the order of the frame: tiles that are close together follow each other.
  private let frameOrder: [UInt32]

  init(_ tiles: TiledLayout, on disk: consuming HistoryDisk) {
    self.tiles = tiles
    self.disk = disk
    frameOrder = tiles.nearLines
  }

  /// Bytes that each frame takes on disk, about.
  static func slotBytes(_ tiles: TiledLayout) -> Int { tiles.byteCount + tiles.byteCount / 16 }

  // MARK: Disk

  /// Begins a frame, see ``HistoryDisk/beginFrame(memoryLimit:)``; false if the disk has failed.
  mutating func beginFrame(memoryLimit: Int) -> Bool {
    disk.beginFrame(memoryLimit: memoryLimit)
    return disk.failure == nil
  }

  /// The state of the disk.
  var state: PagerState { disk.state }
  /// The failure that ends the history on disk.
  var failure: FrameReport.DiskFailure? { disk.failure }
  /// The `Pager`.
  var pager: OpaquePointer { unsafe disk.pager }

  /// The frames that fit on the disk.
  ///
  /// - Parameter limit: ``ScanSettings/maxDisk``.
  func fittingFrames(limit: UInt64) -> Int {
    // Blocks that are being filled, that are to be written over, and that neighbours have got with them; of two eras.
    let slotsInBlock = disk.blockBytes / Int(PAGER_PAGE)
    return disk.limit(limit) / Self.slotBytes(tiles) - 2 * 8 * slotsInBlock
  }

  /// Drops some of the oldest frames, and writes others in their place.
  ///
  /// - Returns: The frames that are left.
  mutating func shrink() -> Int {
    keep(max(1, count - count / 8 - 1))
    disk.resume()
    return count
  }

  // MARK: Frames

  /// Whether the newest frames are kept as rows.
  var hasRows: Bool { eras[0].read { $0.hasRows } == true }

  /// The newest frames that are whole.
  var wholeCount: Int {
    var whole = 0
    for index in 0..<eraCount {
      let wholeOfEra = eras[index].read { $0.wholeCount } ?? 0
      whole += wholeOfEra
      guard wholeOfEra == eraFrames(index) else { break }
    }
    return whole
  }

  /// Changes how many frames are to fit, keeping the newest ones.
  mutating func resize(to newCapacity: Int) {
    keep(newCapacity)
    capacity = newCapacity
  }

  /// Takes a frame in as the newest.
  ///
  /// - Returns: false if the system refuses memory; the frame is not taken in then.
  mutating func push(
    _ frame: borrowing FrameSpan, streams: Bool, workers: borrowing Workers
  ) -> Bool {
    guard prepareEra() else { return false }
    keep(capacity - 1)
    let tiles = tiles
    eras[0]?.advance()
    eras[0]?.store(frame, tiles: tiles, streams: streams, workers: workers)
    count += 1
    return true
  }

  /// Takes the newest frame in once more; false where that needs an era of its own.
  mutating func repeatNewest() -> Bool {
    guard count > 0, !needsEra else { return false }
    keep(capacity - 1)
    eras[0]?.advance()
    eras[0]?.repeatNewest()
    count += 1
    return true
  }

  /// Draws the newest frame as it was taken in.
  func drawNewest(into frame: inout MutableFrameSpan, workers: borrowing Workers) {
    eras[0].read { $0.drawNewest(into: &frame, tiles: tiles, workers: workers) }
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) {
    let kept = max(kept, 0)
    guard count > kept else { return }
    count = kept
    var newer = 0
    for index in 0..<eraCount {
      let rest = max(kept - newer, 0)
      newer += eraFrames(index)
      if index == 0 {
        eras[0]?.keep(rest)
      } else {
        eras[index]?.giveBack(keeping: rest)
      }
    }
    while eraCount > 1, eraFrames(eraCount - 1) == 0 { endOldestEra() }
  }

  /// Forgets all frames, and gives their place on disk back.
  mutating func forget() {
    while eraCount > 0 { endOldestEra() }
    count = 0
    isThinning = false
    hasEnded = false
    order = nil
    nextOrder = nil
  }

  private mutating func endOldestEra() {
    eraCount -= 1
    eras[eraCount] = nil
    thinnedEra = thinnedEra.flatMap { $0 > 0 ? $0 - 1 : nil }
  }

  private func eraFrames(_ index: Int) -> Int { eras[index].read { $0.count } ?? 0 }

  // MARK: Eras

  /// Has new frames lie in the order of delays.
  ///
  /// - Parameters:
  ///   - number: The number of the order; the same for the same delays.
  ///   - delays: The delay of each line or row.
  mutating func sort(by number: Int, _ delays: () -> RingLayout.Lengths?) {
    guard !isThinning, order?.number != number, eraCount < Self.mostOrderedEras,
      let delays = delays()
    else { return }
    nextOrder = (number, delays)
  }

  /// Whether some frames are thinned out.
  var hasThinned: Bool { thinnedEra != nil }

  /// Thins new frames out, unless the system refuses memory.
  mutating func thinOut(_ lengths: RingLayout.Lengths) {
    guard let layout = layout(lengths, sortedBy: lengths.all), begin(layout) else { return }
    isThinning = true
    thinnedEra = eraCount - 1
    order = nil
  }

  /// Keeps frames whole from now on.
  mutating func stopThinning() {
    guard isThinning else { return }
    isThinning = false
    hasEnded = true
  }

  private var needsEra: Bool {
    guard eraCount > 0, !hasEnded else { return true }
    guard !isThinning else { return false }
    return nextOrder != nil || newestCapacity < capacity
  }

  private var newestCapacity: Int { eras[0].read { $0.capacity } ?? 0 }

  /// Begins an era of whole frames if that is needed.
  private mutating func prepareEra() -> Bool {
    guard needsEra else { return true }
    // Room for more, where the depth follows from times and grows with each frame.
    let isGrowing = eraCount > 0 && !hasEnded && newestCapacity < capacity
    let frames = isGrowing ? max(capacity, 4 * newestCapacity, Self.leastRoom) : capacity
    let next = nextOrder ?? (hasEnded ? nil : order)
    let isBegun = beginWhole(next?.delays, frames: frames) || beginWhole(nil, frames: frames)
    // An order that the system refuses is not asked for again with every frame.
    order = next
    nextOrder = nil
    guard isBegun else { return eraCount > 0 && !hasEnded && !isGrowing }
    hasEnded = false
    return true
  }

  /// Begins an era of whole frames, in the order of delays or else of the frame.
  private mutating func beginWhole(_ delays: RingLayout.Lengths?, frames: Int) -> Bool {
    let pieces = delays ?? .ofLines([UInt32](repeating: 0, count: tiles.lineCount))
    let lengths = [UInt32](repeating: UInt32(clamping: frames), count: pieces.all.count)
    // Rows that are larger than blocks have none.
    guard
      let layout = layout(
        pieces.areOfRows ? .ofRows(lengths) : .ofLines(lengths),
        sortedBy: delays?.all ?? frameOrder)
    else { return false }
    return begin(layout)
  }

  private func layout(
    _ lengths: RingLayout.Lengths, sortedBy order: [UInt32]
  ) -> RingLayout? {
    RingLayout(lengths, sortedBy: order, of: tiles, blockBytes: disk.blockBytes)
  }

  /// Begins an era.
  private mutating func begin(_ layout: consuming RingLayout) -> Bool {
    guard let era = RingFrames(layout, on: disk) else { return false }
    if eraCount == Self.mostEras {
      keep(count - eraFrames(eraCount - 1))
      if eraCount == Self.mostEras { endOldestEra() }
    }
    for index in stride(from: eraCount, to: 0, by: -1) { eras.swapAt(index, index - 1) }
    eras[0] = consume era
    eraCount += 1
    return true
  }

  // MARK: Reading

  /// A byte of a sample in the frame of so many frames ago.
  func byte(_ number: Int, at place: SamplePlace, ago level: Int) -> UInt8 {
    var level = level
    for index in 0..<eraCount {
      switch eras[index] {
      case .none: return 0
      case .some(let era):
        if level < era.count || index == eraCount - 1 {
          return era.byte(number, at: place, ago: level)
        }
        level -= era.count
      }
    }
    return 0
  }

  /// Gives `body` the eras as the kernels know them; none while nothing is held.
  @unsafe
  func withUnsafeEras(_ body: (UnsafeBufferPointer<SlitScanEra>) -> Void) {
    unsafe addEra(0, end: 0, to: nil, body)
  }

  @unsafe
  private func addEra(
    _ index: Int, end: Int, to list: InlineArray<16, SlitScanEra>?,
    _ body: (UnsafeBufferPointer<SlitScanEra>) -> Void
  ) {
    guard index < eraCount else {
      guard let list = unsafe list else { return }
      return unsafe list.span.extracting(first: index).withUnsafeBufferPointer(body)
    }
    switch eras[index] {
    case .none: break
    case .some(let era):
      let end = end + era.count
      unsafe era.withUnsafeEra(end: end) { made in
        var list = unsafe list ?? InlineArray(repeating: made)
        unsafe list[index] = made
        unsafe addEra(index + 1, end: end, to: list, body)
      }
    }
  }
}

extension TiledLayout {
  /// A number for each line: lines of tiles that are close together have numbers that are.
  fileprivate var nearLines: [UInt32] {
    var numbers = [UInt32](repeating: 0, count: lineCount)
    var number: UInt32 = 0
    for grid in grids {
      // As many tiles as make a page.
      let side = 8
      for top in stride(from: 0, to: grid.tilesHigh, by: side) {
        for left in stride(from: 0, to: grid.tilesWide, by: side) {
          for tileY in top..<min(top + side, grid.tilesHigh) {
            for tileX in left..<min(left + side, grid.tilesWide) {
              let line = grid.line(tileX: tileX, tileY: tileY)
              for part in 0..<grid.shape.lineCount {
                numbers[line + part] = number
                number += 1
              }
            }
          }
        }
      }
    }
    return numbers
  }
}
