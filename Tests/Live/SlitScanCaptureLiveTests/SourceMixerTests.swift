// Tests of several sources in one capture: one that fails keeps its last frame, and can be opened again.

import GStreamer
import Testing

@testable import SlitScanCapture

/// Live: the compositor drops frames that a busy machine makes late, and by a clock of the test's they may always be.
@Suite struct SourceMixerTests {
  private static let request = VideoRequest(width: 64, height: 48, frameRate: 30)

  /// White, until it fails after three seconds.
  private actor Failing: FrameSource {
    func makeElement() async throws(CaptureError) -> Element {
      try bin(
        "videotestsrc is-live=true pattern=white ! video/x-raw,width=32,height=48,framerate=30/1 ! "
          + "identity error-after=90")
    }
  }

  /// Luma in the middle and at the left border of a frame.
  private static func luma(_ sample: Sample) throws -> (middle: UInt8, border: UInt8) {
    let frame = try sample.videoFrame()
    return (frame.row(24, ofPlane: 0)[32], frame.row(24, ofPlane: 0)[2])
  }

  @Test func aSourceThatFailsIsToldOfAndTheOthersGoOn() async throws {
    let capture = CapturePipeline(SourceMixer(count: 2, Self.request), scan: .off)
    let losses = capture.lostInputs
    try await capture.start()
    try await capture.openInput(0, TestPatternSource("black", Self.request))
    try await capture.openInput(1, Failing())
    await capture.showInput(1, over: .zero)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    // A source that fails before it is seen has no last frame.
    while try Self.luma(#require(try await reader.next())).middle < 128 {}
    for await input in losses {
      #expect(input.number == 1)
      guard case .failed(let error) = input.loss else { continue }
      #expect(error.code == .sourceFailed)
      break
    }
    for _ in 0..<20 {
      let sample = try #require(try await reader.next())
      // Narrower than the show: scaled to its height, with black at the sides.
      let (middle, border) = try Self.luma(sample)
      #expect(middle > 220, "its last frame stays")
      #expect(border < 30)
    }
    // It fails once more, so it was opened.
    try await capture.openInput(1, Failing())
    for await input in losses {
      #expect(input.number == 1)
      break
    }
    await capture.showInput(0, over: .zero)
    while try Self.luma(#require(try await reader.next())).middle > 30 {}
    #expect(await capture.state == .running)
    await capture.stop()
  }

  @Test func aSourceThatDoesNotOpenChangesNothing() async throws {
    let capture = CapturePipeline(SourceMixer(count: 2, Self.request), scan: .off)
    let losses = capture.lostInputs
    try await capture.start()
    try await capture.openInput(0, TestPatternSource("white", Self.request))
    let missing = await #expect(throws: CaptureError.self) {
      try await capture.openInput(1, FileSource("/nowhere/film.mkv"))
    }
    #expect(missing?.code == .noSuchFile)
    let wrong = await #expect(throws: CaptureError.self) {
      try await capture.openInput(1, FileSource(#filePath))
    }
    #expect(wrong?.code == .sourceFailed)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    // On a machine that is busy, frames from before come first.
    while try Self.luma(#require(try await reader.next())).middle < 128 {}
    for _ in 0..<5 { #expect(try Self.luma(#require(try await reader.next())).middle > 220) }
    await capture.stop()
    // The caller that opened it got the error; there is no event.
    await capture.losses.finish()
    for await input in losses { Issue.record("\(input)") }
  }
}
