// Tests of the preview on phones.

import Foundation
import GStreamer
import SlitScanCapture
import StreamingThread
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

@Suite(.serialized, .timeLimit(.minutes(10))) struct PreviewTests {
  /// Counts how often a feed was opened and let go of.
  private final class Openings: Sendable {
    private let counts = Lock((opened: 0, ended: 0))
    var opened: Int { counts.withLock { $0.opened } }
    var ended: Int { counts.withLock { $0.ended } }

    func open(_ width: Int, _ height: Int) throws -> AsyncStream<Sample> {
      counts.withLock { $0.opened += 1 }
      let info = try VideoInfo(.gray8, width: width, height: height)
      let buffer = try WritableBuffer(byteCount: info.byteCount).finish()
      let sample = Sample(buffer, caps: try info.caps())
      let (stream, continuation) = AsyncStream.makeStream(
        of: Sample.self, bufferingPolicy: .bufferingNewest(1))
      let feeder = Task {
        while !Task.isCancelled {
          continuation.yield(sample)
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
      continuation.onTermination = { [weak self] _ in
        feeder.cancel()
        self?.counts.withLock { $0.ended += 1 }
      }
      return stream
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
  func imagesKeepTheirProportionsAndGoToThoseWhoWatch(
    width: Int, height: Int, wantedWidth: Int, wantedHeight: Int
  ) async throws {
    let openings = Openings()
    let show = try await Show(feed: PreviewFeed { try openings.open(width, height) })
    let (first, second) = (try await Phone(to: show.port), try await Phone(to: show.port))
    #expect(openings.opened == 0)
    try await first.say(#"{"look":true}"#)
    try await second.say(#"{"look":true}"#)
    try await first.wait { $0.images.count == 1 }
    try await second.wait { $0.images.count == 1 }
    let image = try #require(size(of: first.images[0]))
    #expect(image == (wantedWidth, wantedHeight))
    // One for both of them.
    #expect(openings.opened == 1)
    // Who has not shown one gets no other, and holds up nobody.
    for count in 2...5 {
      try await second.say(#"{"seen":true}"#)
      try await second.wait { $0.images.count == count }
    }
    try await first.say("set depth 7")
    try await first.wait { $0.number("depth") == 7 }
    #expect(first.images.count == 1)
    // When nobody looks, nothing is read.
    try await first.say(#"{"look":false}"#)
    second.wire.close()
    while openings.ended == 0 { try await Task.sleep(for: .milliseconds(10)) }
    try await first.say(#"{"look":true}"#)
    try await first.wait { $0.images.count == 2 }
    // To look away is no failure, also while an image is being made.
    #expect(first.notes.isEmpty)
    await show.remote.stop()
    while openings.ended < 2 { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func aFeedThatFailsIsReportedOnceAndTriedAgain() async throws {
    let tries = Lock(0)
    let openings = Openings()
    let show = try await Show(
      feed: PreviewFeed { () throws -> AsyncStream<Sample> in
        let number = tries.withLock {
          $0 += 1
          return $0
        }
        guard number > 2 else { throw StageError(.noVideo, "There is no camera.") }
        return try openings.open(64, 48)
      })
    let phone = try await Phone(to: show.port)
    try await phone.say(#"{"look":true}"#)
    try await phone.wait { $0.images.count == 1 }
    #expect(phone.notes.filter { $0.contains("There is no camera.") }.count == 1)
    await show.remote.stop()
  }
}
