// Shows as what happens to the pictures of a film.

import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite struct RehearsalTests {
  private func rehearsal(_ text: String, scan: Scan = [:]) async throws -> Rehearsal {
    try await Rehearsal(of: MoveScript(text), scan: scan)
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
    #expect(rehearsal.troubles.isEmpty)
    #expect(rehearsal.scan.properties["history"] == "whole")
    #expect(
      rehearsal.timeline.entries == [
        entry(nil, .set(["depth": .uint(60)])), entry(1500, .set(["map": .nick("radial")])),
        entry(2000, .black(true)), entry(2250, .black(false)),
        entry(3000, .set(["freeze": .bool(true)])), entry(4000, .set(["freeze": .bool(false)])),
      ])
  }

  /// 120 beats a minute, the first with the first picture.
  @Test func beatsAreCountedFromTheFirstPicture() async throws {
    let rehearsal = try await rehearsal(
      """
      0.3 quantize 4
      0.7 set map radial
      2.2 quantize 0
      2.3 drive angle saw 2 0 360
      3 drive gain ramp 2 4
      3.5 release gain
      """, scan: ["gain": 1])
    #expect(rehearsal.troubles.isEmpty)
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
        == entry(
          3000,
          .move("gain", .path([.init(.seconds(3), 1), .init(.seconds(4), 4)]))))
    #expect(entries.dropFirst(3).first == entry(3500, .move("gain", nil)))
    #expect(entries.count == 4)
  }

  @Test func aGlideArrives() async throws {
    let rehearsal = try await rehearsal("1 drive gain ramp 4 3\n", scan: ["gain": 1])
    let last = rehearsal.timeline.entries.suffix(2)
    #expect(last.first == entry(3000, .move("gain", nil)))
    #expect(last.last == entry(3000, .set(["gain": .double(3)])))
  }

  /// A nanosecond too early is a picture too early.
  @Test func timesAreKeptToTheNanosecond() async throws {
    var script = MoveScript()
    let times = (1...600).map { ClockTime(nanoseconds: UInt64($0) * 1_000_000_000 / 30) }
    for (number, time) in times.enumerated() {
      script.append(.init(time, .set("depth", .uint(UInt64(2 + number % 2)))))
    }
    let rehearsal = try await Rehearsal(of: MoveScript(script.text))
    #expect(rehearsal.timeline.entries.compactMap(\.time) == times)
  }

  @Test func whatCannotBeDoneIsSaidAndTheRestIsDone() async throws {
    let rehearsal = try await rehearsal(
      "1 snapshot a.png\n2 record on\n3 set depth -5\n4 drive gain level 0 1\n5 set depth 9\n")
    #expect(rehearsal.troubles.count == 4)
    #expect(rehearsal.troubles.first?.hasPrefix("1.000 snapshot a.png") == true)
    #expect(rehearsal.timeline.entries == [entry(5000, .set(["depth": .uint(9)]))])
    await #expect(throws: StageError.self) {
      _ = try await Rehearsal(of: MoveScript("0 tap"), scan: ["depth": -1])
    }
  }

  @Test func aScriptRehearsedTwiceIsTheSame() async throws {
    let text = "0 preset Vortex 4\n1 drive angle sine 3 10 90\n1.3 tempo 97\n2.9 undo\n3 redo\n"
    let first = try await rehearsal(text)
    // Dictionaries have another order each time.
    for _ in 0..<10 {
      let again = try await rehearsal(text)
      #expect(first.timeline == again.timeline)
      #expect(again.troubles.isEmpty)
    }
  }
}
