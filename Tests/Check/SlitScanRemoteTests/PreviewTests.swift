// Tests of the preview on phones.

import Foundation
import GStreamer
import SlitScanCapture
import StreamingThread
import TemporaryFolder
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

@Suite(.serialized) struct PreviewTests {
  /// A feed whose frames a test sends, and which says when it is opened and released.
  private final class TestFeed: Sendable {
    let opened: AsyncStream<AsyncStream<Sample>.Continuation>
    let ended: AsyncStream<Void>
    private let opening: AsyncStream<AsyncStream<Sample>.Continuation>.Continuation
    private let ending: AsyncStream<Void>.Continuation

    init() {
      (opened, opening) = AsyncStream.makeStream()
      (ended, ending) = AsyncStream.makeStream()
    }

    func open() -> AsyncStream<Sample> {
      let (stream, frames) = AsyncStream.makeStream(of: Sample.self)
      frames.onTermination = { [ending] _ in ending.yield() }
      opening.yield(frames)
      return stream
    }

    static func frame(_ width: Int, _ height: Int) throws -> Sample {
      let info = try VideoInfo(.gray8, width: width, height: height)
      return Sample(try WritableBuffer(byteCount: info.byteCount).finish(), caps: try info.caps())
    }
  }

  private func size(of jpeg: Data) -> (width: Int, height: Int)? {
    // The frame header: ISO/IEC 10918-1, B.2.2.
    let bytes = Array(jpeg)
    for index in bytes.indices.dropLast(9) where bytes[index] == 0xFF && bytes[index + 1] == 0xC0 {
      let number = { Int(bytes[index + $0]) << 8 | Int(bytes[index + $0 + 1]) }
      return (number(7), number(5))
    }
    return nil
  }

