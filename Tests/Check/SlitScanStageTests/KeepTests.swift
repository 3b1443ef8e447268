// Tests of the move `keep`: the film of the input, and the script of its moves.

import Foundation
import GStreamer
import SlitScanCapture
import SlitScanRender
import StageUnderTest
import TemporaryFolder
import TestClock
import TestFilm
import Testing

@testable import SlitScanStage

@Suite struct KeepTests {
  private let folder = TemporaryFolder()

  @Test func theFilmWithItsMovesGivesThePicturesThatWereSeen() async throws {
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("ball"), scan: ["depth": 12], reserve: .time(.seconds(2)), on: streamClock)
    // Each turn of the clock is a frame.
    async let first: Void = streamClock.crank()
    try await stage.start()
    await first
    let performance = await Performance(on: stage, clock: ManualClock())
    var frames = await stage.capture.frames(delivery: .latest(1000)).makeAsyncIterator()
    let moves = [
      10: "set map radial", 30: "set depth 20", 45: "drive gain sine 1 1 2", 50: "release gain",
      70: "set map linear", 90: "set angle 90 invert true", 100: "undo", 105: "set freeze false",
      110: "set gain 2",
    ]
    var performed = performance.performed.makeAsyncIterator()
    var seen: [UInt64: [UInt8]] = [:]
    for number in 0..<125 {
      await streamClock.crank()
      let frame = try #require(try await frames.next())
      seen[Self.number(frame.buffer?.presentationTime)] = try frame.luma()
      guard let line = moves[number] else { continue }
      await settle(stage, on: streamClock)
      try await performance.perform(Move(line))
    }
    await settle(stage, on: streamClock)
    let path = folder.path + "/film.mkv"
    try await performance.perform(.keep(path))
    let end = Self.number(await stage.time)
    while seen.keys.max() ?? 0 < end {
      await streamClock.crank()
      let frame = try #require(try await frames.next())
      seen[Self.number(frame.buffer?.presentationTime)] = try frame.luma()
    }
    await stage.stop()

