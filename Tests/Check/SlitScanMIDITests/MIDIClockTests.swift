// Tests of the tempo of MIDI clock ticks, without a clock.

import SeededGenerator
import Testing

@testable import SlitScanMIDI
@testable import SlitScanStage

@Suite final class MIDIClockTests {
  private var model = Model()

  /// A machine that ticks, and a performance that follows.
  private struct Model {
    var clock = MIDIClock()
    var tempo: Tempo
    /// Where the machine is, in beats, and when.
    var beat = 0.0
    var now: ContinuousClock.Instant
    var changes: [Double] = []
    var random = SeededGenerator(seed: 1)

    init(_ tempo: Double = 120) {
      now = .now
      self.tempo = Tempo(tempo, from: now)
    }

    /// Sends ticks.
    ///
    /// - Parameters:
    ///   - jitter: How late they come at most, in seconds.
    ///   - isHeard: Which of them arrive.
    mutating func tick(
      _ count: Int, at beatsPerMinute: Double, jitter: Double = 0,
      where isHeard: (Int) -> Bool = { _ in true }
    ) {
      for number in 0..<count {
        let late = jitter > 0 ? Double.random(in: 0...jitter, using: &random) : 0
        if isHeard(number) { hear(now + .seconds(late)) }
        now += .seconds(60 / beatsPerMinute / 24)
        beat += 1.0 / 24
      }
    }

    /// A tick arrives.
    mutating func hear(_ moment: ContinuousClock.Instant) {
      clock.tick(at: moment)
      guard let new = clock.tempo(after: tempo) else { return }
      tempo = new
      changes.append(new.beatsPerMinute)
    }

    /// How far the performance's beat is from the machine's.
    var error: Double { abs(tempo.beat(at: now) - beat) }
  }

  @Test(arguments: [30.0, 60, 90, 121.3, 174, 240, 390]) func aSteadyClockIsTheTempoAndTheBeat(
    tempo: Double
  ) {
    model.clock.start()
    model.tick(24 * 8, at: tempo)
    #expect(abs(model.tempo.beatsPerMinute - tempo) < 0.01)
    #expect(model.error < 0.001)
    // Told once, and then right.
    #expect(model.changes.count == 1)
  }

  @Test(arguments: [60.0, 120, 180], [0.001, 0.003, 0.005]) func jitterIsNotHeard(
    tempo: Double, jitter: Double
  ) {
    var model = Model(100)
    model.clock.start()
    model.tick(24 * 8, at: tempo, jitter: jitter)
    let settled = model.changes.count
    model.tick(24 * 200, at: tempo, jitter: jitter)
    #expect(abs(model.tempo.beatsPerMinute / tempo - 1) < 0.005)
    // Late by the half of the jitter, and by what does not matter.
    #expect(model.error < 0.035 + jitter * tempo / 60)
    #expect(settled < 8)
    #expect(model.changes.count - settled < 16)
  }

  @Test func ticksThatAreLostLeaveTheBeat() {
    model.clock.start()
    model.tick(24 * 20, at: 128, jitter: 0.001) { $0 % 97 != 50 }
    // Five in a row.
    model.tick(24 * 20, at: 128, jitter: 0.001) { !(100..<105).contains($0) }
    #expect(abs(model.tempo.beatsPerMinute - 128) < 0.5)
    #expect(model.error < 0.05)
  }

  @Test func ticksThatAreHeldUpLeaveTheBeat() {
    var model = Model(128)
    model.clock.start()
    model.tick(24 * 4, at: 128)
    let held = model.now
    // 190 ms in which nothing comes; then everything does.
    model.tick(10, at: 128) { _ in false }
    for number in 0..<10 { model.hear(held + .milliseconds(190) + .microseconds(20 * number)) }
    // It is known at once again.
    model.hear(model.now)
    let known = model.clock.tempo(after: Tempo(60, from: held))
    #expect(abs((known?.beatsPerMinute ?? 0) - 128) < 0.5)
    model.now += .seconds(60.0 / 128 / 24)
    model.beat += 1.0 / 24
    model.tick(24 * 4, at: 128)
    #expect(model.error < 0.03)
    #expect(model.changes.allSatisfy { abs($0 - 128) < 0.7 })
  }

