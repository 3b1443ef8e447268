// Tests of keeping video and sound in step.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct InterleaverTests {
  @Test func theStreamAheadWaitsForTheOther() {
    var interleaver = Interleaver(isKept: true)
    #expect(!interleaver.mustWait(.frames, at: .seconds(1)))
    #expect(interleaver.mustWait(.frames, at: .seconds(1.5)))
    interleaver.advance(.sound, to: .seconds(0.4))
    #expect(interleaver.mustWait(.frames, at: .seconds(1.5)))
    interleaver.advance(.sound, to: .seconds(0.5))
    #expect(!interleaver.mustWait(.frames, at: .seconds(1.5)))
    #expect(interleaver.mustWait(.sound, at: .seconds(1.1)))
    interleaver.advance(.frames, to: .seconds(1.5))
    #expect(!interleaver.mustWait(.sound, at: .seconds(1.1)))
  }

  @Test func anEndedStreamHoldsUpNone() {
    var interleaver = Interleaver(isKept: true)
    interleaver.end(.sound)
    #expect(!interleaver.mustWait(.frames, at: .seconds(1000)))
    #expect(!interleaver.isAhead(.frames))
  }

  @Test func oneStreamNeverWaits() {
    for (frame, sound) in [(0.0, 0.0), (5, 0), (0, 5), (3, 4), (4, 3)] {
      var interleaver = Interleaver(isKept: true)
      interleaver.advance(.frames, to: .seconds(frame))
      interleaver.advance(.sound, to: .seconds(sound))
      let next = ClockTime.milliseconds(20)
      #expect(
        !interleaver.mustWait(.frames, at: .seconds(frame) + next)
          || !interleaver.mustWait(.sound, at: .seconds(sound) + next))
    }
  }

  @Test func liveSamplesAreNotHeldUp() {
    let interleaver = Interleaver(isKept: false)
    #expect(!interleaver.mustWait(.frames, at: .seconds(1000)))
    #expect(!interleaver.isAhead(.frames))
  }
}
