// Tests of the allocation counter.

import Foundation
import Testing

@testable import Benchmarks

@Suite(.serialized, .enabled(if: Allocations.areCounted)) struct AllocationTests {
  /// Counts while nothing else runs in `body`; the least of some tries, as other tests allocate too.
  private func count(_ body: () -> Void) -> Int {
    (0..<5000).map { _ in
      var allocations = Allocations()
      allocations.count(body)
      return allocations.count
    }.min() ?? 0
  }

  @Test func whatIsAskedForIsCounted() {
    #expect(count {} == 0)
    #expect(count { withExtendedLifetime(makeArrays(3)) {} } >= 3)
    let memoryFromTheSystem = count {
      let memory = mmap(nil, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      munmap(memory, 4096)
    }
    #expect(memoryFromTheSystem == 1)
  }

  @Test func whatOtherThreadsAskForIsCounted() {
    let thread = Thread { withExtendedLifetime(makeArrays(1000)) {} }
    var allocations = Allocations()
    allocations.count {
      thread.start()
      while !thread.isFinished { usleep(1000) }
    }
    #expect(allocations.count >= 1000)
  }
}

/// Arrays that the optimizer cannot do without.
@inline(never)
private func makeArrays(_ count: Int) -> [[Int]] {
  (0..<count).map { Array(0...$0) }
}
