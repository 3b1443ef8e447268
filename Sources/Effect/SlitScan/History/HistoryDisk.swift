// The history disk is a folder whose files hold the history that does not fit into memory.

import CPagedMemory
import LibC

/// Unnamed files in a folder, and the threads that read and write them.
///
/// Blocks that were asked for last stay in memory, up to a limit. Files vanish with the process, however that ends.
@safe
struct HistoryDisk: ~Copyable {
  /// The `Pager`.
  let pager: OpaquePointer
  /// Bytes that are read or written at once.
  let blockBytes: Int
  /// The bytes that the folder's disk had free at first.
  private let freeBytes: UInt64

  /// - Throws: What the system says where no file can be made in the folder.
  init(_ folder: String, blockBytes: Int) throws(FrameReport.DiskFailure) {
    var error: Int32 = 0
    guard let pager = unsafe pager_new(folder, blockBytes, &error) else {
      throw FrameReport.DiskFailure(action: .open, code: error)
    }
    unsafe self.pager = pager
    self.blockBytes = blockBytes
    freeBytes = unsafe pager_free_bytes(pager)
  }

  deinit { unsafe pager_free(pager) }

  /// The size of blocks for frames of a size, of which some blocks of every page must fit into memory: one that is
  /// written, one that is read, one that is next, and what the delays of a page reach over.
  static func blockBytes(frameBytes: Int, memoryLimit: Int) -> Int {
    let pages = max(frameBytes / Int(PAGER_PAGE), 1)
    var bytes = Int(PAGER_PAGE)
    while bytes < 128 << 10, bytes * 2 * pages * 8 <= memoryLimit { bytes *= 2 }
    return bytes
  }

  /// The bytes that history may take on the disk.
  ///
  /// - Parameter limit: ``ScanSettings/maxDisk``.
  func limit(_ limit: UInt64) -> Int {
    Int(clamping: limit > 0 ? limit : freeBytes / 10 * 9)
  }

  /// Begins a frame; what is shown from now on is in memory together, as far as that goes.
  func beginFrame(memoryLimit: Int) {
    unsafe pager_set_limit(pager, memoryLimit)
    unsafe pager_begin_pass(pager)
  }

  /// Writes again after the disk was full.
  func resume() { unsafe pager_resume(pager) }

  var state: PagerState { unsafe pager_state(pager) }

  /// The first failure.
  var failure: FrameReport.DiskFailure? {
    let state = state
    switch state.failure {
    case PAGER_FINE: return nil
    case PAGER_OPEN_FAILED: return FrameReport.DiskFailure(action: .open, code: state.error)
    case PAGER_WRITE_FAILED: return FrameReport.DiskFailure(action: .write, code: state.error)
    default: return FrameReport.DiskFailure(action: .read, code: state.error)
    }
  }
}

extension FrameReport.DiskFailure: Error {}

extension FrameReport.DiskUse {
  init(_ state: PagerState) {
    bytesRead = state.bytes_read
    bytesWritten = state.bytes_written
    lateFrames = state.late_passes
    waitingTime = state.waiting_time
  }
}
