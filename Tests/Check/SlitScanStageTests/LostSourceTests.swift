// Tests of sources that are lost while a show runs: history outlives them, and they come back.

import Foundation
import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct LostSourceTests {
  private static let request = VideoRequest(width: 64, height: 48, frameRate: 30)

  /// Writes a clip of one brightness under a temporary name, then puts it in its place.
  private static func write(
    _ pattern: String, frames: Int = 20, format: String = "I420,width=64,height=48",
    encoder: String = "avenc_ffv1", to path: String
  ) async throws {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=\(frames) pattern=\(pattern) ! "
        + "video/x-raw,format=\(format),framerate=30/1 ! \(encoder) ! matroskamux ! "
        + "filesink location=\"\(path).new\"")
    try await pipeline.play()
    try await pipeline.waitForEnd()
    await pipeline.stop()
    _ = try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
  }

  private static func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  /// Luma in the middle of the first, the middle and the last row.
  private static func rows(_ sample: Sample) throws -> [UInt8] {
    let frame = try sample.videoFrame()
    #expect(frame.info.width == 64 && frame.info.height == 48)
    return [0, 24, 47].map { frame.row($0, ofPlane: 0)[32] }
  }

  /// What is said next that is no other news.
  private static func next(_ news: inout AsyncStream<Change>.Iterator) async -> String {
    while let change = await news.next() {
      switch change {
      case .trouble(let text), .notice(let text): return text
      default: continue
      }
    }
    return ""
  }

  @Test(arguments: [false, true])
  func theHistoryOutlivesAFileThatIsGone(isMixed: Bool) async throws {
    let seen = try await firstCompleteAttempt { try await Self.rowsAfterALoss(isMixed: isMixed) }
    // Nothing but white is seen until black grows in along the map, 19 frames for all of it.
    let first = try (0..<3).map { row in try #require(seen.firstIndex { $0[row] < 128 }) }
    #expect((8...11).contains(first[1] - first[0]), "\(first)")
    #expect((18...20).contains(first[2] - first[0]), "\(first)")
    #expect(seen.joined().allSatisfy { $0 < 40 || $0 > 220 }, "\(seen)")
  }

  /// The rows of the frames after a white clip has been taken away and a black one come, until all is black; nil
  /// where frames are missing.
  private static func rowsAfterALoss(isMixed: Bool) async throws -> [[UInt8]]? {
    var seen: [[UInt8]] = []
    var times = FrameTimes(frameRate: 30)
    try await Self.withFolder { folder in
      let path = folder.appending(path: "clip.mkv").path
      try await Self.write("white", to: path)
      let stage = try CaptureStage(
        .film(path), and: isMixed ? [.pattern("white")] : [], Self.request,
        scan: ["depth": 20], reserve: .property)
      var news = stage.news.makeAsyncIterator()
      let name = isMixed ? "Source 1: " : ""
      try await stage.start()
      let before = await stage.capture.frames()
      var reader = before.makeAsyncIterator()
      while try Self.rows(#require(try await reader.next()))[2] < 128 {}
      for _ in 0..<60 { _ = try await reader.next() }
      try FileManager.default.removeItem(atPath: path)
      #expect(
        await Self.next(&news)
          == "\(name)clip.mkv: The file does not exist, or may not be read. Its last frame is shown until it is back."
      )
      // They wait to be read, so none is missing because of this task.
      let frames = await stage.capture.frames(delivery: .latest(600))
      reader = frames.makeAsyncIterator()
      // Another size, format, range of values and brightness.
      try await Self.write(
        "black", frames: 60, format: "Y444,width=40,height=30", encoder: "jpegenc", to: path)
      #expect(await Self.next(&news) == "\(name)clip.mkv is back.")
      while seen.last?.last.map({ $0 > 40 }) ?? true {
        guard let sample = try await reader.next() else { break }
        seen.append(try Self.rows(sample))
        try times.add(sample)
      }
      #expect(await stage.capture.state == .running)
      await stage.stop()
    }
    return times.areComplete ? seen : nil
  }

  @Test(arguments: [false, true])
  func aFileThatBreaksOffIsShownAgainOnceItIsWhole(isMixed: Bool) async throws {
    try await Self.withFolder { folder in
      let path = folder.appending(path: "clip.mkv").path
      try await Self.write("white", to: path)
      let others: [LiveSource] = isMixed ? [.pattern("black")] : []
      let stage = try CaptureStage(
        .film(path), and: others, Self.request, scan: .off, fallback: "black")
      var news = stage.news.makeAsyncIterator()
      try await stage.start()
      let frames = await stage.capture.frames()
      var reader = frames.makeAsyncIterator()
      while try Self.rows(#require(try await reader.next()))[0] < 128 {}
      // At once: for a moment, it would be empty.
      try Data("no video".utf8).write(to: folder.appending(path: "clip.mkv"), options: .atomic)
      let name = isMixed ? "Source 1: " : ""
      #expect(
        await Self.next(&news)
          == "\(name)clip.mkv: This is a text file, not a video. The pattern black is shown until it is back."
      )
      while try Self.rows(#require(try await reader.next()))[0] > 128 {}
      try await Self.write("white", to: path)
      #expect(await Self.next(&news) == "\(name)clip.mkv is back.")
      while try Self.rows(#require(try await reader.next()))[0] < 128 {}
      // It plays on: it is lost once more.
      try FileManager.default.removeItem(atPath: path)
      #expect(await Self.next(&news).hasPrefix("\(name)clip.mkv: The file does not exist"))
      await stage.stop()
    }
  }

  @Test func aClipWithoutAFrameIsNoSource() async throws {
    try await Self.withFolder { folder in
      let path = folder.appending(path: "clip.mkv").path
      try await Self.write("white", to: path)
      let stage = try CaptureStage(.film(path), Self.request, scan: .off)
      var news = stage.news.makeAsyncIterator()
      try await stage.start()
      try Data().write(to: folder.appending(path: "clip.mkv"))
      #expect(
        await Self.next(&news)
          == "clip.mkv: The file is empty. Its last frame is shown until it is back.")
      await stage.stop()
    }
  }
}
