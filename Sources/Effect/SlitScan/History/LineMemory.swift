// Line memory is an allocation that may fail, grows without copying and can be returned in parts; or blocks that are
// kept on disk.

import CLinux
import CPagedMemory
import LibC

/// Zeroed pages from the system.
///
/// Swift's own arrays trap when the system has no memory left, and a trap would end the host; this
/// says so instead. Pages cost memory only once they are written.
///
/// Linux refuses what is beyond `ulimit -v`, what is at once more than the machine's memory and swap, and
/// with `vm.overcommit_memory` at 2 whatever it could not back. By default it may promise more than is left,
/// and ends a process when that is written to; `ScanSettings.maxMemory` is what keeps away from there.
@safe
package struct LineMemory: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  /// The bytes that can be reached.
  package private(set) var byteCount = 0
  /// The `PagedMemory` that they are, where they are kept on disk.
  let pages: OpaquePointer?
  /// Bytes of each of its blocks.
  let blockBytes: Int

  /// No memory yet.
  package init() {
    unsafe base = nil
    unsafe pages = nil
    blockBytes = 0
  }

  /// Blocks that are kept on disk; their bytes are undefined until they are written.
  ///
  /// - Returns: nil if the system refuses the addresses.
  init?(_ byteCount: Int, on disk: borrowing HistoryDisk) {
    guard let pages = unsafe paged_memory_new(disk.pager, byteCount) else { return nil }
    unsafe self.pages = pages
    unsafe base = UnsafeMutableRawPointer(paged_memory_bytes(pages))
    blockBytes = disk.blockBytes
    self.byteCount = byteCount
  }

  deinit {
    if let pages = unsafe pages {
      unsafe paged_memory_free(pages)
    } else if let base = unsafe base {
      unsafe munmap(base, byteCount)
    }
  }

  // MARK: Blocks on disk

  /// Begins to write a block; it stays in memory until it is sealed.
  func begin(_ block: Int) {
    if let pages = unsafe pages { unsafe paged_memory_begin(pages, block) }
  }

  /// Says that a block will not be written to again.
  func seal(_ block: Int) {
    if let pages = unsafe pages { unsafe paged_memory_seal(pages, block) }
  }

  /// Forgets what a block holds.
  func release(_ block: Int) {
    if let pages = unsafe pages { unsafe paged_memory_release(pages, block) }
  }

  /// Brings the block of a byte into memory.
  func fetch(_ byte: Int) {
    if let pages = unsafe pages { unsafe paged_memory_fetch_alone(pages, byte) }
  }

  // MARK: Memory

  /// Grows to `newCount` bytes, keeping what is there; new bytes are zero.
  ///
  /// - Returns: false if the system refuses; everything is as before then.
  package mutating func grow(to newCount: Int) -> Bool {
    guard newCount > byteCount else { return true }
    guard unsafe pages == nil else { return false }
    let grown: UnsafeMutableRawPointer?
    if let base = unsafe base {
      unsafe grown = linux_memory_grow(base, byteCount, newCount)
    } else {
      unsafe grown = mmap(
        nil, newCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    }
    guard let grown = unsafe grown, unsafe grown != MAP_FAILED else { return false }
    unsafe base = grown
    byteCount = newCount
    // Advice only: far fewer translation misses when tiles of a hundred frames are read side by side.
    #if os(Linux)
      unsafe madvise(grown, newCount, MADV_HUGEPAGE)
    #endif
    return true
  }

  /// Whether the system would give so much memory now.
  static func isThere(_ byteCount: Int) -> Bool {
    var memory = LineMemory()
    return memory.grow(to: byteCount)
  }

  /// Gives the whole pages inside `range` back to the system; their bytes are zero from now on.
  mutating func giveBack(_ range: Range<Int>) {
    guard let base = unsafe base else { return }
    let page = Int(getpagesize())
    let first = (range.lowerBound + page - 1) / page * page
    let end = min(range.upperBound, byteCount) / page * page
    guard first < end else { return }
    unsafe madvise(base + first, end - first, MADV_DONTNEED)
  }

  /// Where the bytes are for the kernels, until the memory grows or is freed.
  var start: UnsafeMutableRawPointer? { unsafe base }

  /// The bytes, to read.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      guard let base = unsafe base else { return RawSpan() }
      let span = unsafe RawSpan(_unsafeStart: base, byteCount: byteCount)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes as numbers, to read.
  var floats: Span<Float> {
    @_lifetime(borrow self)
    get {
      guard let base = unsafe base else { return Span() }
      let start = unsafe base.assumingMemoryBound(to: Float.self)
      let span = unsafe Span(_unsafeStart: start, count: byteCount / MemoryLayout<Float>.size)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes as numbers, to write.
  var mutableFloats: MutableSpan<Float> {
    @_lifetime(&self)
    mutating get { mutableFloats(byteCount / MemoryLayout<Float>.size) }
  }

  /// The first `count` numbers, or as many as there are, to write.
  @_lifetime(&self)
  mutating func mutableFloats(_ count: Int) -> MutableSpan<Float> {
    guard let base = unsafe base else { return MutableSpan() }
    let start = unsafe base.assumingMemoryBound(to: Float.self)
    let span = unsafe MutableSpan(
      _unsafeStart: start, count: min(max(count, 0), byteCount / MemoryLayout<Float>.size))
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// The bytes, to write.
  package var mutableBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get {
      guard let base = unsafe base else { return MutableRawSpan() }
      let span = unsafe MutableRawSpan(_unsafeStart: base, byteCount: byteCount)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }
}
