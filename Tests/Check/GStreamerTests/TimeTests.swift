// Tests that the manual clock wakes what is due and nothing else, and that a deadline counts only time that passed.

import Testing

@testable import GStreamer

struct ManualClockTests {
  private let clock = ManualClock()

  @Test func whatIsDueWakesAndWhatIsNotSleepsOn() async throws {
    let first = Task { try await clock.sleep(for: .seconds(1)) }
    let second = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.sleepers(2)
    clock.advance(by: .milliseconds(999))
    #expect(clock.deadlines.count == 2)
    clock.advance(by: .milliseconds(1))
    try await first.value
    #expect(clock.deadlines.count == 1)
    await clock.crank()
    try await second.value
  }

  @Test func aSleepUntilNowOrEarlierIsOverAtOnce() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.deadlines.isEmpty)
  }

  @Test func timeNeverGoesBack() {
    let now = clock.now
    clock.advance(by: .seconds(-1))
    #expect(clock.now == now)
  }

  @Test func aCancelledSleepThrowsWhetherItHasBegunOrNot() async throws {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.deadlines.isEmpty)
    let late = Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func aWaitForSleepersEndsWithTheLastOfThemOrByCancellation() async throws {
    let moment = clock.now + .seconds(3)
    let waiting = Task { await clock.sleeper(until: moment) }
    let task = Task { try await clock.sleep(until: moment) }
    await waiting.value
    let vain = Task { await clock.sleepers(2) }
    vain.cancel()
    await vain.value
    clock.advance(to: moment)
    try await task.value
  }

  @Test func crankingStopsAtEachDeadlineOnTheWay() async throws {
    let begin = clock.now
    let ticks = Task {
      var ticks: [Duration] = []
      while ticks.count < 3 {
        try await clock.sleep(for: .seconds(1))
        ticks.append(clock.now - begin)
      }
      return ticks
    }
    await clock.crank(until: begin + .seconds(3))
    #expect(try await ticks.value == [.seconds(1), .seconds(2), .seconds(3)])
  }
}

struct DeadlineTests {
  private let clock = ManualClock()

  @Test func aLimitIsReachedWhenItsTimeHasPassed() async throws {
    let begin = clock.now
    let waiting = Task {
      try await Deadline(in: .seconds(10), on: clock).wait()
      return clock.now - begin
    }
    await clock.crank(until: begin + .seconds(10))
    #expect(try await waiting.value == .seconds(10))
  }

  @Test func aStandstillCountsAsOneLook() {
    var deadline = Deadline(in: .seconds(10), on: clock)
    let looks = [3600, 1, 1, 1, 1, 1, 1, 1, 1, 1].map { seconds in
      clock.advance(by: .seconds(seconds))
      return deadline.isOver()
    }
    #expect(looks == Array(repeating: false, count: 9) + [true])
  }

  @Test func whatComesBeginsItAnew() {
    var deadline = Deadline(in: .seconds(1), on: clock)
    let looks = (1...18).map { look in
      clock.advance(by: .milliseconds(100))
      if look == 9 { deadline.restart() }
      return deadline.isOver()
    }
    #expect(!looks.contains(true))
  }
}
