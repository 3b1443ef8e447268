// Tests of sources and recorders that need a process of their own: leaks, and a pool of one thread.

import Foundation
import Footage
import GStreamer
import LeakChecker
import OneThreadPool
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct ProcessTests {
  @Test func whateverEndsASourceOrARecordingNothingIsLeaked() async {
    await #expect(processExitsWith: .success) {
      setenv("GST_TRACERS", "leaks", 1)
      try await CaptureEndings.all()
      try LeakChecker.begin()
      try await CaptureEndings.all()
      #expect(try LeakChecker.leaks() == [])
    }
  }

  @Test func withOneCooperativeThreadNoSourceOrRecordingWaitsForItself() async {
    await #expect(processExitsWith: .success) {
      try #require(one_thread_pool_install())
      try await Task.detached {
        #expect(one_thread_pool_is_current())
        try await CaptureEndings.all()
        #expect(one_thread_pool_is_current())
      }.value
    }
  }
}

/// Every way in which sources and recordings end, one after the other.
enum CaptureEndings {
  static func all() async throws {
    let folder = TemporaryFolder()
    for container in Container.allCases {
      let path = "\(folder.path)/film.\(container.pathExtension)"
      try await finish(path)
      try await read(path)
      try await breakOff(path)
      try await fail(path)
      try await letGo(path)
    }
    try await refuse()
    try await change(folder.path)
    try await mapImages()
    try await letCaptureGo("\(folder.path)/let-go.mkv")
    try await pattern()
    try await memory()
    try await cancel()
  }

  private static let footage = Footage()

  // MARK: Recordings

  private static func record(_ path: String) async throws -> Recorder {
    let recorder = try await Recorder.started(to: path, RecorderSettings(audio: AudioSettings()))
    try await footage.shoot(0..<40, with: recorder)
    return recorder
  }

  private static func finish(_ path: String) async throws {
    let recorder = try await record(path)
    await recorder.pause()
    try await footage.shoot(40..<50, with: recorder)
    await recorder.resume()
    try await footage.shoot(50..<60, with: recorder)
    #expect(try await recorder.finish().frames == 50)
  }

  private static func breakOff(_ path: String) async throws {
    let recorder = try await record(path)
    await recorder.cancel()
    await #expect(throws: CaptureError.self) { try await recorder.finish() }
  }

  private static func fail(_ path: String) async throws {
    let recorder = try await record(path)
    try await recorder.streams?.pipeline.element(named: "video-format")
      .set("caps", to: Caps("video/x-raw,format=GRAY16_LE"))
    await #expect(throws: CaptureError.self) {
      for number in 40..<200 { try await recorder.append(video: footage.frame(number)) }
    }
  }

  private static func letGo(_ path: String) async throws { _ = try await record(path) }

  private static func refuse() async throws {
    let recorder = try Recorder(to: "/proc/film.mkv")
    await #expect(throws: CaptureError.self) { try await recorder.start() }
  }

  // MARK: Captures

  private static func change(_ folder: String) async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let session = CaptureSession(on: clock)
    for (number, map) in ["radial", "angular", "spiral"].enumerated() {
      try await session.update {
        TestPattern(number == 1 ? "white" : "ball", .small, isLive: number != 1)
        if number < 2 { TestTone(frequency: 220 * Double(number + 1), delay: .center) }
        Scan(["map": .string(map), "depth": 5])
        Preview("fakesink")
        if number == 1 { Preview("identity error-after=3 ! fakesink") }
        if number > 0 { Record(to: "\(folder)/session-\(number).mkv") }
      }
      try await session.photo().write(to: "\(folder)/still.png")
    }
    for try await _ in await session.frames(delivery: .lossless) { break }
    for part: any CapturePart in [
      Record(to: "\(folder)/none/film.mkv"), Scan(["depth": 0]), Preview("no-such-sink"),
    ] {
      await #expect(throws: CaptureError.self) {
        try await session.update(to: CaptureConfiguration([TestPattern(), part]))
      }
    }
    await #expect(throws: CaptureError.self) {
      try await session.update { VideoFile("/no/film.mkv") }
    }
    let photo = Task { try await session.photo() }
    photo.cancel()
    _ = await photo.result
    await session.stop()
  }

  /// An image as the map, through a stop, another source and the end.
  private static func mapImages() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(
      TestPatternSource("ball", .small), scan: ["map": "live"], on: clock)
    let image = try MapImage(width: 2, height: 1, gray8: [0, 255])
    try await capture.setMapImage(image)
    for _ in 0..<2 {
      try await capture.start()
      _ = try await capture.photo()
      try await capture.setMapImage(image)
      await capture.stop()
    }
    try await capture.start()
    try await capture.setMapImage(nil)
    try await capture.setMapImage(image)
  }

  private static func letCaptureGo(_ path: String) async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(
      TestPatternSource("ball", .small), sound: TestToneSource(), scan: ["depth": 5], on: clock)
    try await capture.start()
    try await capture.openPreview("fakesink")
    _ = try await capture.record(to: path)
    _ = try await capture.photo()
  }

  // MARK: Sources

  private static func read(_ path: String) async throws {
    var count = 0
    for try await _ in try await FileSource(path).frames() { count += 1 }
    #expect(count == 50)
    // As it is, and somewhere in it.
    let clock = TestClock.running()
    defer { clock.stop() }
    for try await _ in try await FileSource(path, isPaced: true).frames(clock: clock.clock) {
      break
    }
    await #expect(throws: CaptureError.self) { _ = try await FileSource(#filePath).frames() }
  }

  private static func pattern() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let request = VideoRequest(width: 32, height: 16, frameRate: 100)
    var count = 0
    for try await _ in try await TestPatternSource("ball", request, count: 20).frames(
      clock: clock.clock)
    { count += 1 }
    #expect(count == 20)
    let frames = try await TestPatternSource("ball", request).frames(
      delivery: .latest(1), clock: clock.clock)
    await frames.stop()
    for try await _ in frames { Issue.record("There is nothing after the end.") }
    await #expect(throws: CaptureError.self) {
      _ = try await TestPatternSource("no-such-pattern").frames()
    }
  }

  private static func memory() async throws {
    let samples = try (0..<20).map { try footage.frame($0) }
    let source = InMemorySource(samples)
    var count = 0
    for try await _ in try await source.frames() { count += 1 }
    #expect(count == 20)
    for try await _ in try await source.frames() { break }
    // An element that is never used.
    _ = try await source.makeElement()
  }

  private static func cancel() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let reader = Task {
      for try await _ in try await TestPatternSource().frames(
        delivery: .latest(1), clock: clock.clock)
      {}
    }
    for _ in 0..<50 { await Task.yield() }
    reader.cancel()
    _ = await reader.result
  }
}
