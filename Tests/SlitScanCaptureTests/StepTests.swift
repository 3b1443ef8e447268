// Tests of keeping video and sound in step.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct StepTests {
  @Test func whoeverIsAheadWaitsUntilTheOtherHasComeNear() {
    var step = Step<String>(isKept: true)
    #expect(!step.mustWait(.pictures, at: .seconds(1)))
    #expect(step.mustWait(.pictures, at: .seconds(1.5)))
    step.wait("pictures")
    #expect(step.advance(.sound, to: .seconds(0.4)) == ["pictures"])
    #expect(step.mustWait(.pictures, at: .seconds(1.5)))
    step.wait("pictures")
    #expect(step.advance(.sound, to: .seconds(0.5)) == ["pictures"])
    #expect(!step.mustWait(.pictures, at: .seconds(1.5)))
    #expect(step.mustWait(.sound, at: .seconds(1.1)))
    #expect(step.advance(.pictures, to: .seconds(1.5)).isEmpty)
    #expect(!step.mustWait(.sound, at: .seconds(1.1)))
  }

  @Test func nobodyWaitsForWhatHasEnded() {
    var step = Step<String>(isKept: true)
    step.wait("pictures")
    #expect(step.end(.sound) == ["pictures"])
    #expect(!step.mustWait(.pictures, at: .seconds(1000)))
    #expect(!step.isAhead(.pictures))
  }

  @Test func thereIsAlwaysOneWhoNeedNotWait() {
    for (picture, sound) in [(0.0, 0.0), (5, 0), (0, 5), (3, 4), (4, 3)] {
      var step = Step<String>(isKept: true)
      _ = step.advance(.pictures, to: .seconds(picture))
      _ = step.advance(.sound, to: .seconds(sound))
      let next = ClockTime.milliseconds(20)
      #expect(
        !step.mustWait(.pictures, at: .seconds(picture) + next)
          || !step.mustWait(.sound, at: .seconds(sound) + next))
    }
  }

  @Test func whatComesAsTimeGoesByIsNotHeldUp() {
    let step = Step<String>(isKept: false)
    #expect(!step.mustWait(.pictures, at: .seconds(1000)))
    #expect(!step.isAhead(.pictures))
  }
}
