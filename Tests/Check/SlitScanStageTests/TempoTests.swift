// Tests of tempo and tap tempo, without a clock.

import Testing

@testable import SlitScanStage

@Suite struct TempoTests {
  private let start = ContinuousClock.now

  @Test func beatsAreCountedFromTheFirst() {
    let tempo = Tempo(120, from: start)
    #expect(tempo.beat == .milliseconds(500))
    #expect(tempo.beat(at: start + .seconds(1.25)) == 2.5)
    #expect(tempo.next(multipleOf: 4, from: start + .seconds(1.25)) == start + .seconds(2))
    #expect(tempo.next(multipleOf: 0, from: start + .seconds(1.25)) == start + .seconds(1.25))
  }

  @Test(arguments: [20.0, 121, 400]) func anotherTempoHasTheSameBeatAtThatMoment(other: Double) {
    let moment = start + .seconds(3.3)
    let tempo = Tempo(95, from: start)
    let changed = tempo.changed(to: other, at: moment)
    #expect(abs(changed.beat(at: moment) - tempo.beat(at: moment)) < 1e-6)
    #expect(changed.beatsPerMinute == other)
  }

  @Test(arguments: [-5, 0, 1e9, .nan, .infinity]) func impossibleTemposAreBroughtIntoTheRange(
    beatsPerMinute: Double
  ) { #expect(Tempo.range.contains(Tempo(beatsPerMinute).beatsPerMinute)) }

  @Test(arguments: [1e300, -1e300, .infinity, .nan]) func hugeBeatNumbersStillHaveATime(
    beats: Double
  ) {
    let tempo = Tempo(20, from: start)
    #expect(abs(tempo.duration(ofBeats: beats).seconds) < 4e9)
    #expect(tempo.next(multipleOf: beats, from: start) >= start)
  }

  @Test(arguments: [30.0, 60, 128, 240]) func tapsMakeATempoWithABeatAtTheLast(tempo: Double) {
    var taps = TapTempo()
    let beat = Duration.seconds(60 / tempo)
    #expect(taps.tap(at: start) == nil)
    var found: Tempo?
    for number in 1..<12 { found = taps.tap(at: start + beat * number) }
    #expect(abs((found?.beatsPerMinute ?? 0) - tempo) < 0.01)
    #expect(found?.origin == start + beat * 11)
  }

  @Test func afterAPauseOrAtAnotherTempoTapsBeginAnew() {
    var taps = TapTempo()
    for number in 0..<4 { _ = taps.tap(at: start + .milliseconds(500) * number) }
    #expect(taps.tap(at: start + .seconds(60)) == nil)
    #expect(taps.tap(at: start + .seconds(60.5)) != nil)
    // Three times as fast.
    #expect(taps.tap(at: start + .seconds(60.66)) == nil)
    let found = taps.tap(at: start + .seconds(60.86))
    #expect(abs((found?.beatsPerMinute ?? 0) - 300) < 0.1)
  }
}
