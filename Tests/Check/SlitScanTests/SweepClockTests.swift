// Tests of the position of a sweep's slit over time.

import Testing

@testable import SlitScan

@Suite struct SweepClockTests {
  private var clock = SweepClock()

  private mutating func position(
    at time: UInt64, loop: ScanSettings.SweepLoop = .once, stands: Bool = false,
    duration: UInt64 = 1000
  ) -> SweepClock.Reading {
    clock.advance(to: time, duration: duration, loop: loop, stands: stands)
  }

  @Test mutating func startsWithTheFirstFrameWhateverItsTime() {
    #expect(position(at: 777) == .init(position: 0, startsRound: true, completes: false))
    #expect(position(at: 1027).position == 0.25)
  }

  @Test mutating func onceStaysAtTheEndAndCompletesOnce() {
    _ = position(at: 0)
    #expect(position(at: 999).position == 0.999)
    #expect(position(at: 1000) == .init(position: 1, startsRound: false, completes: true))
    #expect(position(at: 9000) == .init(position: 1, startsRound: false, completes: false))
  }

  @Test mutating func loopStartsEveryRoundWithNothingFrozen() {
    _ = position(at: 0, loop: .loop)
    #expect(
      position(at: 1250, loop: .loop) == .init(position: 0.25, startsRound: true, completes: true))
    #expect(
      position(at: 1500, loop: .loop) == .init(position: 0.5, startsRound: false, completes: false))
    #expect(position(at: 9750, loop: .loop).startsRound)
  }

  @Test mutating func pingPongGoesBack() {
    _ = position(at: 0, loop: .pingPong)
    #expect(
      position(at: 1250, loop: .pingPong)
        == .init(position: 0.75, startsRound: false, completes: true))
    #expect(
      position(at: 2250, loop: .pingPong)
        == .init(position: 0.25, startsRound: false, completes: false))
  }

  @Test mutating func standsStillWhileFrozen() {
    _ = position(at: 0)
    _ = position(at: 250)
    #expect(position(at: 700, stands: true).position == 0.25)
    #expect(position(at: 5000, stands: true).position == 0.25)
    #expect(position(at: 5250).position == 0.5)
  }

  @Test mutating func goesOnFromWhereItIsWhenTheDurationChanges() {
    _ = position(at: 0)
    #expect(position(at: 500).position == 0.5)
    #expect(position(at: 600, duration: 2000).position == 0.55)
    #expect(position(at: 700, duration: 1).position == 1)
  }

  @Test mutating func holdsWhereItIsWhenTimeGoesBack() {
    _ = position(at: 5000)
    #expect(position(at: 5500).position == 0.5)
    #expect(position(at: 100).position == 0.5)
    #expect(position(at: 5600).position == 0.6)
  }

  @Test mutating func survivesAnyNumbers() {
    for time in [0, 1, .max, .max - 1, 5, .max / 2] as [UInt64] {
      for duration in [0, 1, .max] as [UInt64] {
        for loop in [.once, .loop, .pingPong] as [ScanSettings.SweepLoop] {
          let reading = position(at: time, loop: loop, duration: duration)
          #expect((0...1).contains(reading.position))
        }
      }
    }
  }
}
