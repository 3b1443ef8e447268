// Tests of sources that are lost while a show runs: history outlives them, and they come back.

import Foundation
import GStreamer
import SlitScanCapture
import StageUnderTest
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct LostSourceTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/clip.mkv" }
  private let streamClock = TestClock()
  private let clock = ManualClock()
  private static let isBack = "clip.mkv is back."

  /// Has the time pass after which a source is looked for again.
  private func passPause() async {
    let due = clock.now + CaptureStage.pause
    await clock.sleeper(until: due)
    clock.advance(to: due)
  }

  @Test(arguments: [false, true])
  func theHistoryOutlivesAFileThatIsGone(isMixed: Bool) async throws {
    try await makeClip(path, "white")
    let stage = try CaptureStage(
      .clip(path), and: isMixed ? [.pattern("white")] : [], scan: ["depth": 20], clock: clock,
      on: streamClock)
    var news = stage.news.makeAsyncIterator()
    let name = isMixed ? "Source 1: " : ""
    try await streamClock.run { try await stage.start() }
    let frames = await ClockedFrames(of: stage, on: streamClock)
    _ = try await frames.first { try $0.rows()[2] > 128 }
    try FileManager.default.removeItem(atPath: path)
    // It is missed at its end.
    #expect(
      await streamClock.run { await news.nextSentence() }
        == "\(name)clip.mkv: The file does not exist, or may not be read. Its last frame is shown until it is back."
    )
    // Another size, format, range of values and brightness.
    try await makeClip(
      path, "black", frames: 60, format: "Y444,width=40,height=30,framerate=30/1",
      encoder: "jpegenc")
    await passPause()
    #expect(await streamClock.run { await news.nextSentence() } == name + Self.isBack)
    var seen: [[UInt8]] = []
    while seen.last.map({ $0[2] > 40 }) ?? true { seen.append(try await frames.next().rows()) }
    // Nothing but white is seen until black grows in along the map, 19 frames for all of it.
    let first = try (0..<3).map { row in try #require(seen.firstIndex { $0[row] < 128 }) }
    #expect((9...10).contains(first[1] - first[0]), "\(first)")
    #expect(first[2] - first[0] == 19, "\(first)")
    #expect(seen.joined().allSatisfy { $0 < 40 || $0 > 220 }, "\(seen)")
    #expect(await stage.capture.state == .running)
    await stage.stop()
  }

  @Test(arguments: [false, true])
  func aFileThatBreaksOffIsShownAgainOnceItIsWhole(isMixed: Bool) async throws {
    try await makeClip(path, "white")
    let stage = try CaptureStage(
      .clip(path), and: isMixed ? [.pattern("black")] : [], scan: .off, fallback: "black",
      clock: clock, on: streamClock)
    var news = stage.news.makeAsyncIterator()
    try await streamClock.run { try await stage.start() }
    let frames = await ClockedFrames(of: stage, on: streamClock)
    _ = try await frames.first { try $0.rows()[0] > 128 }
    // At once: for a moment, it would be empty.
    try Data("no video".utf8).write(to: URL(filePath: path), options: .atomic)
    let name = isMixed ? "Source 1: " : ""
    #expect(
      await streamClock.run { await news.nextSentence() }
        == "\(name)clip.mkv: This is a text file, not a video. The pattern black is shown until it is back."
    )
    _ = try await frames.first { try $0.rows()[0] < 128 }
    try await makeClip(path, "white")
    await passPause()
    #expect(await streamClock.run { await news.nextSentence() } == name + Self.isBack)
    _ = try await frames.first { try $0.rows()[0] > 128 }
    // It plays on: it is lost once more.
    try FileManager.default.removeItem(atPath: path)
    let sentence = await streamClock.run { await news.nextSentence() }
    #expect(sentence.hasPrefix("\(name)clip.mkv: The file does not exist"))
    _ = try await frames.first { try $0.rows()[0] < 128 }
    await stage.stop()
  }

  @Test func aClipWhoseFramesLastLongIsNotLost() async throws {
    try await makeClip(
      path, "white", frames: 2000, format: "I420,width=64,height=48,framerate=1/100")
    let stage = try CaptureStage(.clip(path), scan: .off, clock: clock, on: streamClock)
    try await streamClock.run { try await stage.start() }
    await clock.crank(until: clock.now + .seconds(30))
    // The watch has looked for the last time.
    await clock.sleepers(1)
    let loss = await stage.capture.inputLoss(0)
    #expect(loss == nil, "\(String(describing: loss))")
    await stage.stop()
  }

  @Test func aClipWithoutAFrameIsNoSource() async throws {
    try await makeClip(path, "white")
    let stage = try CaptureStage(.clip(path), scan: .off, on: streamClock)
    var news = stage.news.makeAsyncIterator()
    try await streamClock.run {
      try await stage.start()
      try Data().write(to: URL(filePath: path))
      #expect(
        await news.nextSentence()
          == "clip.mkv: The file is empty. Its last frame is shown until it is back.")
    }
    await stage.stop()
  }
}
