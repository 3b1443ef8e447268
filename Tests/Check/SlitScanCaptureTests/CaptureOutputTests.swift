// Tests of what a capture puts out beside its frames: recordings, stills and previews that come and go, and black.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CaptureOutputTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  @Test func recordingsBeginAndEndWhileFramesFlow() async throws {
    let capture = CapturePipeline(smallPattern(), scan: ["depth": 10], clock: ManualClock())
    let recordings = try await expectFrames(200, of: capture) {
      var recordings: [RecordedFile] = []
      for number in 0..<3 {
        let recording = try await capture.record(to: "\(folder)/\(number).mkv")
        let end = await capture.time + .seconds(1)
        await until { await capture.time >= end }
        recordings.append(try await recording.finish())
      }
      return recordings
    }
    await capture.stop()
    for recording in recordings {
      let stream = try await DecodedFile(path: recording.path).stream("v")
      #expect(stream.frames == recording.frames)
      #expect(recording.frames > 0)
      #expect(recording.skippedFrames == 0)
      let times = try await DecodedFile(path: recording.path).packets("v").map(\.presentation)
        .sorted()
      for (time, next) in zip(times, times.dropFirst()) {
        #expect(abs(next - time - 1 / 30) < 0.002)
      }
    }
  }

  @Test func aRecordingThatFailsHarmsNothingElse() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    let events = capture.events
    let whole = try await expectFrames(200, of: capture) {
      await #expect(throws: CaptureError.self) {
        try await capture.record(to: "\(folder)/none/x.mkv")
      }
      let whole = try await capture.record(to: "\(folder)/whole.mkv")
      let full = try await capture.record(to: "/dev/full", RecorderSettings(container: .matroska))
      for await event in events {
        guard case .recordingFailed(let path, let error) = event else { continue }
        #expect(path == "/dev/full")
        #expect(error.code == .diskFull)
        break
      }
      await #expect(throws: CaptureError.self) { try await full.finish() }
      return whole
    }
    #expect(try await whole.finish().frames > 0)
    await capture.stop()
  }

  /// Frames and sound both find that it is over.
  @Test func aRecordingThatFailsSaysSoOnce() async throws {
    var capture: CapturePipeline? = CapturePipeline(
      smallPattern(), sound: TestToneSource(isLive: false), clock: ManualClock())
    let events = try #require(capture?.events)
    try await capture?.start()
    _ = try await capture?.record(
      to: "/dev/full", RecorderSettings(container: .matroska, audio: AudioSettings()))
    for await case .recordingFailed in events { break }
    // Each has come to its next sample.
    let frames = await capture?.status.frames ?? 0
    await until { await capture?.status.frames ?? 0 > frames + 100 }
    await capture?.stop()
    capture = nil
    for await case .recordingFailed in events { Issue.record("It says so again.") }
  }

  @Test func stopCompletesWhatIsBeingRecorded() async throws {
    let capture = CapturePipeline(
      smallPattern(isLive: true), sound: TestToneSource(), scan: ["depth": 10], on: clock)
    try await capture.start()
    let recording = try await capture.record(to: "\(folder)/out.mp4")
    await until { await recording.recorder.timeline.end >= 1_000_000_000 }
    let results = await capture.stop()
    #expect(results.count == 1)
    #expect(await capture.status.recordings.isEmpty)
    // What has been completed before is not told again.
    try await capture.start()
    let early = try await capture.record(to: "\(folder)/early.mp4")
    #expect(await capture.status.recordings.map(\.path) == [early.path])
    // Its frame is in the recording.
    _ = try await capture.photo()
    _ = try await early.finish()
    #expect(await capture.status.recordings.isEmpty)
    #expect(await capture.stop().isEmpty)
    #expect(
      try await DecodedFile(path: "\(folder)/out.mp4").stream("v").frames == results.first?.frames)
    #expect(try await DecodedFile(path: "\(folder)/out.mp4").stream("a").frames > 0)
  }

  @Test func stillsAreWholeFramesInTheirMode() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    await #expect(throws: CaptureError.self) { try await capture.photo() }
    try await capture.start()
    let photo = try await capture.photo()
    #expect(try photo.size == (64, 48))
    for name in ["still.png", "still.jpg"] {
      try await photo.write(to: "\(folder)/\(name)")
      #expect(try await DecodedFile(path: "\(folder)/\(name)").stream("v").width == 64)
    }
    // A canvas that is full has as many columns as frames have come; none is black.
    try await capture.setScan(
      ["mode": "strip", "angle": 90, "canvas-length": 50, "warmup": "black"])
    for _ in 0..<3 {
      let canvas = try await capture.photo()
      #expect(try canvas.size == (50, 48))
    }
    let error = await #expect(throws: CaptureError.self) {
      try await photo.write(to: "\(folder)/none/still.png")
    }
    #expect(error?.code == .notWritable)
    await #expect(throws: CaptureError.self) { try await photo.write(to: "\(folder)/still.bmp") }
    #expect(try folder.files.count == 2)
    await capture.stop()
  }

  /// Without what is the same as the one before.
  private static func turns(_ levels: [Bool]) -> [Bool] {
    levels.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  @Test func blackIsShownAndRecordedAndStillsAreWhatTheEffectMakes() async throws {
    let capture = CapturePipeline(smallPattern("white"), clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let recording = try await capture.record(to: "\(folder)/film.mkv")
    let watching = Task {
      var seen: [(isBright: Bool, number: Int)] = []
      for try await frame in frames {
        let time = frame.buffer?.presentationTime?.seconds ?? -1
        seen.append((try frame.level() > 128, Int((time * 30).rounded())))
      }
      return seen
    }
    for isBlack in [false, true, false] {
      await capture.setBlack(isBlack)
      #expect(await capture.isBlack == isBlack)
      // Once the second is there, the frame of the first has gone everywhere.
      for _ in 0..<2 { #expect(try await capture.photo().sample.level() > 128) }
    }
    let recorded = try await recording.finish()
    frames.stop()
    let seen = try await watching.value
    await capture.stop()
    // A frame for each frame, black or not.
    #expect(seen.map(\.number) == Array(0..<seen.count))
    #expect(Self.turns(seen.map(\.isBright)) == [true, false, true])
    var levels: [Bool] = []
    for try await frame in try await FileSource(recorded.path).frames() {
      levels.append(try frame.level() > 128)
    }
    #expect(levels.count == recorded.frames)
    #expect(Self.turns(levels) == [true, false, true])
  }

  /// What GStreamer has no test pattern of, too.
  @Test(arguments: [
    "I420", "P010_10LE", "GRAY8,multiview-mode=side-by-side", "RGBA,multiview-mode=top-bottom",
  ])
  func theFirstFrameAfterTheKeyIsBlack(format: String) async throws {
    let caps = try Caps("video/x-raw,format=\(format),width=16,height=16,framerate=25/1")
    let info = try VideoInfo(caps)
    let samples = try (0..<6).map { number in
      var buffer = try WritableBuffer(info)
      buffer.presentationTime = .milliseconds(UInt64(number) * 40)
      try buffer.withMutableBytes { bytes in
        for index in 0..<bytes.byteCount {
          bytes.storeBytes(of: 200, toByteOffset: index, as: UInt8.self)
        }
      }
      return Sample(buffer.finish(), caps: caps)
    }
    let capture = CapturePipeline(InMemorySource(samples), scan: .off, clock: ManualClock())
    await capture.setBlack(true)
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    var reader = frames.makeAsyncIterator()
    for number in 0..<6 {
      let frame = try #require(await reader.next())
      #expect(frame.buffer?.presentationTime == .milliseconds(UInt64(number) * 40))
      // The high byte of the first sample; 16 is black where it is not 0.
      let pixels = try frame.videoFrame()
      #expect(pixels.row(0, ofPlane: 0)[1] <= 16)
    }
    await capture.stop()
  }

  /// The first frames come before the pipeline says that it plays.
  @Test func aStillCanBeTakenFromTheFirstFrameOn() async throws {
    for _ in 0..<20 {
      let capture = CapturePipeline(smallPattern(isLive: true), on: clock)
      let starting = Task { try await capture.start() }
      await until { await capture.time != .zero }
      #expect(try await capture.photo().size == (64, 48))
      try await starting.value
      await capture.stop()
    }
  }

  @Test func waitingForAStillEndsWithACancellationOrAStop() async throws {
    // A sweep that is not over before the test is.
    let clock = TestClock()
    let capture = CapturePipeline(
      smallPattern(isLive: true), scan: ["mode": "sweep", "sweep-duration": "1h"], on: clock)
    try await clock.run { try await capture.start() }
    let waiting = Task { try await capture.photo() }
    await until { await !capture.photos.isEmpty }
    waiting.cancel()
    await #expect(throws: CaptureError.self) { try await waiting.value }
    let other = Task { try await capture.photo() }
    await until { await !capture.photos.isEmpty }
    await capture.stop()
    await #expect(throws: CaptureError.self) { try await other.value }
  }

  @Test func aPreviewThatIsOpenedDuringAStopIsClosedByIt() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    try await capture.start()
    let first = try #require(await capture.previews[try capture.openPreview("fakesink")])
    // As long as the test holds its pipeline, it is not disposed of, and the stop waits for that.
    var held: Pipeline? = await first.parts?.pipeline
    async let stopped = capture.stop()
    await until { await first.parts == nil }
    let second = try #require(await capture.previews[try capture.openPreview("fakesink")])
    #expect(await second.parts != nil)
    withExtendedLifetime(held) {}
    held = nil
    _ = await stopped
    #expect(await second.parts == nil)
    #expect(await capture.status.previews.isEmpty)
  }

  @Test func previewsComeAndGoWithoutALostFrame() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    try await expectFrames(300, of: capture) {
      for _ in 0..<5 {
        let preview = try await capture.openPreview("fakesink")
        _ = try await capture.photo()
        await capture.closePreview(preview)
      }
      await #expect(throws: CaptureError.self) { try await capture.openPreview("no-such-sink") }
    }
    await capture.stop()
  }

  @Test func aClosedPreviewReleasesItsSink() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    try await capture.start()
    for _ in 0..<20 {
      let preview = try await capture.openPreview("fakesink")
      let sink = try await Self.sink(of: capture)
      #expect(!sink.isGone)
      await capture.closePreview(preview)
      #expect(sink.isGone)
    }
    await capture.stop()
  }

  /// The sink of the only preview, not held.
  private static func sink(of capture: CapturePipeline) async throws -> WeakElement {
    let display = try #require(await capture.previews.values.first)
    return WeakElement(try #require(await display.parts).display)
  }

  @Test func aPreviewThatBreaksOffIsClosedAndTheRestGoesOn() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    let events = capture.events
    try await expectFrames(300, of: capture) {
      let preview = try await capture.openPreview("identity error-after=10 ! fakesink")
      for await event in events {
        guard case .previewFailed(let id, let error) = event else { continue }
        #expect(id == preview)
        #expect(error.code == .previewFailed)
        break
      }
    }
    await capture.stop()
  }
}
