// Tests of frames from every source, and of the source's release when its reader has gone.

import Foundation
import Footage
import GStreamer
import SeededGenerator
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct FrameSourceTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var clock: TestClock { running.clock }
  private let small = VideoRequest(width: 32, height: 16, frameRate: 30)

  @Test func aTestPatternHasTheSizeAndTheNumberOfFramesThatWereAskedFor() async throws {
    let source = TestPatternSource("ball", small, count: 20, isLive: false)
    var count = 0
    for try await frame in try await source.frames() {
      #expect(try frameSize(frame) == [32, 16])
      #expect(frame.runningTime == ClockTime(nanoseconds: UInt64(count) * 1_000_000_000 / 30))
      count += 1
    }
    #expect(count == 20)
  }

  @Test func aPatternThatDoesNotExistIsAnError() async throws {
    let source = TestPatternSource("no-such-pattern", small)
    let error = await #expect(throws: CaptureError.self) { try await source.makeElement() }
    #expect(error?.code == .sourceFailed)
  }

  @Test(
    arguments: [
      (
        VideoRequest(width: 0, height: -3),
        "The width of a frame must be from 1 to 2147483647 pixels, not 0."
      ),
      (
        VideoRequest(width: 4, height: -3),
        "The height of a frame must be from 1 to 2147483647 pixels, not -3."
      ),
      (
        VideoRequest(width: 1 << 40),
        "The width of a frame must be from 1 to 2147483647 pixels, not 1099511627776."
      ),
      (
        VideoRequest(frameRate: -30),
        "The frame rate must be 0 or more frames a second, such as 30/1, not -30/1."
      ),
      (
        VideoRequest(frameRate: Fraction(30, 0)),
        "The frame rate must be 0 or more frames a second, such as 30/1, not 30/0."
      ),
    ]) func anImpossibleRequestIsNamed(request: VideoRequest, message: String) async throws
  {
    let sources: [any FrameSource] = [
      TestPatternSource("ball", request), CameraSource(.path("/dev/video0"), request),
    ]
    for source in sources {
      let error = await #expect(throws: CaptureError.self) { try await source.makeElement() }
      #expect(error?.code == .badConfiguration)
      #expect(error?.description == message)
    }
  }

  @Test func samplesInMemoryComeBackInOrder() async throws {
    let footage = Footage()
    let samples = try (0..<50).map { try footage.frame($0) }
    let source = InMemorySource(samples)
    for _ in 0..<2 {
      var times: [ClockTime?] = []
      for try await frame in try await source.frames() {
        times.append(frame.buffer?.presentationTime)
      }
      #expect(times == samples.map(\.buffer?.presentationTime))
    }
  }

  @Test func samplesThatAreMadeEndWithTheErrorOfTheirMaker() async throws {
    struct Refusal: Error {}
    let footage = Footage()
    let own = CaptureError(.noCamera, "The cable is loose.")
    for refusal in [nil, Refusal(), own] as [(any Error)?] {
      let source = InMemorySource { number in
        guard number == 7 else { return try footage.frame(number) }
        if let refusal { throw refusal }
        return nil
      }
      var count = 0
      var failure: CaptureError?
      do {
        for try await _ in try await source.frames() { count += 1 }
      } catch {
        failure = error
      }
      #expect(count == 7)
      switch refusal {
      case nil: #expect(failure == nil)
      case is CaptureError: #expect(failure == own)
      default:
        #expect(failure?.code == .sourceFailed)
        #expect(failure?.message.contains("Refusal") == true)
      }
    }
  }

  @Test func aFileGivesItsFramesAndNotItsSound() async throws {
    let path = "\(folder)/film.mkv"
    let recorder = try await Recorder.started(to: path, RecorderSettings(audio: AudioSettings()))
    try await Footage().shoot(0..<60, with: recorder)
    try await recorder.finish()
    var count = 0
    for try await frame in try await FileSource(path).frames() {
      #expect(try frameSize(frame) == [64, 48])
      count += 1
    }
    #expect(count == 60)
  }

  @Test func aFileThatIsMissingOrIsNoVideoIsAnError() async throws {
    let missing = await #expect(throws: CaptureError.self) {
      _ = try await FileSource("/nowhere/film.mkv").frames()
    }
    #expect(missing?.code == .noSuchFile)
    let wrong = await #expect(throws: CaptureError.self) {
      _ = try await FileSource(#filePath).frames()
    }
    #expect(wrong?.code == .sourceFailed)
  }

  @Test func aMissingCameraIsAnError() async throws {
    let cameras = try await Camera.devices()
    if cameras.isEmpty {
      let error = await #expect(throws: CaptureError.self) { _ = try await CameraSource().frames() }
      #expect(error?.code == .noCamera)
    }
    let error = await #expect(throws: CaptureError.self) {
      _ = try await CameraSource(.path("/dev/no-such-camera")).frames()
    }
    #expect(error?.code == .noCamera)
  }

  @Test func everySourceFitsIntoAPipeline() async throws {
    let footage = Footage()
    let sources: [any FrameSource] = [
      TestPatternSource("ball", small, count: 10, isLive: false),
      InMemorySource(try (0..<10).map { try footage.frame($0) }),
    ]
    for source in sources {
      let pipeline = try Pipeline("videoconvert name=in ! fakesink")
      let element = try await source.makeElement()
      try await pipeline.add(element)
      try await pipeline.link(element, pipeline.element(named: "in"))
      try await pipeline.play()
      try await pipeline.waitForEnd()
      await pipeline.stop()
    }
  }

  // MARK: The end of the source

  /// Waits until the sequence has stopped what it read from.
  private func expectStopped(_ element: Element) async { await until { element.state == .null } }

  /// A source whose element can be watched.
  private actor ObservedSource: FrameSource {
    private let source = TestPatternSource()
    private(set) var element: Element?

    func makeElement() async throws(CaptureError) -> Element {
      let made = try await source.makeElement()
      element = made
      return made
    }
  }

  @Test func cancellationStopsTheSource() async throws {
    let source = ObservedSource()
    let frames = try await source.frames(delivery: .latest(1), clock: clock.clock)
    let element = try #require(await source.element)
    #expect(element.state == .playing)
    let reader = Task {
      for try await _ in frames {}
      // It has stopped already, not only will.
      #expect(element.state == .null)
    }
    reader.cancel()
    try await reader.value
    withExtendedLifetime(frames) {}
  }

  @Test func endedFramesStayEnded() async throws {
    let finite = try await TestPatternSource("ball", small, count: 3, isLive: false).frames()
    var count = 0
    for _ in 0..<2 { for try await _ in finite { count += 1 } }
    #expect(count == 3)
    let stopped = try await TestPatternSource("ball", small).frames(
      delivery: .latest(1), clock: clock.clock)
    await stopped.stop()
    for try await _ in stopped { Issue.record("There is nothing after the end.") }
  }

  @Test func endingTheReadingStopsTheSource() async throws {
    let source = ObservedSource()
    for try await _ in try await source.frames(delivery: .latest(1), clock: clock.clock) { break }
    await expectStopped(try #require(await source.element))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func cancellationMayComeAtAnyMoment(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let source = ObservedSource()
    let reader = Task {
      var count = 0
      for try await _ in try await source.frames(delivery: .latest(1), clock: clock.clock) {
        count += 1
        if count == 3 { break }
      }
    }
    for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
    reader.cancel()
    switch await reader.result {
    case .success: break
    case .failure(let error):
      #expect((error as? CaptureError)?.code == .cancelled, "\(error), seed \(seed)")
    }
    if let element = await source.element { await expectStopped(element) }
  }

  @Test func aSourceIsRecordedWithoutAnythingBetween() async throws {
    let recorder = try await Recorder.started(to: "\(folder)/film.mp4")
    let source = TestPatternSource("ball", small, count: 45, isLive: false)
    for try await frame in try await source.frames() { try await recorder.append(video: frame) }
    #expect(try await recorder.finish().frames == 45)
  }
}
