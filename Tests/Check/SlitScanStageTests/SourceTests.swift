// Tests of several sources in a show, by the frames that it records.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct SourceTests {
  private static let request = VideoRequest(width: 64, height: 48, frameRate: 30)

  /// Luma of the middle of the first, the middle and the last row of each frame of a recording; nil where frames
  /// are missing.
  private static func rows(of path: String) async throws -> [[UInt8]]? {
    var rows: [[UInt8]] = []
    var times = FrameTimes(frameRate: 30)
    for try await sample in try await FileSource(path).frames() {
      let frame = try sample.videoFrame()
      try times.add(sample)
      rows.append([0, 24, 47].map { frame.row($0, ofPlane: 0)[32] })
    }
    return times.areComplete ? rows : nil
  }

  /// Records a show of white and black, and says what was seen.
  ///
  /// - Parameter body: What is played while it records.
  private static func record(
    _ scan: Scan, _ body: (Performance, _ frames: (Int) async throws -> Void) async throws -> Void
  ) async throws -> [[UInt8]] {
    try await firstCompleteAttempt { try await recordOnce(scan, body) }
  }

  private static func recordOnce(
    _ scan: Scan, _ body: (Performance, _ frames: (Int) async throws -> Void) async throws -> Void
  ) async throws -> [[UInt8]]? {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "show.mkv").path
    let stage = try CaptureStage(
      .pattern("white"), and: [.pattern("black")], request, scan: scan, reserve: .property)
    try await stage.start()
    let performance = await Performance(on: stage)
    let frames = await stage.capture.frames()
    var reader = frames.makeAsyncIterator()
    // On a machine that is busy, white comes late; then it has to fill the history.
    while let frame = try await reader.next()?.videoFrame(), frame.row(0, ofPlane: 0)[32] < 128 {}
    for _ in 0..<60 { _ = try await reader.next() }
    try await performance.perform(.record(.on, path))
    for _ in 0..<5 { _ = try await reader.next() }
    try await body(performance) { count in
      for _ in 0..<count { _ = try await reader.next() }
    }
    try await performance.perform(.record(.off, nil))
    await stage.stop()
    return try await rows(of: path)
  }

  @Test func aCutGrowsInAlongTheMap() async throws {
    let rows = try await Self.record(["depth": 20]) { performance, frames in
      try await performance.perform(.source(2, beats: nil))
      #expect(await performance.state.source == 2)
      try await frames(80)
    }
    #expect(rows.first?.allSatisfy { $0 > 220 } == true)
    #expect(rows.last?.allSatisfy { $0 < 30 } == true)
    // The slit is at the top first, and at the bottom 19 frames later.
    let first = try (0..<3).map { row in try #require(rows.firstIndex { $0[row] < 128 }) }
    #expect((8...11).contains(first[1] - first[0]), "\(first)")
    #expect((18...20).contains(first[2] - first[0]), "\(first)")
    // Nothing lies between the two.
    #expect(rows.joined().allSatisfy { $0 < 30 || $0 > 220 })
  }

  @Test func aCrossfadeTakesItsBeats() async throws {
    let rows = try await Self.record(["depth": 1]) { performance, frames in
      try await performance.perform(.tempo(120))
      try await performance.perform(.source(2, beats: 2))
      try await frames(80)
    }
    let luma = rows.map { $0[1] }
    #expect(luma.first.map { $0 > 220 } == true)
    #expect(luma.last.map { $0 < 30 } == true)
    #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 >= $1 }, "\(luma)")
    // One second.
    let between = luma.filter { (30...220).contains($0) }.count
    #expect((20...32).contains(between), "\(luma)")
  }

  /// Where the map is white, everything is as late as can be; where it is black, nothing is.
  @Test(arguments: [(1, 59), (2, 0)])
  func aSourceIsTheMap(number: Int, delay: Int) async throws {
    let stage = try CaptureStage(
      .pattern("white"), and: [.pattern("black")], Self.request,
      scan: ["depth": 60, "map": "live"], reserve: .property)
    try await stage.start()
    let performance = await Performance(on: stage)
    // They wait to be read, so none is missing because of this task.
    let frames = await stage.capture.frames(delivery: .latest(10_000))
    var reader = frames.makeAsyncIterator()
    func next() async throws -> (time: ClockTime, luma: [UInt8]) {
      let sample = try #require(try await reader.next())
      let frame = try sample.videoFrame()
      return (
        try #require(sample.buffer?.presentationTime),
        [0, 24, 47].map { frame.row($0, ofPlane: 0)[32] }
      )
    }
    while try await next().luma[0] < 128 {}
    for _ in 0..<60 { _ = try await next() }
    try await performance.perform(.mapSource(number))
    #expect(await performance.state.mapSource == number)
    let chosen = await stage.capture.streamTime
    while try await next().time <= chosen {}
    for _ in 0..<20 { _ = try await next() }
    let before = await stage.capture.streamTime
    try await performance.perform(.source(2, beats: 0))
    let after = await stage.capture.streamTime
    var frame = try await next()
    var (sinceBefore, sinceAfter) = (0, 0)
    while true {
      if frame.time > before { sinceBefore += 1 }
      if frame.time > after { sinceAfter += 1 }
      guard frame.luma.allSatisfy({ $0 > 220 }) else { break }
      frame = try await next()
    }
    #expect(sinceBefore > delay)
    // Two may have been on their way.
    #expect(sinceAfter <= delay + 3)
    #expect(frame.luma.allSatisfy { $0 < 30 }, "\(frame.luma)")
    await stage.stop()
  }

  @Test func aClipPlaysAgainAndACameraThatIsMissingIsToldOf() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clip = folder.appending(path: "clip.mkv").path
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=15 pattern=ball ! video/x-raw,width=64,height=48,framerate=30/1 ! "
        + "jpegenc ! matroskamux ! filesink location=\"\(clip)\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()

    let stage = try CaptureStage(
      .pattern("black"), and: [.film(clip), .camera(.path("/dev/no-such-camera"))], Self.request,
      scan: .off)
    let news = stage.news
    try await stage.start()
    for await case .trouble(let text) in news {
      #expect(text.hasPrefix("Source 3: The camera is not connected"))
      break
    }
    let performance = await Performance(on: stage)
    #expect(
      performance.sources == ["the pattern black", "clip.mkv", "the camera /dev/no-such-camera"])
    try await performance.perform(.nextSource(1))
    let frames = await stage.capture.frames()
    var reader = frames.makeAsyncIterator()
    // Five times as long as the clip, and more where the machine is busy.
    var pictures: [[UInt8]] = []
    while pictures.count < 75 || Set(pictures.suffix(30)).count <= 8 {
      guard let frame = try await reader.next()?.videoFrame() else { break }
      var samples: [UInt8] = []
      for number in 0..<48 {
        let row = frame.row(number, ofPlane: 0)
        for index in row.indices { samples.append(row[index]) }
      }
      pictures.append(samples)
    }
    #expect(Set(pictures.suffix(30)).count > 8)
    try await performance.perform(.nextSource(-1))
    #expect(await performance.state.source == 1)
    await stage.stop()
  }

  @Test func aFileThatIsNotThereIsAnErrorAtTheBeginning() async throws {
    let stage = try CaptureStage(
      .pattern("black"), and: [.film("/nowhere/film.mkv")], Self.request, scan: .off)
    let error = await #expect(throws: StageError.self) { try await stage.start() }
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
    try await several.perform(.tempo(60))
    try await several.perform(.glide(4))
    try await several.perform(.source(2, beats: nil), from: .elsewhere)
    try await several.perform(.nextSource(.max))
    try await several.perform(.source(1, beats: 0))
    try await several.perform(.mapSource(2))
    #expect(
      await stage.log == ["source 1 over 4.0", "source 0 over 4.0", "source 0 over 0.0", "map 1"])
  }

  @Test func aChangeWaitsForItsBeat() async throws {
    let stage = try InMemoryStage(sources: ["one", "two"])
    let performance = await Performance(on: stage)
    // Its clock stands still until all is said.
    await performance.waitForFirstFrame()
    try await performance.performAtItsTime(.tempo(400, beat: 1))
    try await performance.perform(.quantize(4))
    let changes = performance.changes
    try await performance.perform(.source(2, beats: nil))
    #expect(await performance.state.waiting["source"]?.value == "2")
    await performance.begin(at: .now)
    for await case .source(let number) in changes {
      #expect(number == 2)
      break
    }
    #expect(await performance.state.waiting["source"] == nil)
    #expect(await stage.log == ["source 1 over 0.0"])
  }
}
