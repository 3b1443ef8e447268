// Tests of several sources in a show, by the frames that come.

import GStreamer
import SlitScanCapture
import StageUnderTest
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct SourceTests {
  /// The rows of the frames of a show of white and black, from a moment at which all is white on.
  ///
  /// Ends with the first that is black.
  ///
  /// - Parameter body: What is played then.
  private static func show(
    _ scan: Scan, _ body: (Performance) async throws -> Void
  ) async throws -> [[UInt8]] {
    let (streamClock, clock) = (TestClock(), ManualClock())
    let stage = try CaptureStage(
      .pattern("white"), and: [.pattern("black")], scan: scan, clock: clock, on: streamClock)
    try await streamClock.run { try await stage.start() }
    let performance = await Performance(on: stage, clock: clock)
    let frames = await ClockedFrames(of: stage, on: streamClock)
    _ = try await frames.first { try $0.rows().allSatisfy { $0 > 220 } }
    try await frames.skip(25)
    try await body(performance)
    var rows: [[UInt8]] = []
    while rows.last?.contains(where: { $0 > 30 }) ?? true {
      rows.append(try await frames.next().rows())
    }
    await stage.stop()
    return rows
  }

  @Test func aCutGrowsInAlongTheMap() async throws {
    let rows = try await Self.show(["depth": 20]) { performance in
      try await performance.perform(.source(2, beats: nil))
      #expect(await performance.state.source == 2)
    }
    // The slit is at the top first, and at the bottom 19 frames later.
    let first = try (0..<3).map { row in try #require(rows.firstIndex { $0[row] < 128 }) }
    #expect((9...10).contains(first[1] - first[0]), "\(first)")
    #expect(first[2] - first[0] == 19, "\(first)")
    // Nothing lies between the two.
    #expect(rows.joined().allSatisfy { $0 < 30 || $0 > 220 })
  }

  @Test func aCrossfadeTakesItsBeats() async throws {
    let rows = try await Self.show(["depth": 1]) { performance in
      try await performance.performAll(.tempo(120), .source(2, beats: 2))
    }
    let luma = rows.map { $0[1] }
    #expect(luma.first.map { $0 > 220 } == true)
    #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 >= $1 }, "\(luma)")
    // One second.
    let between = luma.filter { (30...220).contains($0) }.count
    #expect((26...30).contains(between), "\(luma)")
  }

  /// Where the map is white, everything is as late as can be; where it is black, nothing is.
  @Test(arguments: [(1, 59), (2, 0)]) func aSourceIsTheMap(number: Int, delay: Int) async throws {
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("white"), and: [.pattern("black")], scan: ["depth": 60, "map": "live"],
      on: streamClock)
    try await streamClock.run { try await stage.start() }
    let performance = await Performance(on: stage)
    let frames = await ClockedFrames(of: stage, on: streamClock)
    _ = try await frames.first { try $0.rows().allSatisfy { $0 > 220 } }
    try await performance.perform(.mapSource(number))
    #expect(await performance.state.mapSource == number)
    // The map has come, and history is full.
    _ = try await frames.fresh()
    try await frames.skip(65)
    let before = await stage.capture.streamTime
    try await performance.perform(.source(2, beats: 0))
    let after = await stage.capture.streamTime
    var (sinceBefore, sinceAfter) = (0, 0)
    let sample = try await frames.first { sample in
      let time = try #require(sample.buffer?.presentationTime)
      if time > before { sinceBefore += 1 }
      if time > after { sinceAfter += 1 }
      return try sample.rows().contains { $0 < 220 }
    }
    #expect(sinceBefore > delay)
    // Two may have been on their way.
    #expect(sinceAfter <= delay + 3)
    #expect(try sample.rows().allSatisfy { $0 < 30 })
    await stage.stop()
  }

  @Test func aClipPlaysAgainAndACameraThatIsMissingIsToldOf() async throws {
    let (folder, streamClock) = (TemporaryFolder(), TestClock())
    let clip = folder.path + "/clip.mkv"
    try await makeClip(clip, "ball", frames: 15)
    let stage = try CaptureStage(
      .pattern("black"), and: [.clip(clip), .camera(.path("/dev/no-such-camera"))], scan: .off,
      on: streamClock)
    let news = stage.news
    try await streamClock.run { try await stage.start() }
    for await case .warning(let text) in news {
      #expect(text.hasPrefix("Source 3: The camera is not connected"))
      break
    }
    let performance = await Performance(on: stage)
    #expect(
      performance.sources == ["Pattern black", "clip", "no-such-camera"])
    try await performance.perform(.nextSource(1))
    let frames = await ClockedFrames(of: stage, on: streamClock)
    // Five times as long as the clip, and more where it takes its time to begin again.
    var pictures: [[UInt8]] = []
    while pictures.count < 75 || Set(pictures.suffix(30)).count <= 8 {
      pictures.append(try await frames.next().luma())
    }
    try await performance.perform(.nextSource(-1))
    #expect(await performance.state.source == 1)
    await stage.stop()
  }

  @Test func aClipBeginsWithItsEndAsItsPast() async throws {
    let (folder, streamClock) = (TemporaryFolder(), TestClock())
    let clip = folder.path + "/clip.mkv"
    try await makeClip(clip, "ball", frames: 20)
    var pictures: [[UInt8]] = []
    for try await frame in try await FileSource(clip).frames() { pictures.append(try frame.luma()) }
    let stage = try CaptureStage(
      .clip(clip), scan: ["gain": 0, "offset": 1, "depth": 7], on: streamClock)
    let frames = await ClockedFrames(of: stage, on: streamClock)
    try await streamClock.run { try await stage.start() }
    for number in 0..<20 {
      #expect(try await frames.next().luma() == pictures[(number + 20 - 6) % 20], "\(number)")
    }
    await stage.stop()
  }

  @Test func aFileThatIsNotThereIsAnErrorAtTheBeginning() async throws {
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("black"), and: [.clip("/nowhere/film.mkv")], scan: .off, on: streamClock)
    let error = await streamClock.run {
      await #expect(throws: StageError.self) { try await stage.start() }
    }
    #expect(error?.message.contains("/nowhere/film.mkv: no such file") == true)
  }

  @Test func thereAreOnlyTheSourcesThatThereAre() async throws {
    let performance = await Performance(on: try InMemoryStage())
    for move in [Move.source(1, beats: nil), .nextSource(1), .mapSource(1)] {
      let error = await #expect(throws: StageError.self) { try await performance.perform(move) }
      #expect(error?.message.hasPrefix("There is only one source.") == true)
    }
    let stage = try InMemoryStage(sources: ["one", "two"])
    let several = await Performance(on: stage)
    for number in [0, 3, -1, .max, .min] {
      let error = await #expect(throws: StageError.self) {
        try await several.perform(.source(number, beats: nil))
      }
      #expect(error?.message == "There is no source \(number). The sources are 1 to 2.")
    }
    #expect(await stage.log.isEmpty)
    // As long as glides take, where nothing is said.
    try await several.performAll(.tempo(60), .glide(4))
    try await several.perform(.source(2, beats: nil), from: .elsewhere)
    try await several.performAll(.nextSource(.max), .source(1, beats: 0), .mapSource(2))
    #expect(
      await stage.log == ["source 1 over 4.0", "source 0 over 4.0", "source 0 over 0.0", "map 1"])
  }

  @Test func aChangeWaitsForItsBeat() async throws {
    let (stage, clock) = (try InMemoryStage(sources: ["one", "two"]), ManualClock())
    let performance = await Performance(on: stage, clock: clock)
    try await performance.performAll(.tempo(120, beat: 1), .quantize(4))
    let changes = performance.changes
    try await performance.perform(.source(2, beats: nil))
    #expect(await performance.state.waiting["source"]?.value == "2")
    await clock.crank()
    for await case .source(let number) in changes {
      #expect(number == 2)
      break
    }
    #expect(await performance.state.waiting["source"] == nil)
    #expect(await stage.log == ["source 1 over 0.0"])
  }
}
