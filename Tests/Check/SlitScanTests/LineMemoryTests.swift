// Memory that the system refuses.

import Foundation
import Testing

@testable import SlitScan

@Suite struct LineMemoryTests {
  /// Whether the system promises whatever it is asked for.
  private static let promisesAll =
    (try? String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8)) == "1\n"

  @Test(.disabled(if: promisesAll)) func moreThanTheMachineHasIsRefused() {
    // 32 TiB: addresses there are for it.
    let tooMuch = 1 << 45
    var memory = LineMemory()
    let isGiven = memory.grow(to: tooMuch)
    #expect(!isGiven)
    #expect(memory.byteCount == 0)
    let isSmallGiven = memory.grow(to: 4096)
    #expect(isSmallGiven)
    var numbers = memory.mutableFloats
    numbers[7] = 1.5
    let isGrown = memory.grow(to: tooMuch)
    #expect(!isGrown)
    #expect(memory.byteCount == 4096)
    #expect(memory.floats[7] == 1.5)
    #expect(!LineMemory.isThere(tooMuch))
  }
}
