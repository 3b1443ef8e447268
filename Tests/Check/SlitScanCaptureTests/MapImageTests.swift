// Tests of images in memory as the map of a running capture: the delays that its frames show.

import Dispatch
import Footage
import GStreamer
import TestClock
import Testing

@testable import SlitScanCapture

@Suite struct MapImageTests {
  private static let scan: Scan = [
    "map": "live", "depth": 11, "warmup": "hold", "history": "whole", "interpolation": "nearest",
  ]

  /// Frames of 8x4 pixels, each of one grey: its number, over and over.
  ///
  /// - Parameter mark: The last pixel of the top row.
  private static func source(_ mark: UInt8 = 0) -> InMemorySource {
    InMemorySource { number in
      let info = try VideoInfo(.gray8, width: 8, height: 4, frameRate: 30)
      var buffer = try WritableBuffer(info)
      try buffer.withVideoFrame(info) { frame in
        for row in 0..<4 {
          var pixels = frame.mutableRow(row, ofPlane: 0)
          for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: number) }
          if row == 0 { pixels[7] = mark }
        }
      }
      buffer.presentationTime = ClockTime(nanoseconds: UInt64(number) * 1_000_000_000 / 30)
      return try Sample(buffer.finish(), caps: info.caps())
    }
  }

  /// How many frames the left and the right border lag behind the newest, of a frame whose top row has no lag.
  private static func lags(_ sample: Sample) throws -> [UInt8] {
    let frame = try sample.videoFrame()
    let newest = frame.row(0, ofPlane: 0)[0]
    return [newest &- frame.row(3, ofPlane: 0)[0], newest &- frame.row(3, ofPlane: 0)[7]]
  }

  /// 0 in the top row; below, what is given at the left and the right border.
  private static func image(_ left: UInt8, _ right: UInt8) throws -> MapImage {
    try MapImage(
      width: 8, height: 4,
      gray8: [UInt8](repeating: 0, count: 8)
        + (0..<3).flatMap { _ in
          [UInt8](repeating: left, count: 4) + [UInt8](repeating: right, count: 4)
        })
  }

  private static func wait(
    for lags: [UInt8], _ reader: inout ScannedFrames.AsyncIterator
  ) async throws {
    while try Self.lags(#require(try await reader.next())) != lags {}
  }

  @Test func theFirstFrameWaitsForItAndEveryOtherOneFollowsWhatIsSetLast() async throws {
    let capture = CapturePipeline(Self.source(), scan: Self.scan, clock: ManualClock())
    try await capture.setMapImage(Self.image(255, 128))
    let frames = await capture.frames(delivery: .lossless(queue: 4))
    var reader = frames.makeAsyncIterator()
    try await capture.start()
    for number in 0..<30 {
      let lags = try Self.lags(#require(try await reader.next()))
      #expect(lags == [UInt8(min(number, 10)), UInt8(min(number, 5))])
    }
    try await capture.setMapImage(
      MapImage(width: 2, height: 4, gray16: [0, 0] + [UInt16](repeating: 13107, count: 6)))
    try await Self.wait(for: [2, 2], &reader)
    try await capture.setMapImage(nil)
    try await Self.wait(for: [0, 0], &reader)
    // And it comes back.
    try await capture.setMapImage(Self.image(0, 255))
    try await Self.wait(for: [0, 10], &reader)
    await capture.stop()
  }

  @Test func itStaysWithAnotherSourceAndAfterAStop() async throws {
    let capture = CapturePipeline(Self.source(), scan: Self.scan, clock: ManualClock())
    try await capture.start()
    try await capture.setMapImage(Self.image(255, 0))
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    try await Self.wait(for: [10, 0], &reader)
    try await capture.setSource(Self.source(1))
    while try #require(try await reader.next()).bytes()[7] != 1 {}
    try await Self.wait(for: [10, 0], &reader)
    await capture.stop()
    try await capture.start()
    let again = await capture.frames()
    var next = again.makeAsyncIterator()
    try await Self.wait(for: [10, 0], &next)
    await capture.stop()
  }

  /// More than frames can show, before there are any and while they flow.
  @Test func aFloodOfImagesBlocksNoCallerAndTheLastIsShown() async throws {
    let capture = CapturePipeline(Self.source(), scan: Self.scan, clock: ManualClock())
    for number in 0..<2000 { try await capture.setMapImage(Self.image(UInt8(number % 256), 0)) }
    try await capture.start()
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    for number in 0..<2000 { try await capture.setMapImage(Self.image(0, UInt8(number % 256))) }
    try await capture.setMapImage(Self.image(255, 128))
    try await Self.wait(for: [10, 5], &reader)
    #expect(await capture.state == .running)
    await capture.stop()
  }

  /// A source whose frames stand still does not keep an image, or its end, waiting.
  @Test func withoutFramesItIsTakenAwayAllTheSame() async throws {
    let never = ManualClock()
    let source = InMemorySource { number in
      if number > 0 { try await never.sleep(for: .seconds(1)) }
      return try Footage(width: 8, height: 4).frame(0)
    }
    let capture = CapturePipeline(source, scan: Self.scan, clock: ManualClock())
    try await capture.start()
    for number in 0..<20 { try await capture.setMapImage(Self.image(UInt8(number), 0)) }
    try await capture.setMapImage(nil)
    try await capture.setMapImage(Self.image(1, 1))
    await capture.stop()
  }

  @Test func anImageThatComesWhileTheOneBeforeIsTakenAwayIsShown() async throws {
    let capture = CapturePipeline(Self.source(), scan: Self.scan, clock: ManualClock())
    try await capture.start()
    try await capture.setMapImage(Self.image(0, 0))
    let stream = try #require(await capture.stream)
    let output = try #require(stream.mapFeed).element.pad("src")
    // The pipeline takes nothing out meanwhile.
    let mayGoOn = DispatchSemaphore(value: 0)
    let isHeld = Shared(false)
    let holding = Task {
      await stream.pipeline.run { _ in
        isHeld.value = true
        mayGoOn.wait()
      }
    }
    await until { isHeld.value }
    let end = Task { try await capture.setMapImage(nil) }
    await until { !output.isLinked }
    let image = Task { try await capture.setMapImage(Self.image(255, 0)) }
    await until { await capture.mapImage != nil }
    mayGoOn.signal()
    for task in [end, image] { try await task.value }
    await holding.value
    try #require(await capture.stream?.mapFeed != nil)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    try await Self.wait(for: [10, 0], &reader)
    await capture.stop()
  }

  @Test func anImageTakesThePlaceOfASourceThatIsTheMapAndGivesItBack() async throws {
    let request = VideoRequest(width: 64, height: 48, frameRate: 30)
    var scan = Self.scan
    scan.properties["depth"] = 2
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(SourceMixer(count: 2, request), scan: scan, on: clock)
    try await capture.start()
    try await capture.openInput(0, TestPatternSource("black", request))
    try await capture.openInput(1, TestPatternSource("white", request))
    /// Waits until what comes to the pad `map` has a width, in pixels.
    func wait(forWidth width: Int) async throws {
      try await until {
        try await (try? capture.stream?.mapPad().caps).map { try VideoInfo($0).width } == width
      }
    }
    try await capture.setMapInput(1)
    try await wait(forWidth: 64)
    try await capture.setMapImage(Self.image(255, 0))
    try await wait(forWidth: 8)
    try await capture.setMapImage(nil)
    try await wait(forWidth: 64)
    try await capture.setMapImage(Self.image(255, 0))
    try await wait(forWidth: 8)
    try await capture.setMapInput(0)
    try await wait(forWidth: 64)
    #expect(await capture.state == .running)
    await capture.stop()
  }

  @Test(arguments: [(0, 0, 0), (4, 2, 7), (4, 2, 9), (-4, -2, 8), (20_000, 1, 20_000), (1, 0, 0)])
  func anImpossibleImageIsAnErrorThatSaysSo(width: Int, height: Int, count: Int) {
    let error = #expect(throws: CaptureError.self) {
      _ = try MapImage(width: width, height: height, gray8: [UInt8](repeating: 0, count: count))
    }
    #expect(error?.code == .badMapImage)
    #expect(error?.message.contains("\(width)x\(height)") == true)
  }
}