    let script = try MoveScript(file: folder.path + "/film.txt")
    let rehearsal = try await Rehearsal(of: script)
    #expect(rehearsal.warnings.isEmpty, "\(rehearsal.warnings)")
    var request = RenderRequest(
      [path], to: folder.path + "/again.mkv", scan: rehearsal.scan,
      settings: FilmSettings(isLossless: true))
    request.scan.properties["reserve"] = 60
    request.timeline = rehearsal.timeline
    _ = try await FilmRendering(request).run { _ in }
    let film = try await Decoded(folder.path + "/again.mkv")
    #expect(film.frames.count == 60)
    // The last move was done at the end of a frame; its frame comes next.
    let last = try #require(script.entries.last)
    var entry = await performed.next()
    while let move = entry?.move, move != last.move { entry = await performed.next() }
    let begin = Self.number(entry?.time) - Self.number(last.time + .milliseconds(17))
    // History is empty at the beginning.
    for (index, frame) in film.frames.enumerated().dropFirst(20) {
      let isSame = Array(frame.prefix(64 * 48)) == seen[begin + UInt64(index)]
      #expect(isSame, "frame \(index) from \(begin) on")
    }
  }

  /// Returns when the next frame waits for the clock, and the capture has the last one.
  private func settle(_ stage: CaptureStage, on streamClock: TestClock) async {
    await streamClock.waits(1)
    while await stage.time <= stage.capture.streamTime { await Task.yield() }
  }

  /// The number of the frame that begins at a time.
  private static func number(_ time: ClockTime?) -> UInt64 {
    UInt64(((time?.seconds ?? 0) * 30).rounded())
  }

  @Test func theScriptBeginsInTheMiddleOfWhatMoves() async throws {
    let show = try await LoggedShow()
    let path = show.folder.path + "/film.mkv"
    try await show.performance.performAll(.set("depth", .int(9)), .set("gain", .int(1)))
    show.clock.advance(by: .seconds(2))
    try await show.performance.perform(.drive("gain", .ramp(beats: 20, to: 3)))
    try await show.performance.performAll(.set("depth", .int(60)), .snapshot(nil))
    show.clock.advance(by: .seconds(9))
    try await show.performance.performAll(.quantize(4), .set("map", .string("radial")))
    show.clock.advance(by: .milliseconds(500))
    try await show.performance.performAll(.blackout(.on), .undo)
    show.clock.advance(by: .milliseconds(500))
    try await show.performance.perform(.keep(path))

    // From two seconds on.
    let script = try await script(of: show)
    let rehearsal = try await Rehearsal(of: script)
    #expect(rehearsal.warnings.isEmpty, "\(rehearsal.warnings)")
    let entries = rehearsal.timeline.entries
    let begin = entries.filter { $0.time == nil }
    #expect(begin.contains { change($0)["depth"] == .uint(60) })
    #expect(begin.compactMap { change($0)["gain"] }.last == .double(1))
    let motion = try #require(
      begin.compactMap { entry in
        if case .move("gain", let motion) = entry.change { motion } else { nil }
      }.last)
    #expect(motion == .path([Motion.Point(.zero, 1), Motion.Point(.seconds(10), 3)]))
    #expect(entries.contains { $0.time == .milliseconds(9500) && $0.change == .black(true) })
    // Undo comes back to the values that it came back to then, whatever was before.
    let undone = entries.filter { $0.time == .milliseconds(9500) }.compactMap {
      change($0)["depth"]
    }
    #expect(undone.last == .uint(9), "\(undone)")
  }

  /// The moves beside a film.
  private func script(of show: LoggedShow) async throws -> MoveScript {
    try MoveScript(#require(await show.stage.texts[show.folder.path + "/film.txt"]))
  }

  private func change(_ entry: ScanTimeline.Entry) -> [String: Value] {
    if case .set(let values) = entry.change { values } else { [:] }
  }

  @Test func theScriptBeginsBetweenTheBeatsThatAreWaitedFor() async throws {
    let show = try await LoggedShow()
    show.clock.advance(by: .seconds(1))
    try await show.performance.performAll(.quantize(8), .set("map", .string("radial")))
    show.clock.advance(by: .seconds(1))
    try await show.performance.perform(.set("depth", .int(60)))
    // To twelve seconds, two after the film begins: the change has come at four.
    for _ in 0..<10 {
      show.clock.advance(by: .seconds(1))
      while let next = await show.performance.agenda.nextMoment, next <= show.clock.now {
        await Task.yield()
      }
    }
    try await show.performance.perform(.keep(show.folder.path + "/film.mkv"))
    let script = try await script(of: show)
    let entries = try await Rehearsal(of: script).timeline.entries
    let times = entries.filter {
      change($0)["map"] == .string("radial") || change($0)["map"] == .nick("radial")
    }
    .map(\.time)
    #expect(times == [.seconds(2)], "\(entries)")
  }

  @Test func oneFilmIsWrittenAtATime() async throws {
    let show = try await LoggedShow()
    let (performance, path) = (show.performance, show.folder.path + "/film.mkv")
    await show.stage.setWhenAsked { _ in
      let error = await #expect(throws: StageError.self) {
        try await performance.perform(.keep(path))
      }
      #expect(error?.code == .notWritten && error?.message.contains("already") == true)
    }
    try await performance.perform(.keep(path))
    #expect(await show.stage.log == ["keep \(path)"])
    await show.stage.setWhenAsked(nil)
    try await performance.perform(.keep(path))
    let text = await show.stage.texts[show.folder.path + "/film-2.txt"]
    #expect(
      text?.hasPrefix("# slitscan render \(show.folder.path)/film-2.mkv -o FILM --replay ") == true)
  }

  @Test func theEndOfAShowWaitsForAFilmUpToALimit() async throws {
    let clock = ManualClock()
    let stage = try InMemoryStage(clock: clock)
    let performance = await Performance(on: stage, clock: clock)
    await stage.setWhenAsked { _ in
      let begin = clock.now
      async let end: Void = performance.finishKeeping(within: .seconds(5))
      await clock.crank(until: begin + .seconds(5))
      // The film goes on only after that.
      await end
      #expect(clock.now == begin + .seconds(5))
    }
    try await performance.perform(.keep("film.mkv"))
    // Nothing is left to wait for.
    await performance.finishKeeping(within: .seconds(5))
    #expect(await stage.texts.keys.contains("film.txt"))
  }

  @Test func whyThereIsNoInputIsSaid() async throws {
    for (scan, reason): (Scan, String) in [
      (["depth": 5, "feedback": 0.5], "feedback"), (["mode": "sweep", "reserve": 0], "reserve"),
    ] {
      let streamClock = TestClock()
      let stage = try CaptureStage(.pattern("ball"), scan: scan, on: streamClock)
      try await streamClock.run { try await stage.start() }
      let performance = await Performance(on: stage, clock: ManualClock())
      let frames = await ClockedFrames(of: stage, on: streamClock)
      try await frames.skip(9)
      let error = await #expect(throws: StageError.self) {
        try await performance.perform(.keep(folder.path + "/film.mkv"))
      }
      #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
      #expect(try folder.files == [])
      await stage.stop()
    }
  }

  @Test func ofManyMovesTheLastAreKept() throws {
    var recent = RecentMoves()
    for number in 0..<100_000 {
      if recent.needsLook {
        recent.beginChapter(at: .milliseconds(UInt64(number)), [.glide(Double(number))])
      }
      recent.add(.glide(Double(number)), at: .milliseconds(UInt64(number)))
    }
    #expect(recent.begin == .milliseconds(90_000))
    let parts = recent.parts(at: .milliseconds(95_050))
    #expect(parts.since == .seconds(95))
    #expect(
      parts.before.entries.map(\.move) == ([95_000] + (95_000...95_050)).map { .glide(Double($0)) })
    #expect(parts.after.entries.count == 4_949)
    #expect(parts.after.entries.first == MoveScript.Entry(.milliseconds(1), .glide(95_051)))
  }
}
