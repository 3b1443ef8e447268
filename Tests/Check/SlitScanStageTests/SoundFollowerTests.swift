// Tests of properties that follow the sound.

import Testing

@testable import SlitScanStage

@Suite struct SoundFollowerTests {
  @Test func itGoesUpAtOnceAndDownByAndBy() {
    var follower = SoundFollower(band: nil, from: 10, to: 30)
    #expect(follower.number(at: -80) == 10)
    #expect(follower.number(at: -60) == 10)
    #expect(follower.number(at: -33) == 20)
    #expect(follower.number(at: -6) == 30)
    #expect(follower.number(at: 0) == 30)
    #expect(abs(follower.number(at: -80) - 27) < 1e-9)
    #expect(abs(follower.number(at: -80) - 24.45) < 1e-9)
    // A sound that is less loud than that is not heard.
    #expect(abs(follower.number(at: -40) - (10 + 20 * 0.85 * 0.85 * 0.85)) < 1e-9)
    #expect(follower.number(at: -6) == 30)
  }

  @Test func itGoesDownWithTheSoundWhereItsValuesDo() {
    var follower = SoundFollower(band: 20...150, from: 1, to: -1)
    #expect(follower.number(at: -80) == 1)
    #expect(follower.number(at: -33) == 0)
    #expect(follower.number(at: -6) == -1)
  }
}
