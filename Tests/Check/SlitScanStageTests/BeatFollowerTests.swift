// Tests of the tempo that follows sound, from beats to the performance.

import GStreamer
import SeededGenerator
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite struct BeatFollowerTests {
  private let start = ContinuousClock.now

  /// Has a follower hear beats, and gives the tempo after each.
  ///
  /// - Parameters:
  ///   - tempo: The music's.
  ///   - jitter: How far a beat may be off, in seconds.
  ///   - heard: The detector's tempo of a beat.
  private func follow(
    _ tempo: Double, from present: Tempo, beats: Int, jitter: Double = 0, seed: UInt64 = 1,
    heard: (Int) -> Double
  ) -> [Tempo] {
    var generator = SeededGenerator(seed: seed)
    var follower = BeatFollower()
    var present = present
    return (1...beats).map { index in
      let moment =
        start
        + .seconds(Double(index) * 60 / tempo + .random(in: -jitter...jitter, using: &generator))
      if let new = follower.hear(beatsPerMinute: heard(index), at: moment, after: present) {
        present = new
      }
      return present
    }
  }

  @Test(arguments: [(128.0, 120.0), (100, 120), (174, 150), (90, 120), (121, 120)])
  func musicIsFollowedWithItsBeat(tempo: Double, before: Double) throws {
    var generator = SeededGenerator(for: "music")
    let tempos = follow(
      tempo, from: Tempo(before, from: start - .seconds(0.2)), beats: 64, jitter: 0.008,
      seed: generator.next()
    ) { _ in tempo * .random(in: 0.99...1.01, using: &generator) }
    let last = try #require(tempos.last)
    #expect(abs(last.beatsPerMinute / tempo - 1) < 0.01)
    let beat = last.beat(at: start + .seconds(64 * 60 / tempo))
    #expect(abs(beat - beat.rounded()) < 0.08, "The beat is off by \(beat - beat.rounded()).")
    // The tempo does not jump, but for the first change.
    for (one, next) in zip(tempos, tempos.dropFirst())
    where abs(one.beatsPerMinute / before - 1) > BeatFollower.spread {
      #expect(abs(next.beatsPerMinute / one.beatsPerMinute - 1) < 0.01)
    }
  }

  @Test func aDetectorThatMissesBeatsAndIsNotExactIsEnough() throws {
    var follower = BeatFollower()
    var present = Tempo(120, from: start)
    for index in 1...120 where index % 7 != 3 && index % 5 != 1 {
      let moment = start + .seconds(Double(index) * 60 / 128)
      present = follower.hear(beatsPerMinute: 129.8, at: moment, after: present) ?? present
    }
    #expect(abs(present.beatsPerMinute - 128) < 0.1)
  }

  @Test func halfAndDoubleOfTheTempoAreTheTempo() {
    let tempos = follow(128, from: Tempo(126, from: start), beats: 100) { index in
      [128, 64, 256, 128, 32][index / 3 % 5]
    }
    #expect(tempos.allSatisfy { (125...129).contains($0.beatsPerMinute) })
    #expect(abs((tempos.last?.beatsPerMinute ?? 0) - 128) < 0.5)
    // A tempo that was set to about half of it is kept.
    let half = follow(128, from: Tempo(66, from: start), beats: 100) { _ in 128 }
    #expect(abs((half.last?.beatsPerMinute ?? 0) - 64) < 0.5)
  }

  @Test func whatIsNoSteadyTempoChangesNothing() {
    var generator = SeededGenerator(seed: 3)
    let present = Tempo(120, from: start)
    let tempos = follow(120, from: present, beats: 200) { index in
      index.isMultiple(of: 4) ? .random(in: 90...110, using: &generator) : 133
    }
    #expect(tempos.allSatisfy { $0 == present })
    var follower = BeatFollower()
    for nonsense in [Double.nan, .infinity, -120, 0, 1e300, .leastNonzeroMagnitude] {
      for _ in 0..<20 {
        let tempo = follower.hear(beatsPerMinute: nonsense, at: start, after: present)
        #expect(tempo == nil)
      }
    }
  }

  @Test func anotherTempoNeedsItsBeatsInARowAlsoAfterABreak() {
    let present = Tempo(120, from: start)
    var follower = BeatFollower()
    var moment = start
    for _ in 0..<10 {
      for _ in 1..<BeatFollower.certainty {
        moment += .seconds(60.0 / 140)
        let tempo = follower.hear(beatsPerMinute: 140, at: moment, after: present)
        #expect(tempo == nil)
      }
      moment += .seconds(10)
    }
  }

  @Test func soundSetsTheTempoUntilItIsSetOtherwise() async throws {
    let clock = ManualClock()
    let performance = await Performance(on: try InMemoryStage(clock: clock), clock: clock)
    var log = performance.performed.makeAsyncIterator()
    let heard = Tempo(140, from: clock.now)
    await performance.followSound(to: heard)
    #expect(await performance.state.tempo != heard)
    for line in ["tempo 100", "tempo 100 3", "tap"] {
      try await performance.perform(.followSound(.on))
      await performance.followSound(to: heard)
      #expect(await performance.state.tempo == heard)
      try await performance.perform(Move(line))
      clock.advance(by: .milliseconds(500))
      if line == "tap" { try await performance.perform(.tap) }
      #expect(await !performance.state.followsSound)
      let mine = await performance.state.tempo
      await performance.followSound(to: heard)
      #expect(await performance.state.tempo == mine)
    }
    // What was heard can be played again.
    #expect(await log.next()?.move == .followSound(.on))
    guard case .tempo(140, _)? = await log.next()?.move else {
      Issue.record("The tempo is not in the log.")
      return
    }
  }

  @Test func aStageWithoutSoundSaysSo() async throws {
    let stage = try TimelineStage([:], ManualClock(), LoudnessCurve())
    #expect(stage.hasSound)
    let silent = try CaptureStage(LiveSource("pattern:ball"))
    let performance = await Performance(on: silent)
    let error = await #expect(throws: StageError.self) {
      try await performance.perform(.followSound(.on))
    }
    #expect(error?.message.contains("--sound") == true)
    try await performance.perform(.followSound(.off))
  }
}
