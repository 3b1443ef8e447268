// The history holds the most recent frames as tiles, in memory or on disk.

import CSlitScanKernels
import LibC

/// Frames that the kernels read by their levels.
protocol HistoryFrames: ~Copyable {
  /// The frames that are held.
  var count: Int { get }

  /// Gives `body` the frames as the kernels know them; none while nothing is held.
  ///
  /// - Parameter skipped: The levels that are added to each delay.
  @unsafe
  func withUnsafeFrames(skipping skipped: Int, _ body: (SlitScanHistoryFrames) -> Void)
}

/// The last frames of a stream.
///
/// *Levels* count back in time: level 0 is the newest frame, level `count − 1` the oldest. Frames are
/// whole, or, while a map stands still, thinned out to what it shows.
struct History: ~Copyable, HistoryFrames {
  private let tiles: TiledLayout
  /// The folder of what does not fit into memory.
  private let location: String?
  private var memory: MemoryFrames
  /// Where frames are, if they are on disk.
  private var disk: DiskFrames?
  /// The failure of the disk; frames are in memory since.
  private(set) var failure: FrameReport.DiskFailure?
  /// When the frames that are held were taken in.
  private(set) var times = FrameTimes()
  /// The levels ahead of what is shown that are read from disk.
  private var ahead = 0

  /// - Parameter location: A folder for history that does not fit into memory, if there is one.
  init(_ tiles: TiledLayout, location: String? = nil) {
    self.tiles = tiles
    self.location = location
    memory = MemoryFrames(tiles)
  }

  /// A history that is larger does not stay in the processor's caches until it is read.
  private static let cachedBytes = 8 << 20

  /// Whether frames are on disk.
  var isOnDisk: Bool { disk != nil }

  /// The frames that fit.
  var depth: Int { times.depth }
  /// The frames that are held.
  var count: Int { times.count }

  /// The newest frames that are whole.
  var wholeCount: Int { disk.read { $0.wholeCount } ?? memory.wholeCount }

  /// Whether frames go past the processor's caches: in, and out as pictures of them.
  private var streams: Bool { depth * MemoryFrames.slotBytes(tiles) > Self.cachedBytes }

  @unsafe
  func withUnsafeFrames(skipping skipped: Int, _ body: (SlitScanHistoryFrames) -> Void) {
    guard count > 0 else { return }
    let skipped = UInt32(clamping: skipped)
    let (count, streams, ahead) = (count, streams, ahead)
    @unsafe func add(_ eras: UnsafeBufferPointer<SlitScanEra>, _ pager: OpaquePointer?) {
      guard let first = eras.baseAddress else { return }
      unsafe body(
        SlitScanHistoryFrames(
          eras: first, era_count: eras.count, oldest: UInt32(count - 1), skipped: skipped,
          whole: nil, streams: streams, pager: pager, ahead: UInt32(ahead)))
    }
    switch disk {
    case .none: unsafe memory.withUnsafeEras { unsafe add($0, nil) }
    case .some(let disk):
      let pager = unsafe disk.pager
      unsafe disk.withUnsafeEras { unsafe add($0, pager) }
    }
  }

  /// Counts the frames that have become the newest.
  private(set) var pushCount = 0

  // MARK: Memory and disk

  /// The bytes of memory that frames have been written to.
  var byteCount: Int {
    disk.read { Int(clamping: $0.state.memory_bytes) } ?? memory.byteCount
  }

  /// Begins a frame: opens the folder of a history on disk with the first one, and goes on in memory where it fails.
  ///
  /// - Parameter memoryLimit: The bytes of memory that history may take.
  mutating func beginFrame(memoryLimit: Int) {
    guard let location, failure == nil else { return }
    if !isOnDisk {
      do throws(FrameReport.DiskFailure) {
        disk = DiskFrames(
          tiles,
          on: try HistoryDisk(
            location,
            blockBytes: HistoryDisk.blockBytes(
              frameBytes: tiles.byteCount, memoryLimit: memoryLimit)))
      } catch {
        failure = error
      }
    }
    if disk?.beginFrame(memoryLimit: memoryLimit) == false { leaveDisk() }
  }

  /// The frames that fit on the disk, or nil if history is in memory.
  ///
  /// - Parameter limit: ``ScanSettings/maxDisk``.
  mutating func framesOnDisk(limit: UInt64) -> (count: Int, isFull: Bool)? {
    if disk.read({ $0.state.is_full }) == true, let left = disk?.shrink() {
      fullCount = left
      times.keep(left)
    }
    guard let fitting = disk.read({ $0.fittingFrames(limit: limit) }) else { return nil }
    return (min(fitting, fullCount), fitting > fullCount || limit == 0)
  }

  /// The frames that there were room for when the disk was full.
  private var fullCount = Int.max

  /// Goes on in memory, with the newest frame, as the disk has failed or the system has no memory for it.
  mutating func leaveDisk() {
    disk.read { failure = $0.failure ?? FrameReport.DiskFailure(action: .open, code: ENOMEM) }
    let newest = newestFrame()
    disk = nil
    // Its time stays.
    times.setDepth(memory.resize(to: 1) ? 1 : 0)
    guard let newest, depth > 0 else { return times.keep(0) }
    memory.push(newest.frame, streams: false, workers: Workers(1))
  }

