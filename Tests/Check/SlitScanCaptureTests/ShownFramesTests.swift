// Tests of the count of frames that a sink has shown.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct ShownFramesTests {
  private let start = ManualClock().now

  /// Frames at their times in milliseconds, of which the sink shows some.
  private func frames(_ times: [Int], shown: (Int) -> Bool = { _ in true }) -> ShownFrames {
    var frames = ShownFrames()
    var rendered: UInt64 = 0
    for time in times {
      if shown(time) { rendered += 1 }
      frames.arrive(at: start + .milliseconds(time), rendered: rendered)
    }
    return frames
  }

  @Test func theRateIsThatOfTheLastSecond() {
    let shown = frames(Array(stride(from: 0, to: 20_000, by: 40)))
    #expect(shown.rate(at: start + .milliseconds(19_999)) == 25)
    #expect(shown.rate(at: start + .milliseconds(20_480)) == 12)
    #expect(shown.rate(at: start + .seconds(30)) == 0)
    #expect(shown.count == 500)
  }

  @Test func whatTheSinkDropsIsNoFrame() {
    let shown = frames(Array(stride(from: 0, to: 20_000, by: 40))) { $0 % 80 == 0 }
    #expect(shown.rate(at: start + .milliseconds(19_999)) == 12)
    #expect(shown.longestGap(at: start + .milliseconds(19_980)) == .milliseconds(80))
  }

  @Test func theLongestGapIsThatOfTheLastTenSecondsAndMayGoOn() {
    let shown = frames(
      Array(stride(from: 0, to: 2000, by: 40)) + stride(from: 2500, to: 20_000, by: 40))
    for (time, gap) in [(3000, 540), (12_490, 540), (12_600, 40), (21_460, 1480)] {
      let until = frames(
        (Array(stride(from: 0, to: 2000, by: 40)) + stride(from: 2500, to: 20_000, by: 40))
          .filter { $0 <= time })
      #expect(until.longestGap(at: start + .milliseconds(time)) == .milliseconds(gap), "\(time)")
    }
    #expect(shown.longestGap(at: start + .seconds(60)) == .milliseconds(40_020))
    #expect(ShownFrames().longestGap(at: start) == .zero)
  }
}
