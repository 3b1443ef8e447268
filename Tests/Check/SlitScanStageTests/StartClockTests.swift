// Tests of what is done before the first frame of a show: beats count from that frame.

import GStreamer
import SlitScanCapture
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct StartClockTests {
  private let clock = ManualClock()

  /// A performance that waits for its first frame, on an in-memory stage.
  private func makePerformance() async throws -> (performance: Performance, stage: InMemoryStage) {
    let stage = try InMemoryStage()
    let performance = await Performance(on: stage, clock: clock)
    await performance.waitForFirstFrame()
    return (performance, stage)
  }

  @Test func whatIsAtTheBeginningOfAScriptIsSoWithTheFirstFrame() async throws {
    let (performance, stage) = try await makePerformance()
    var log = performance.performed.makeAsyncIterator()
    try await performance.play(
      try MoveScript("0 tempo 90 3\n0 drive angle saw 4 0 360\n0 quantize 4\n0 set map radial"))
    let stood = try #require(await performance.state.waiting["map"]?.moment)
    let first = clock.now + .seconds(1000)
    await performance.begin(at: first)
    let tempo = await performance.state.tempo
    #expect(abs(tempo.beat(at: first) - 3) < 1e-6)
    // The next bar is a beat later.
    let due = try #require(await performance.state.waiting["map"]?.moment)
    #expect(due > stood)
    #expect(abs((due - first) / .seconds(1) - 60 / 90) < 1e-6)
    // What swings does so by the other beats.
    #expect(await stage.log.filter { $0 == "angle~drive angle saw 4.0 0.0 360.0" }.count == 2)
    // The log has it as the script has it, and nothing else.
    for line in [
      "tempo 90.0 3.0", "drive angle saw 4.0 0.0 360.0", "quantize 4.0", "set map radial",
    ] { #expect(await log.next()?.move.line == line) }
    try await performance.perform(.undo)
    #expect(await log.next()?.move == .undo)
  }

  /// As in a rehearsal: the bar begins with the first frame.
  @Test func aChangeThatWaitsForTheBarIsDoneAtOnceBeforeTheFirstFrame() async throws {
    let (performance, _) = try await makePerformance()
    var changes = performance.changes.makeAsyncIterator()
    try await performance.play(try MoveScript("0 quantize 4\n0 set map radial"))
    let played = clock.now
    var moments: [ContinuousClock.Instant] = []
    while let change = await changes.next(), change != .waiting("map", nil) {
      if case .waiting("map", let change?) = change { moments.append(change.moment) }
    }
    #expect(moments.count == 1 && moments.allSatisfy { $0 <= played })
    while let change = await changes.next(), change != .property("map", .nick("radial")) {}
    #expect(await performance.state.values["map"] == .nick("radial"))
  }

  @Test func aGlideEndsAsLateAsTheFirstFrameComes() async throws {
    let (performance, _) = try await makePerformance()
    var changes = performance.changes.makeAsyncIterator()
    try await performance.play(try MoveScript("0 tempo 400\n0 drive gain ramp 0.01 4"))
    // Long over, if time went on.
    clock.advance(by: .seconds(10))
    #expect(await performance.state.drives["gain"] != nil)
    await performance.begin(at: clock.now)
    clock.advance(by: .seconds(10))
    while let change = await changes.next(), change != .driven("gain", nil) {}
    #expect(await performance.state.values["gain"] == .double(4))
  }

  /// A tempo that others have does not wait for frames.
  @Test(arguments: ["clock", "taps", "sound"])
  func beatsOfOthersGoOnAndTheLogSaysWhichIsAtTheFirstFrame(others: String) async throws {
    let (performance, _) = try await makePerformance()
    var log = performance.performed.makeAsyncIterator()
    try await performance.perform(.glide(2))
    let theirs = Tempo(97, from: clock.now - .seconds(12.3))
    switch others {
    case "clock": try await performance.setTempo(theirs)
    case "taps":
      try await performance.perform(.tap)
      clock.advance(by: .milliseconds(300))
      try await performance.perform(.tap)
    default:
      try await performance.perform(.followSound(.on))
      await performance.followSound(to: theirs)
      #expect(await log.next()?.move == .glide(2))
      #expect(await log.next()?.move == .followSound(.on))
    }
    let before = await performance.state.tempo
    if others != "taps" { #expect(before.beatsPerMinute == 97) }
    let first = clock.now + .seconds(3.21)
    await performance.begin(at: first)
    let tempo = await performance.state.tempo
    #expect(tempo == before)
    if others != "sound" { #expect(await log.next()?.move == .glide(2)) }
    let entry = try #require(await log.next())
    guard case .tempo(let beatsPerMinute, let beat?) = entry.move else {
      Issue.record("\(entry.line) is no tempo.")
      return
    }
    #expect(beatsPerMinute == tempo.beatsPerMinute)
    // The in-memory stage has a time of its own, and no move is before the one before it.
    let moment = first + .nanoseconds(Int64(entry.time.nanoseconds))
    #expect(abs(beat - tempo.beat(at: moment)) < 1e-6)
    // A swing is the same in the show and in what is rendered of its log.
    let drive = Drive.wave(.saw, beats: 8, from: 0, to: 360)
    var script = MoveScript()
    script.append(entry)
    script.append(.init(.seconds(4), .drive("angle", drive)))
    let rehearsal = try await Rehearsal(of: MoveScript(script.text))
    let shown = DriveMotion(drive: drive, value: 0, tempo: tempo, begin: first + .seconds(4))
      .motion(from: .seconds(4), at: first + .seconds(4))
    guard
      case .move("angle", .wave(_, let period, let start, _, _))? = rehearsal.timeline.entries
        .last?.change, case .wave(_, let shownPeriod, let shownStart, _, _)? = shown
    else {
      Issue.record("Nothing swings.")
      return
    }
    #expect(abs(period.seconds - shownPeriod.seconds) < 1e-6)
    #expect(abs(start.seconds - shownStart.seconds) < 1e-6)
  }
}
