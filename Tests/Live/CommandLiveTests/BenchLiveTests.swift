// Tests the table of `slitscan bench`. Live: each line is measured for a second.

import CommandUnderTest
import Testing

@Suite(.enabled(if: Command.isPrepared)) struct BenchLiveTests {
  @Test func theTableHasALineForEachSizeAndMap() async throws {
    let result = try await Command.run(
      "\(Command.slitscan) bench --size 64x48 --size 33x17 --map radial --map linear --set depth=4 --format RGB"
    )
    let lines = result.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      lines.dropFirst().map { Array($0.prefix(2)) } == [
        ["64x48", "radial"], ["64x48", "linear"], ["33x17", "radial"], ["33x17", "linear"],
      ])
    #expect(Set(result.text.split(separator: "\n").map(\.count)).count == 1, "\(result.text)")
  }
}
