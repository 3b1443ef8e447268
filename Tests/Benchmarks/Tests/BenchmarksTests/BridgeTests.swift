// Tests of the bridge benchmark: the computation of its cost, and that each bridge passes the frames.

import Testing

@testable import Benchmarks

struct BridgeTests {
  /// A run whose ways take so many microseconds, in the order of the ways.
  private func run(_ times: Double...) -> BridgeCost.Run {
    var run = BridgeCost.Run()
    for (way, time) in zip(BridgeWay.allCases, times) {
      run.fast[way] = BridgePassage(
        microseconds: time, cpuMicroseconds: 2 * time, delayMicroseconds: 0)
      run.paced[way] = BridgePassage(
        microseconds: 4000, cpuMicroseconds: 0, delayMicroseconds: 10 * time)
    }
    return run
  }

  @Test func whatThePipelineTakesIsSubtractedRunByRun() {
    // The second run was on a machine that did something else besides.
    let costs = BridgeCost.all(
      of: .fullHD, [run(1, 1.5, 5, 7), run(11, 11.5, 25, 25), run(1, 1.5, 5, 9)])
    #expect(costs.map(\.way) == [.none, .probe, .callback, .swift])
    #expect(costs.map(\.microseconds) == [1, 1.5, 5, 9])
    #expect(costs.map(\.addedMicroseconds) == [0, 0.5, 4, 8])
    #expect(costs.map(\.addedCPUMicroseconds) == [0, 1, 8, 16])
    #expect(costs.map(\.ratio) == [0, 0.125, 1, 1.5])
    #expect(costs.map(\.delayMicroseconds) == [10, 15, 50, 90])
  }

  /// As a frame that is lost or comes twice would be an error, or never end.
  @Test(arguments: BridgeWay.allCases, [false, true])
  func everyFrameCrossesTheBridge(way: BridgeWay, looks: Bool) async throws {
    let traffic = BridgeTraffic(size: FrameSize(width: 64, height: 48), looks: looks)
    let passage = try await BridgePassage(way, traffic, frames: 500)
    #expect(passage.microseconds > 0)
    #expect(passage.cpuMicroseconds > 0)
    #expect(passage.delayMicroseconds > 0)
  }

  @Test(arguments: BridgeAge.Reader.allCases)
  func aSlowReaderGetsSomeFramesAndTheRestIsDropped(reader: BridgeAge.Reader) async throws {
    let traffic = BridgeTraffic(
      size: FrameSize(width: 64, height: 48), looks: false, rate: 500)
    let age = try await BridgeAge(reader, traffic, frames: 100, busy: .milliseconds(20))
    #expect(age.frames == 100)
    #expect(age.read + age.dropped == 100)
    #expect(0 < age.read && age.read < 50)
    #expect(0 < age.medianMicroseconds && age.medianMicroseconds <= age.oldestMicroseconds)
  }
}
