// Tests of the reserve of a show: how many frames it is, and that undo brings back what was seen.

import GStreamer
import SlitScanCapture
import Testing

@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct HistoryReserveTests {
  @Test func itIsOfSecondsWithinMemory() {
    func frames(_ reserve: HistoryReserve, _ rate: Fraction, _ maximumMemory: UInt64) -> Double? {
      reserve.frames(rate: rate, byteCount: 1_000_000, maximumMemory: maximumMemory)
    }
    #expect(frames(.standard, 25, 1_000_000_000) == 250)
    // Half of what is allowed.
    #expect(frames(.standard, 25, 100_000_000) == 50)
    #expect(frames(.standard, Fraction(0), 10_000_000_000) == 300)
    // What somebody asks for is left to the effect, which says what it has memory for.
    #expect(frames(.time(.seconds(1.5)), 25, 1_000_000) == 38)
    #expect(frames(.time(.zero), 25, 0) == 0)
    #expect(frames(.property, 25, 0) == nil)
  }

  private static let request = VideoRequest(width: 64, height: 48, frameRate: 30)

  /// The pictures that the past of a frozen show has at six places.
  private static func past(_ reserve: HistoryReserve) async throws -> Int {
    let stage = try CaptureStage(
      .pattern("ball"), request, scan: ["gain": 0, "depth": 40, "mix": 1], reserve: reserve)
    let news = stage.news
    try await stage.start()
    let performance = await Performance(on: stage)
    let following = Task {
      for await case .property(let name, let value) in news {
        await performance.takeOver(name, value)
      }
    }
    let frames = await stage.capture.frames()
    var reader = frames.makeAsyncIterator()
    // The reserve is set once the format is known, which is soon, but not at once.
    while reserve != .time(.zero), Parameter.number(await stage.value(of: "reserve")) == 0 {
      _ = try await reader.next()
    }
    for _ in 0..<60 { _ = try await reader.next() }
    // Undo freezes, too: however busy the machine is, no frame comes between the two.
    try await performance.perform(.set("freeze", .bool(true)))
    try await performance.set(["depth": .int(2), "freeze": .bool(false)])
    for _ in 0..<10 { _ = try await reader.next() }
    try await performance.perform(.undo)
    var seen: Set<[UInt8]> = []
    for place in 0..<6 {
      try await performance.perform(.set("offset", .double(Double(place) / 5)))
      seen.insert(try await nextPicture(of: stage, &reader))
    }
    following.cancel()
    await stage.stop()
    return seen.count
  }

  /// The first frame that reaches the effect from now on; others may still be on their way from there.
  private static func nextPicture(
    of stage: CaptureStage, _ reader: inout ScannedFrames.Iterator
  ) async throws -> [UInt8] {
    let newest = await stage.capture.streamTime
    while true {
      let sample = try #require(try await reader.next())
      if let time = sample.buffer?.presentationTime, time > newest { return try sample.luma() }
    }
  }

  @Test func undoBringsBackWhatWasSeen() async throws {
    #expect(try await Self.past(.time(.seconds(2))) == 6)
    // Without a reserve, the past begins again where the depth was small.
    #expect(try await Self.past(.time(.zero)) < 6)
  }

  @Test func thePerformanceKnowsAndUndoLeavesItAlone() async throws {
    let stage = try CaptureStage(.pattern("ball"), Self.request, reserve: .time(.seconds(3)))
    let news = stage.news
    try await stage.start()
    let performance = await Performance(on: stage)
    try await performance.perform(.set("gain", 2))
    for await case .property(let name, let value) in news {
      await performance.takeOver(name, value)
      break
    }
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
