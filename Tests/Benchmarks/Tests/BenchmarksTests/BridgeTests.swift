// Tests of how the cost of the bridge is computed.

import Testing

@testable import Benchmarks

struct BridgeTests {
  /// A run whose ways take so many microseconds, in the order of the ways.
  private func run(_ times: Double...) -> BridgeBenchmark.Run {
    Dictionary(
      uniqueKeysWithValues: zip(
        BridgeWay.allCases, times.map { BridgePassage(time: $0, cpuTime: 2 * $0) }))
  }

  @Test func whatThePipelineTakesIsSubtractedRunByRun() {
    // The second run was on a machine that did something else besides.
    let runs = [run(1, 5, 7), run(11, 25, 25), run(1, 5, 9)]
    let cells = BridgeWay.allCases.map { BridgeBenchmark.cells(of: $0, runs) }
    #expect(cells[0] == ["1.00", "2.00", "–", "–", "–", "–"])
    #expect(cells[1] == ["5.00", "10.00", "4.00", "1.00", "8.00", "1.00"])
    #expect(cells[2] == ["9.00", "18.00", "8.00", "1.50", "16.00", "1.50"])
  }
}