  @Test(arguments: [(120.0, 140.0), (120, 60), (60, 120), (100, 102), (174, 87)])
  func anotherTempoIsFollowedAndTheBeatKept(before: Double, after: Double) {
    model.clock.start()
    model.tick(24 * 8, at: before, jitter: 0.001)
    model.tick(24 * 4, at: after, jitter: 0.001)
    #expect(abs(model.tempo.beatsPerMinute / after - 1) < 0.006)
    #expect(model.error < 0.04)
    // No tempo was told that lies outside of both.
    let range = min(before, after) * 0.97...max(before, after) * 1.03
    #expect(model.changes.allSatisfy { range.contains($0) })
  }

  @Test func aTempoThatGlidesIsFollowed() {
    model.clock.start()
    for step in 0..<(24 * 32) { model.tick(1, at: 100 + Double(step) * 40 / 768, jitter: 0.001) }
    #expect(abs(model.tempo.beatsPerMinute - 140) < 3)
    #expect(model.error < 0.06)
  }

  @Test func aClockThatVanishesLeavesTheTempoAndComesBack() {
    model.clock.start()
    model.tick(24 * 4, at: 150)
    let kept = model.tempo
    model.now += .seconds(100)
    let later = model.now
    #expect(model.clock.tempo(after: model.tempo) == nil)
    // It is back at another tempo, without a song position: the beat goes on.
    model.tick(24 * 4, at: 90)
    #expect(abs(model.tempo.beatsPerMinute - 90) < 0.1)
    #expect(model.changes.count == 2)
    let settled = later + .seconds(60.0 / 90 / 2)
    #expect(abs(model.tempo.beat(at: settled) - kept.beat(at: settled)) < 0.06)
  }

  @Test func aClockAloneKeepsTheBeatThatThereIs() {
    var model = Model(120)
    let start = model.now
    model.tempo = Tempo(120, from: start - .milliseconds(100))
    model.tick(24 * 16, at: 120)
    #expect(model.changes.isEmpty)
    #expect(model.tempo.origin == start - .milliseconds(100))
  }

  @Test func theSongBeginsStopsAndGoesOn() {
    model.tick(24 * 4 + 7, at: 120)
    model.clock.start()
    model.beat = 0
    model.tick(24 * 4 + 12, at: 120)
    #expect(model.error < 0.01)
    // It stands still at 4½, while ticks go on.
    model.clock.stop()
    model.tick(24 * 3, at: 120)
    model.clock.resume()
    model.beat = 4.5
    model.tick(24, at: 120)
    #expect(model.error < 0.01)
    // It is put to the 33rd sixteenth.
    model.clock.stop()
    model.clock.locate(sixteenths: 33)
    model.clock.resume()
    model.beat = 8.25
    model.tick(24, at: 120)
    #expect(model.error < 0.01)
  }

  @Test func ticksThatAreNoClockAreNotFollowed() {
    let start = model.now
    // All at once, far too fast, far too slow, backwards, and at random.
    for _ in 0..<1000 { model.hear(start) }
    for number in 0..<1000 { model.hear(start + .microseconds(number * 100)) }
    for number in 0..<100 { model.hear(start + .milliseconds(200 + number * 400)) }
    for number in 0..<1000 { model.hear(start + .seconds(50) - .milliseconds(number * 20)) }
    #expect(model.changes.isEmpty)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      model.now += .seconds(Double.random(in: 0...0.06, using: &random))
      model.hear(model.now)
    }
    #expect(model.changes.allSatisfy { Tempo.range.contains($0) })
  }
}
