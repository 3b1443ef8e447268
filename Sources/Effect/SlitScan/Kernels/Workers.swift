// The worker threads that share the work of one frame.

import CLinux
import CWorkerPool
import LibC

/// Some threads that sleep between frames; none where one is enough.
@safe
package struct Workers: ~Copyable {
  /// The most threads that are of use: beyond, the memory is the limit.
  static let most = 16

  /// The number that was asked for; 0 for one a core.
  package let wanted: Int
  /// The pool, nil if the caller works alone.
  let pool: OpaquePointer?

  /// Starts threads, fewer if the system refuses some.
  ///
  /// - Parameter wanted: How many threads work, the caller counted; 0 for one a core.
  package init(_ wanted: Int) {
    self.wanted = wanted
    let cores = wanted > 0 ? wanted : Int(unsafe linux_processors(""))
    let threads = UInt32(min(max(cores, 1), Self.most))
    unsafe pool = threads > 1 ? worker_pool_new(threads) : nil
  }

  deinit {
    if let pool = unsafe pool { unsafe worker_pool_free(pool) }
  }
}
