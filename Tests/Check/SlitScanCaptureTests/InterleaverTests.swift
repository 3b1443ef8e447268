// Tests of keeping video and sound in step.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct InterleaverTests {
  @Test func theStreamAheadWaitsForTheOther() {
    var interleaver = Interleaver<String>(isKept: true)
    #expect(!interleaver.mustWait(.frames, at: .seconds(1)))
    #expect(interleaver.mustWait(.frames, at: .seconds(1.5)))
    interleaver.wait("frames")
    #expect(interleaver.advance(.sound, to: .seconds(0.4)) == ["frames"])
    #expect(interleaver.mustWait(.frames, at: .seconds(1.5)))
    interleaver.wait("frames")
    #expect(interleaver.advance(.sound, to: .seconds(0.5)) == ["frames"])
    #expect(!interleaver.mustWait(.frames, at: .seconds(1.5)))
    #expect(interleaver.mustWait(.sound, at: .seconds(1.1)))
    #expect(interleaver.advance(.frames, to: .seconds(1.5)).isEmpty)
    #expect(!interleaver.mustWait(.sound, at: .seconds(1.1)))
  }

  @Test func anEndedStreamHoldsUpNone() {
    var interleaver = Interleaver<String>(isKept: true)
    interleaver.wait("frames")
    #expect(interleaver.end(.sound) == ["frames"])
    #expect(!interleaver.mustWait(.frames, at: .seconds(1000)))
    #expect(!interleaver.isAhead(.frames))
  }

  @Test func oneStreamNeverWaits() {
    for (frame, sound) in [(0.0, 0.0), (5, 0), (0, 5), (3, 4), (4, 3)] {
      var interleaver = Interleaver<String>(isKept: true)
      _ = interleaver.advance(.frames, to: .seconds(frame))
      _ = interleaver.advance(.sound, to: .seconds(sound))
      let next = ClockTime.milliseconds(20)
      #expect(
        !interleaver.mustWait(.frames, at: .seconds(frame) + next)
          || !interleaver.mustWait(.sound, at: .seconds(sound) + next))
    }
  }

  @Test func liveSamplesAreNotHeldUp() {
    let interleaver = Interleaver<String>(isKept: false)
    #expect(!interleaver.mustWait(.frames, at: .seconds(1000)))
    #expect(!interleaver.isAhead(.frames))
  }
}
