// Tests of move scripts converted to scan timelines.

import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite struct RehearsalTests {
  private func rehearsal(
    _ text: String, scan: Scan = [:], loudness: LoudnessCurve = LoudnessCurve()
  ) async throws -> Rehearsal {
    try await Rehearsal(of: MoveScript(text), scan: scan, loudness: loudness)
  }

  private func entry(_ milliseconds: UInt64?, _ change: ScanTimeline.Change) -> ScanTimeline.Entry {
    .init(time: milliseconds.map { .milliseconds($0) }, change: change)
  }

  @Test func movesHappenAtTheirTimes() async throws {
    let rehearsal = try await rehearsal(
      """
      0 set depth 60
      1.5 set map radial
      2 blackout on
      2.25 blackout off
      3 toggle freeze
      4 undo
      """, scan: ["depth": 30])
    #expect(rehearsal.warnings.isEmpty)
    #expect(rehearsal.scan.properties["history"] == "whole")
    #expect(
      rehearsal.timeline.entries == [
        entry(nil, .set(["depth": .uint(60)])), entry(1500, .set(["map": .nick("radial")])),
        entry(2000, .black(true)), entry(2250, .black(false)),
        entry(3000, .set(["freeze": .bool(true)])), entry(4000, .set(["freeze": .bool(false)])),
      ])
  }

  @Test func changesOfTheSourceAreLeftOutAndToldOfOnce() async throws {
    let rehearsal = try await rehearsal(
      """
      0 source 2
      0.5 set depth 60
      1 next-source 1
      2 map-source 2
      3 next-clip
      4 previous-clip
      """)
    #expect(rehearsal.timeline.entries == [entry(500, .set(["depth": .uint(60)]))])
    #expect(
      rehearsal.warnings == [
        "The show has several sources. Rendering has one: 5 moves of source, next-source, map-source, "
          + "next-clip or previous-clip left out."
      ])
  }

  /// 120 beats a minute, the first with the first frame.
  @Test func beatsAreCountedFromTheFirstFrame() async throws {
    let rehearsal = try await rehearsal(
      """
      0.3 quantize 4
      0.7 set map radial
      2.2 quantize 0
      2.3 drive angle saw 2 0 360
      3 drive gain ramp 2 4
      3.5 release gain
      """, scan: ["gain": 1])
    #expect(rehearsal.warnings.isEmpty)
    let entries = rehearsal.timeline.entries
    #expect(entries.first == entry(2000, .set(["map": .nick("radial")])))
    // A swing of a second in time with the beats.
    #expect(
      entries.dropFirst().first
        == entry(
          2300,
          .move("angle", .wave(.saw, period: .seconds(1), start: .seconds(3), from: 0, to: 360))))
    #expect(
      entries.dropFirst(2).first
        == entry(3000, .move("gain", .path([.init(.seconds(3), 1), .init(.seconds(4), 4)]))))
    #expect(entries.dropFirst(3).first == entry(3500, .move("gain", nil)))
    #expect(entries.count == 4)
  }

  @Test func aGlideArrives() async throws {
    let rehearsal = try await rehearsal("1 drive gain ramp 4 3\n", scan: ["gain": 1])
    let last = rehearsal.timeline.entries.suffix(2)
    #expect(last.first == entry(3000, .move("gain", nil)))
    #expect(last.last == entry(3000, .set(["gain": .double(3)])))
  }

  /// A nanosecond too early is a frame too early.
  @Test func timesAreKeptToTheNanosecond() async throws {
    var script = MoveScript()
    let times = (1...600).map { ClockTime(nanoseconds: UInt64($0) * 1_000_000_000 / 30) }
    for (number, time) in times.enumerated() {
      script.append(.init(time, .set("depth", .uint(UInt64(2 + number % 2)))))
    }
    let rehearsal = try await Rehearsal(of: MoveScript(script.text))
    #expect(rehearsal.timeline.entries.compactMap(\.time) == times)
  }

  @Test func impossibleMovesAreReportedAndTheRestIsDone() async throws {
    let rehearsal = try await rehearsal(
      "1 snapshot a.png\n2 record on\n3 set depth deep\n4 drive gain level 0 1\n5 set depth 9\n")
    #expect(rehearsal.warnings.count == 4)
    #expect(rehearsal.warnings.first?.hasPrefix("1.000 snapshot a.png") == true)
    #expect(rehearsal.warnings.last?.hasSuffix("There is no sound for gain to follow.") == true)
    #expect(rehearsal.timeline.entries == [entry(5000, .set(["depth": .uint(9)]))])
    await #expect(throws: StageError.self) {
      _ = try await Rehearsal(of: MoveScript("0 tap"), scan: ["depth": -1])
    }
  }

  /// The loudness of the lowest of two bands, ten times a second.
  private func loudness(_ levels: Double...) -> LoudnessCurve {
    var curve = LoudnessCurve(in: [nil, 20...80])
    for (number, level) in levels.enumerated() {
      curve.append(
        SoundLevel(bandWidth: 100, bands: [level, -6]), at: .milliseconds(UInt64(number + 1) * 100))
    }
    return curve
  }

  /// The values that a property is set to, with the times in milliseconds.
  private func values(
    of name: String, in rehearsal: Rehearsal
  ) -> [(time: UInt64?, number: Double)] {
    rehearsal.timeline.entries.compactMap { entry in
      guard case .set(let values) = entry.change, case .double(let number)? = values[name]
      else { return nil }
      // Loudness is a logarithm.
      return (entry.time.map { $0.nanoseconds / 1_000_000 }, (number * 1e6).rounded() / 1e6)
    }
  }

  @Test func propertiesFollowTheSound() async throws {
    let rehearsal = try await rehearsal(
      "0.15 drive mix band 20 80 0 1\n0.15 drive gain level 2 4\n0.45 release mix\n",
      loudness: loudness(-6, -33, -6, -80, -80))
    #expect(rehearsal.warnings.isEmpty)
    let mix = values(of: "mix", in: rehearsal)
    #expect(mix.map(\.time) == [200, 300, 400])
    #expect(mix.map(\.number) == [0.5, 1, 0.85])
    // The other band is loud all the time.
    let gain = values(of: "gain", in: rehearsal)
    #expect(gain.map(\.time) == [200])
    #expect(gain.map(\.number) == [4])
    #expect(rehearsal.timeline.entries.last == entry(450, .move("mix", nil)))
  }

  /// A performance by a clock, with a preset that a show has saved.
  private func performance(
    loudness: LoudnessCurve?
  ) async throws -> (performance: Performance, stage: TimelineStage, clock: ManualClock) {
    let clock = ManualClock()
    let stage = try TimelineStage([:], clock, loudness)
    let content = PresetContent(
      values: ["mix": .double(0.5)], drives: ["mix": .sound(20...80, from: 0, to: 1)])
    await stage.save(content, as: "Night Shift")
    let performance = await Performance(
      on: stage, tempo: Tempo(120, from: clock.now), clock: clock, isRehearsal: true)
    return (performance, stage, clock)
  }

  @Test(arguments: [0.0, 3]) func aDriveOfAPresetThatFailsIsSaidWithItsTime(
    quantize: Double
  ) async throws {
    let (performance, stage, clock) = try await performance(loudness: LoudnessCurve())
    try await performance.perform(.quantize(quantize))
    let begin = clock.now
    await performance.rehearse(until: begin + .milliseconds(100), by: clock)
    try await performance.perform(.preset("Night Shift", beats: nil))
    await performance.rehearse(until: nil, by: clock)
    let warnings = await performance.takeWarnings()
    #expect(warnings.count == 1)
    #expect(warnings.first?.subject == "preset \"Night Shift\"")
    #expect(warnings.first?.message == "There is no sound for mix to follow.")
    let delay = quantize > 0 ? Duration.milliseconds(1500) : .milliseconds(100)
    #expect(warnings.first?.moment == begin + delay)
    #expect(await stage.timeline.entries.last?.change == .set(["mix": .double(0.5)]))
    #expect(await performance.takeWarnings().isEmpty)
  }

  @Test func theBandOfAPresetIsKnownBeforeTheSoundIs() async throws {
    let (performance, stage, _) = try await performance(loudness: nil)
    try await performance.perform(.preset("Night Shift", beats: nil))
    #expect(await stage.soundBands == [20...80])
    #expect(await performance.takeWarnings().isEmpty)
  }

  @Test func propertiesFollowTheSoundToItsEnd() async throws {
    let rehearsal = try await rehearsal(
      "0 drive mix band 20 80 0 1\n", loudness: loudness(-80, -80, -80, -6, -6, -80))
    let mix = values(of: "mix", in: rehearsal)
    #expect(mix.map(\.time) == [100, 400, 600])
    #expect(mix.map(\.number) == [0, 1, 0.85])
  }

  /// A step begins where the sound has brought the property.
  @Test func aStepBeginsAtTheValueThatTheSoundHasSet() async throws {
    let rehearsal = try await rehearsal(
      "0 drive mix band 20 80 0 1\n0.25 release mix\n0.3 step mix 10\n",
      loudness: loudness(-33, -33, -6, -6))
    #expect(rehearsal.warnings.isEmpty)
    let mix = values(of: "mix", in: rehearsal)
    #expect(mix.map(\.time) == [100, 300])
    #expect(mix.map(\.number) == [0.5, 0.6])
  }

  @Test func theBandsThatAShowFollowsAreKnownBeforeItsSoundIs() async throws {
    let script = try MoveScript(
      "1 drive mix level 0 1\n2 drive gain band 20 150 0 1\n3 drive offset level 0 1\n4 tap\n")
    #expect(try await Rehearsal.soundBands(of: script) == [nil, 20...150])
    let silent = try MoveScript("1 drive mix sine 4 0 1\n")
    #expect(try await Rehearsal.soundBands(of: silent).isEmpty)
  }

  @Test func aScriptRehearsedTwiceIsTheSame() async throws {
    let text = "0 preset Vortex 4\n1 drive angle sine 3 10 90\n1.3 tempo 97\n2.9 undo\n3 redo\n"
    let first = try await rehearsal(text)
    // Dictionaries have another order each time.
    for _ in 0..<10 {
      let again = try await rehearsal(text)
      #expect(first.timeline == again.timeline)
      #expect(again.warnings.isEmpty)
    }
  }
}
