// Tests of the preview on phones.

import Foundation
import GStreamer
import SlitScanCapture
import StreamingThread
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

@Suite(.serialized) struct PreviewTests {
  /// A feed whose frames a test sends, and which says when it is opened and let go of.
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
}
