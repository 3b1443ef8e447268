// Tests of the reserve of a show: how many frames it is, and that undo brings back what was seen.

import GStreamer
import SlitScanCapture
import StageUnderTest
import TestClock
import Testing

@testable import SlitScanStage

@Suite struct HistoryReserveTests {
  @Test func itIsOfSecondsWithinMemory() {
    func frames(_ reserve: HistoryReserve, _ rate: Fraction, _ maximumMemory: UInt64?) -> Double? {
      reserve.frames(rate: rate, byteCount: 1_000_000, maximumMemory: maximumMemory)
    }
    #expect(frames(.standard, 25, 1_000_000_000) == 250)
    // Half of what is allowed.
    #expect(frames(.standard, 25, 100_000_000) == 50)
    #expect(frames(.standard, Fraction(0), 10_000_000_000) == 300)
    // Not where history is on disk.
    #expect(frames(.standard, 25, nil) == 250)
    // An explicit reserve is left to the effect, which says what it has memory for.
    #expect(frames(.time(.seconds(1.5)), 25, 1_000_000) == 38)
    #expect(frames(.time(.zero), 25, 0) == 0)
    #expect(frames(.property, 25, 0) == nil)
  }

  /// Has a performance know what its stage sets by itself, once it has set the reserve.
  private static func takeOverReserve(
    _ performance: Performance, _ news: AsyncStream<Change>
  ) async {
    for await case .property("reserve", let value) in news {
      await performance.takeOver("reserve", value)
      return
    }
  }

  /// The pictures that the past of a frozen show has at six places.
  private static func past(_ reserve: HistoryReserve) async throws -> Int {
    let streamClock = TestClock()
    let stage = try CaptureStage(
      .pattern("ball"), scan: ["gain": 0, "depth": 40, "mix": 1], reserve: reserve, on: streamClock)
    let news = stage.news
    try await streamClock.run { try await stage.start() }
    let performance = await Performance(on: stage)
    let frames = await ClockedFrames(of: stage, on: streamClock)
    // The format is known with the first frame.
    if reserve != .time(.zero) {
      await streamClock.run { await takeOverReserve(performance, news) }
    }
    _ = try await frames.fresh()
    try await frames.skip(60)
    // Undo freezes, too: no frame comes between the two.
    try await performance.perform(.set("freeze", .bool(true)))
    try await performance.set(["depth": .int(2), "freeze": .bool(false)])
    _ = try await frames.fresh()
    try await frames.skip(10)
    try await performance.perform(.undo)
    var seen: Set<[UInt8]> = []
    for place in 0..<6 {
      try await performance.perform(.set("offset", .double(Double(place) / 5)))
      seen.insert(try await frames.fresh().luma())
    }
    await stage.stop()
    return seen.count
  }

  @Test func undoBringsBackWhatWasSeen() async throws {
    #expect(try await Self.past(.time(.seconds(2))) == 6)
    // Without a reserve, the past begins again where the depth was small.
    #expect(try await Self.past(.time(.zero)) < 6)
  }

  @Test func thePerformanceKnowsAndUndoLeavesItAlone() async throws {
    let streamClock = TestClock.running()
    defer { streamClock.stop() }
    let stage = try CaptureStage(.pattern("ball"), reserve: .time(.seconds(3)), on: streamClock)
    let news = stage.news
    try await stage.start()
    let performance = await Performance(on: stage)
    try await performance.perform(.set("gain", 2))
    await Self.takeOverReserve(performance, news)
    #expect(await performance.state.values["reserve"].flatMap { Parameter.number($0) } == 90)
    try await performance.perform(.undo)
    #expect(Parameter.number(await stage.value(of: "reserve")) == 90)
    #expect(await performance.state.values["reserve"].flatMap { Parameter.number($0) } == 90)
    // Several at once set all that the capture knows.
    try await stage.set(["gain": 1, "offset": 0])
    #expect(Parameter.number(await stage.value(of: "reserve")) == 90)
    await stage.stop()
  }
}