  @Test(arguments: [
    (1920, 1080, 480, 270), (1080, 1920, 270, 480), (64, 48, 64, 48), (480, 2, 480, 2),
  ])
  func imagesKeepTheirProportionsAndGoToWatchingClients(
    width: Int, height: Int, wantedWidth: Int, wantedHeight: Int
  ) async throws {
    let feed = TestFeed()
    let frame = try TestFeed.frame(width, height)
    let show = try await Show(feed: PreviewFeed { feed.open() })
    let (first, second) = (try await Phone(to: show.port), try await Phone(to: show.port))
    try await first.sayAndWait(#"{"look":true}"#)
    try await second.sayAndWait(#"{"look":true}"#)
    var opened = feed.opened.makeAsyncIterator()
    var ended = feed.ended.makeAsyncIterator()
    let frames = try #require(await opened.next())
    // One for both of them.
    frames.yield(frame)
    try await first.wait { $0.images.count == 1 }
    try await second.wait { $0.images.count == 1 }
    let image = try #require(size(of: first.images[0]))
    #expect(image == (wantedWidth, wantedHeight))
    // A client that has not shown a frame gets no other, and holds up no other client.
    for count in 2...5 {
      try await second.sayAndWait(#"{"seen":true}"#)
      frames.yield(frame)
      try await second.wait { $0.images.count == count }
    }
    try await first.say("set depth 7")
    try await first.wait { $0.number("depth") == 7 }
    #expect(first.images.count == 1)
    // When no client looks, nothing is read.
    try await first.say(#"{"look":false}"#)
    second.wire.close()
    await ended.next()
    try await first.sayAndWait(#"{"look":true}"#)
    try #require(await opened.next()).yield(frame)
    try await first.wait { $0.images.count == 2 }
    // To look away is no failure, also while an image is being made.
    #expect(first.notes.isEmpty)
    async let stopped: Void = show.remote.stop()
    _ = await first.waitForClose()
    await stopped
    await ended.next()
  }

  @Test func aFeedThatFailsIsReportedOnceAndTriedAgain() async throws {
    let tries = Lock(0)
    let feed = TestFeed()
    let show = try await Show(
      feed: PreviewFeed { () throws -> AsyncStream<Sample> in
        let number = tries.withLock {
          $0 += 1
          return $0
        }
        guard number > 2 else { throw StageError(.noVideo, "There is no camera.") }
        return feed.open()
      })
    let phone = try await Phone(to: show.port)
    try await phone.sayAndWait(#"{"look":true}"#)
    var opened = feed.opened.makeAsyncIterator()
    let frames = await show.letTimePass(in: .milliseconds(500)) { await opened.next() }
    try #require(frames).yield(try TestFeed.frame(64, 48))
    try await phone.wait { $0.images.count == 1 && !$0.notes.isEmpty }
    try await phone.say("set depth 7")
    try await phone.wait { $0.number("depth") == 7 }
    #expect(phone.notes.filter { $0.contains("There is no camera.") }.count == 1)
  }

  // MARK: Thumbnails

  /// A frame with a bright column, which goes right with each number.
  private static func movingFrame(_ number: Int) throws -> Sample {
    let info = try VideoInfo(.gray8, width: 320, height: 180, frameRate: Fraction(15))
    var buffer = try WritableBuffer(info)
    buffer.presentationTime = .zero
    let column = number * 8 % 304
    try buffer.withVideoFrame(info) { frame in
      var bytes = frame.mutableBytes(ofPlane: 0)
      for place in 0..<bytes.byteCount {
        let isBright = (column..<column + 16).contains(place % 320)
        bytes.storeBytes(of: isBright ? 255 : 0, toByteOffset: place, as: UInt8.self)
      }
    }
    return Sample(buffer.finish(), caps: try info.caps())
  }

  private static func luma(of sample: Sample) throws -> [UInt8] {
    let frame = try sample.videoFrame()
    var pixels: [UInt8] = []
    for row in 0..<frame.info.height {
      let bytes = frame.row(row, ofPlane: 0)
      for column in 0..<frame.info.width { pixels.append(bytes[column]) }
    }
    return pixels
  }

  private func luma(_ jpeg: Data) async throws -> [UInt8] {
    let pipeline = try Pipeline(
      "appsrc name=in ! jpegdec ! videoconvert ! video/x-raw,format=GRAY8 ! appsink name=out sync=false async=false"
    )
    let source = try AppSrc(pipeline.element(named: "in"), caps: Caps("image/jpeg"))
    var samples = try AppSink(pipeline.element(named: "out")).samples.makeAsyncIterator()
    return try await pipeline.stopping {
      try await pipeline.play()
      var buffer = try WritableBuffer(byteCount: jpeg.count)
      try buffer.withMutableBytes { bytes in
        for (place, byte) in jpeg.enumerated() {
          bytes.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
      }
      try await source.send(buffer.finish())
      let sample = try #require(try await samples.next())
      return try Self.luma(of: sample)
    }
  }

  @Test func presetsSourcesAndMapsHavePicturesWhileAPhoneLooks() async throws {
    let folder = TemporaryFolder()
    try folder.write("ramp.pgm", Array("P5 2 1 255\n".utf8) + [0, 255])
    try folder.write("broken.png", [1, 2, 3])
    let asked = Lock(0)
    var feed = PreviewFeed { AsyncStream<Sample> { _ in } }
    feed.input = {
      let number = asked.withLock { count in
        count += 1
        return count
      }
      return try? Self.movingFrame(number)
    }
    feed.source = { number in number == 1 ? try? Self.movingFrame(3) : nil }
    var limits = Show.quick
    // The phone says nothing while time passes.
    limits.silence = .seconds(1_000_000)
    limits.rest = 0
    let show = try await Show(
      limits, feed: feed, sources: ["a", "b"], maps: try MapFolder(folder.path))
    let phone = try await Phone(to: show.port)
    #expect(phone.state["map-images"] as? [String] == ["broken.png", "ramp.pgm"])
    // Nothing is drawn before that.
    #expect(asked.withLock { $0 } == 0)
    try await phone.say(#"{"look":true}"#)
    try await show.letTimePass(in: .seconds(1000)) {
      try await phone.wait { phone in
        let times = show.performance.presets.map { phone.thumbnails["preset \($0)"]?.count ?? 0 }
        let others = ["map-image ramp.pgm", "source 2"].allSatisfy { phone.thumbnails[$0] != nil }
        return times.allSatisfy { $0 > 0 } && others
          && phone.state["map-images"] as? [String] == ["ramp.pgm"]
      }
    }
    #expect(phone.thumbnails["source 1"] == nil && phone.thumbnails["map-image broken.png"] == nil)
    for jpeg in phone.thumbnails.values.compactMap(\.last) {
      let (width, height) = try #require(self.size(of: jpeg))
      #expect(width == 160 && height == 90)
    }
    // The map grows brighter from the left to the right.
    let map = try await luma(try #require(phone.thumbnails["map-image ramp.pgm"]?.last))
    #expect(map[0] < 8 && (100...156).contains(map[80]) && map[159] > 247)
    // Another phone has them at once, and they are drawn only while a phone looks.
    let late = try await Phone(to: show.port)
    try await late.sayAndWait(#"{"look":true}"#)
    try await late.wait { $0.thumbnails.count == phone.thumbnails.count }
    for phone in [phone, late] { try await phone.sayAndWait(#"{"look":false}"#) }
    try await show.letTimePass(in: .seconds(1)) {
      try await phone.say("set depth 7")
      try await phone.wait { $0.number("depth") == 7 }
    }
    let count = asked.withLock { $0 }
    show.clock.advance(by: .seconds(60))
    #expect(asked.withLock { $0 } == count)
  }

  @Test func picturesOfPresetsAreThoseOfFullFramesMadeSmall() async throws {
    let clock = ManualClock()
    let stage = try InMemoryStage()
    var history = ThumbnailHistory()
    // Half of the frames of a video of 30 a second, of a quarter of the size.
    for number in 0..<60 {
      let caps = try VideoInfo(.gray8, width: 640, height: 360, frameRate: Fraction(30)).caps()
      let buffer = try #require(try Self.movingFrame(number).buffer)
      let small = try VideoInfo(.gray8, width: 320, height: 180).caps()
      try history.add(
        Sample(buffer, caps: small), of: Sample(buffer, caps: caps), at: clock.now)
      clock.advance(by: .seconds(1) / 15)
    }
    func pixels(_ preset: String) async throws -> [UInt8] {
      let values = history.scaled(try await stage.content(of: preset).values, stage.parameters)
      let last = try await SmallScan.last(of: try history.samples(), values)
      return try Self.luma(of: try #require(last))
    }
    // The rows of a depth of 40 frames: from the newest to the one 20 small frames before.
    let rows = try await pixels("Rolling Rows")
    let ends = [0, 179].map { row in
      rows[(row * 320)...].firstIndex { $0 > 128 }.map { $0 - row * 320 }
    }
    #expect(Set(ends) == [59 * 8 % 304, 40 * 8 % 304])
    // The canvas is full.
    let strip = try await pixels("Photo Finish")
    for start in stride(from: 90 * 320, to: 91 * 320, by: 160) {
      #expect(strip[start..<start + 160].contains(255))
    }
  }
}