  /// A copy of the newest frame, if there is one, and memory for it.
  private func newestFrame() -> FrameCopy? {
    var newest = FrameCopy(tiles)
    guard count > 0 else { return nil }
    try? newest.draw { drawNewest(into: &$0, workers: Workers(1)) }
    guard newest.isHeld else { return nil }
    return newest
  }

  /// Has the pieces of frames on disk lie in the order of delays.
  ///
  /// - Parameters:
  ///   - number: The number of the map, or nil where it moves.
  ///   - delays: The delay of each line or row.
  mutating func sort(by number: Int?, _ delays: () -> RingLayout.Lengths?) {
    // Long enough for what will be read to come.
    ahead = number == nil ? 0 : Self.framesAhead
    if let number { disk?.sort(by: number, delays) }
  }

  /// The frames that are read from disk before they are shown.
  private static let framesAhead = 64

  /// Puts the state of the disk into a report.
  func describe(in report: inout FrameReport) {
    report.diskFailure = failure
    disk.read {
      report.diskBytes = Int(clamping: $0.state.disk_bytes)
      report.disk = FrameReport.DiskUse($0.state)
    }
  }

  // MARK: Frames

  /// Changes how many frames fit, keeping the newest ones.
  ///
  /// Frames that no longer fit give their memory back.
  ///
  /// - Returns: false if the system refuses the memory; everything is as before then.
  mutating func setDepth(_ newDepth: Int) -> Bool {
    guard newDepth != depth else { return true }
    keep(newDepth)
    if isOnDisk {
      disk?.resize(to: newDepth)
    } else {
      guard memory.resize(to: newDepth) else { return false }
    }
    times.setDepth(newDepth)
    return true
  }

  /// Drops the oldest frames, keeping the newest `kept`.
  mutating func keep(_ kept: Int) {
    guard count > kept else { return }
    let kept = max(kept, 0)
    times.keep(kept)
    if isOnDisk { disk?.keep(kept) } else { memory.keep(kept) }
  }

  /// Takes a frame in as level 0; the oldest leaves if the history is full.
  ///
  /// - Parameter time: Its running time in nanoseconds; one before the last frame's counts as that.
  mutating func push(
    _ frame: borrowing FrameSpan, time: UInt64, workers: borrowing Workers
  ) {
    guard depth > 0 else { return }
    let streams = streams
    if isOnDisk {
      let isTaken = disk?.push(frame, streams: streams, workers: workers) == true
      guard isTaken else {
        leaveDisk()
        return push(frame, time: time, workers: workers)
      }
    } else {
      memory.push(frame, streams: streams, workers: workers)
    }
    advance(to: time)
  }

  /// Takes the newest frame in once more, as level 0.
  mutating func repeatNewest(time: UInt64) {
    guard depth > 0, count > 0 else { return }
    if isOnDisk {
      let isRepeated = disk?.repeatNewest() == true
      guard isRepeated else {
        guard let newest = newestFrame() else { return }
        return push(newest.frame, time: time, workers: Workers(1))
      }
    } else {
      memory.repeatNewest()
    }
    advance(to: time)
  }

  private mutating func advance(to time: UInt64) {
    times.advance(to: time)
    pushCount += 1
  }

  /// Draws the newest frame as it was taken in.
  func drawNewest(into frame: inout MutableFrameSpan, workers: borrowing Workers) {
    guard count > 0 else { return }
    switch disk {
    case .none: memory.drawNewest(into: &frame, workers: workers)
    case .some(let disk): disk.drawNewest(into: &frame, workers: workers)
    }
  }

  /// Forgets all frames; the memory of whole ones stays for the next.
  mutating func forget() {
    memory.forget()
    disk?.forget()
    fullCount = .max
    times.keep(0)
  }

  // MARK: Thinning

  /// Keeps, of frames that are taken in from now on, each line or row only for as many frames as
  /// something shows it; if that saves enough, and there is nothing thinned yet.
  ///
  /// - Parameter lengths: For how many frames each is shown.
  mutating func thinOut(_ lengths: RingLayout.Lengths) {
    guard !hasThinned else { return }
    // Little is gained where most is shown.
    let byteCount = zip(lengths.all, lengths.lineCounts(tiles)).reduce(0) {
      $0 + Int($1.0) * $1.1 * TileLine.byteCount
    }
    guard byteCount < depth * MemoryFrames.slotBytes(tiles) / 10 * 9 else { return }
    if isOnDisk { disk?.thinOut(lengths) } else { memory.thinOut(lengths) }
  }

  private var hasThinned: Bool {
    disk.read { $0.hasThinned } ?? (memory.isThinning || memory.hasThinned)
  }

  /// Whether the newest frames are kept as rows, to be read by the delays of rows.
  var hasRows: Bool { disk.read { $0.hasRows } ?? memory.hasRows }

  /// Keeps frames whole from now on, as the map has moved.
  mutating func stopThinning() {
    if isOnDisk { disk?.stopThinning() } else { memory.stopThinning() }
  }
}

extension History: StripFrames {
  func place(ofByte byte: Int, row: Int, plane: Int) -> SamplePlace {
    let grid = tiles.grids[plane]
    return SamplePlace(
      start: grid.offset(ofByte: byte, row: row), row: grid.firstRow + row, byte: byte)
  }

  func byte(_ number: Int, at place: SamplePlace, plane: Int, ago level: Int) -> UInt8 {
    switch disk {
    case .none: memory.byte(number, at: place, ago: level)
    case .some(let disk): disk.byte(number, at: place, ago: level)
    }
  }
}
