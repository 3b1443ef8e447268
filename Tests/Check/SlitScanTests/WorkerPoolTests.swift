// Tests of the threads that share the work of a frame.

import CWorkerPool
import Testing

@Suite struct WorkerPoolTests {
  /// Counts how often each part is done; parts do not share a counter.
  private static let count: WorkerPoolBody = { counters, part in
    counters?.assumingMemoryBound(to: Int.self)[part] += 1
  }

  @Test(arguments: [1, 2, 3, 8] as [UInt32], [0, 1, 2, 7, 64, 1000])
  func everyPartIsDoneOnce(threads: UInt32, parts: Int) {
    let pool = worker_pool_new(threads)
    var counters = [Int](repeating: 0, count: max(parts, 1))
    // Run after run, so that threads come late to some.
    let runs = 200
    for _ in 0..<runs {
      counters.withUnsafeMutableBytes { worker_pool_run(pool, Self.count, $0.baseAddress, parts) }
    }
    #expect(counters.prefix(parts).allSatisfy { $0 == runs })
    if let pool { worker_pool_free(pool) }
  }

  @Test func poolsComeAndGo() {
    for threads in 2..<UInt32(12) {
      for _ in 0..<20 {
        guard let pool = worker_pool_new(threads) else { continue }
        #expect(worker_pool_threads(pool) <= threads)
        var counters = [Int](repeating: 0, count: 16)
        counters.withUnsafeMutableBytes { worker_pool_run(pool, Self.count, $0.baseAddress, 16) }
        worker_pool_free(pool)
        #expect(counters.allSatisfy { $0 == 1 })
      }
    }
  }
}
