// Tests of sound that is delayed as the video is.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct SoundDelayTests {
  /// Blocks of 20 ms, numbered.
  private static func line(_ blocks: Range<Int>) -> SoundDelayLine<Int> {
    var line = SoundDelayLine<Int>()
    for block in blocks { line.append(block, at: time(block)) }
    return line
  }

  private static func time(_ block: Int) -> ClockTime { .milliseconds(UInt64(block) * 20) }

  @Test func withoutADelayEveryBlockIsHeardOnceAndAtItsTime() {
    var line = Self.line(0..<500)
    var heard: [Int] = []
    for frame in stride(from: 0, through: 10_000, by: 33) {
      for (block, due) in line.advance(to: .milliseconds(UInt64(frame))) {
        #expect(due == Self.time(block))
        heard.append(block)
      }
    }
    #expect(heard == Array(0..<500))
  }

  @Test func aDelayMovesEveryBlockByAsMuch() {
    var line = Self.line(0..<500)
    line.follow(.seconds(2))
    var heard: [Int] = []
    for frame in stride(from: 0, through: 10_000, by: 40) {
      for (block, due) in line.advance(to: .milliseconds(UInt64(frame))) {
        #expect(due == Self.time(block) + .seconds(2))
        heard.append(block)
      }
    }
    #expect(heard == Array(0..<400))
  }

  @Test func aDelayThatGrowsRepeatsAndOneThatShrinksLeavesOut() {
    var line = Self.line(0..<1000)
    _ = line.advance(to: .seconds(10))
    line.follow(.seconds(1))
    let again = line.advance(to: .seconds(11))
    #expect(again.map(\.block) == Array(450..<500))
    #expect(again.first?.time == .seconds(10))
    line.follow(.zero)
    #expect(line.advance(to: .seconds(12)).map(\.block) == Array(550..<600))
  }

  @Test func smallChangesMakeNoSeam() {
    var line = Self.line(0..<1000)
    line.follow(.milliseconds(500))
    line.follow(.milliseconds(530))
    #expect(line.delay == .milliseconds(500))
    line.follow(.milliseconds(545))
    #expect(line.delay == .milliseconds(545))
    line.follow(.zero)
    #expect(line.delay == .zero)
  }

  @Test func theLineIsNoLongerThanItsReach() {
    var line = Self.line(0..<10_000)
    line.follow(.seconds(1000))
    #expect(line.delay == .seconds(60))
    #expect(line.advance(to: .seconds(200)).count <= 3001)
  }
}
