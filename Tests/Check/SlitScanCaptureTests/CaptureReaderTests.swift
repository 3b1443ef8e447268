// Tests of the readers of a capture: those that are slow or do not read hold up what they have to, and no stop.

import Footage
import GStreamer
import TemporaryFolder
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CaptureReaderTests {
  private let folder = TemporaryFolder()

  @Test func aReaderFromBeforeTheStartGetsEveryFrameAndTheEnd() async throws {
    let session = CaptureSession(clock: ManualClock())
    let footage = Footage()
    let source = InMemorySource(try (0..<120).map { try footage.frame($0) })
    var frames = await session.frames(delivery: .lossless)
    try await session.update { CustomVideo(from: source) }
    var last: [UInt8] = []
    // The second time, the clip plays again; the third, another one follows.
    for round in 0..<3 {
      var count = 0
      for try await frame in frames {
        last = try frame.bytes()
        #expect(try last == footage.frame(count).bytes())
        count += 1
      }
      #expect(count == (round < 2 ? 120 : 5))
      // The last frame is there as long as nothing else is opened.
      #expect(try await session.photo().sample.bytes() == last)
      #expect(try await session.photo().sample.bytes() == last)
      frames = await session.frames(delivery: .lossless)
      if round == 0 { try await session.restart() }
      if round == 1 {
        try await session.update {
          CustomVideo(from: InMemorySource(try! (0..<5).map { try footage.frame($0) }))
        }
      }
    }
    await session.stop()
    for try await _ in frames { Issue.record("A frame comes after the stop.") }
    let error = await #expect(throws: CaptureError.self) { try await session.restart() }
    #expect(error?.code == .wrongState)
  }

  @Test func anUpdateThatFailsAfterTheEndOfASourceDoesNotPlayItAgain() async throws {
    let footage = Footage()
    let memory = InMemorySource(try (0..<5).map { try footage.frame($0) })
    let session = CaptureSession(clock: ManualClock())
    let events = session.events
    try await session.update { CustomVideo(from: memory) }
    for await event in events where event == .sourceEnded { break }
    let last = try await session.photo()
    let error = await #expect(throws: CaptureError.self) {
      try await session.update { VideoFile("\(folder)/none.mp4") }
    }
    #expect(error?.code == .noSuchFile)
    #expect(await session.status.state == .ended)
    #expect(try await session.photo() == last)
    try await session.update {
      CustomVideo(from: memory)
      Scan(gain: 2)
    }
    #expect(await session.status.frames == 5)
    await session.stop()
  }

  @Test func aReaderLearnsThatTheSourceBrokeOff() async throws {
    let session = CaptureSession(clock: ManualClock())
    let footage = Footage()
    let frames = await session.frames(delivery: .lossless)
    try await session.update {
      CustomVideo(
        from: InMemorySource { number in
          guard number < 7 else { throw CaptureError(.sourceFailed, "The disc is scratched.") }
          return try footage.frame(number)
        })
    }
    var count = 0
    do throws(CaptureError) {
      for try await _ in frames { count += 1 }
      Issue.record("It ends as if that were all.")
    } catch {
      #expect(error.message == "The disc is scratched.")
    }
    #expect(count == 7)
    await session.stop()
  }

  @Test func aPhotoOfACanvasThatNeverGetsFullIsTheLastFrame() async throws {
    let session = CaptureSession(clock: ManualClock())
    let footage = Footage()
    let (more, go) = AsyncStream.makeStream(of: Void.self)
    let frames = await session.frames(delivery: .lossless)
    try await session.update {
      CustomVideo(
        from: InMemorySource { number in
          if number == 3 { for await _ in more { break } }
          return number < 9 ? try footage.frame(number) : nil
        })
      Scan(mode: .strip)
    }
    async let photo = session.photo()
    await until { await session.capture.photos.isEmpty == false }
    go.yield()
    var last: [UInt8] = []
    for try await frame in frames { last = try frame.bytes() }
    #expect(try await photo.sample.bytes() == last)
    await session.stop()
  }

  @Test func aSessionThatIsLetGoOfEndsItsReaders() async throws {
    var session: CaptureSession? = CaptureSession()
    let frames = try #require(await session?.frames(delivery: .lossless))
    session = nil
    for try await _ in frames {}
  }

  /// As after a `break` in top-level code, where Swift keeps the iterator of every loop.
  @Test func aReaderThatIsKeptAndDoesNotReadIsReportedAndCanBeStopped() async throws {
    let clock = ManualClock()
    let session = CaptureSession(clock: clock)
    let events = session.events
    try await session.update { TestPattern("ball", .small, isLive: false) }
    let frames = await session.frames(delivery: .lossless)
    var left = frames.makeAsyncIterator()
    #expect(try await left.next() != nil)
    await Self.waitForStall(events, clock)
    let still = Task { try await session.photo() }
    frames.stop()
    _ = try await still.value
    #expect(try await left.next() == nil)
    await session.stop()
  }

  /// Lets time pass until a reader that does not read is reported.
  private static func waitForStall(_ events: AsyncStream<CaptureEvent>, _ clock: ManualClock) async
  {
    let passing = Task { while !Task.isCancelled { await clock.crank() } }
    for await event in events where event == .readerStalled(for: .seconds(5)) { break }
    passing.cancel()
    await passing.value
  }

  /// Waits until a reader that does not read, and has held up a frame, holds up the source, too.
  ///
  /// Of the first stream of a capture, which is not live.
  private static func waitUntilHeldUp(_ capture: CapturePipeline) async {
    await until {
      let newest = await Int((capture.streamTime.seconds * 30).rounded())
      // The last of these waits for the reader, four more in the sink, and the next one cannot go on.
      return await newest >= capture.status.frames + 4
    }
  }

  /// Waits until the source of a change has come to its first frame, which is held.
  ///
  /// The change then waits for a moment between two frames, which never comes.
  private static func waitForChange(of capture: CapturePipeline) async {
    await until {
      await capture.stream?.pipeline.element.children.contains {
        $0.factoryName == "fakesink" && (try? $0.pad("sink"))?.caps != nil
      } ?? false
    }
  }

  /// The change waits for frames, and these for the reader.
  @Test func aStopEndsAChangeThatWaitsForAReader() async throws {
    let clock = ManualClock()
    let capture = CapturePipeline(smallPattern(), clock: clock)
    let events = capture.events
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    await Self.waitForStall(events, clock)
    await Self.waitUntilHeldUp(capture)
    let change = Task { try await capture.setSource(smallPattern("snow")) }
    await Self.waitForChange(of: capture)
    await capture.stop()
    _ = await change.result
    #expect(await capture.state == .stopped)
    // It can be started again.
    let again = await capture.frames(delivery: .lossless)
    try await capture.start()
    #expect(try await again.numbers(10).count == 10)
    await capture.stop()
    for try await _ in frames {}
  }

  @Test func aStopOfASessionEndsAnUpdateThatWaitsForAReader() async throws {
    let clock = ManualClock()
    let session = CaptureSession(clock: clock)
    let events = session.events
    try await session.update { TestPattern("ball", .small, isLive: false) }
    let capture = await session.capture
    let frames = await capture.frames(delivery: .lossless)
    await Self.waitForStall(events, clock)
    await Self.waitUntilHeldUp(capture)
    let update = Task { try await session.update { TestPattern("snow", .small, isLive: false) } }
    await Self.waitForChange(of: capture)
    await session.stop()
    _ = await update.result
    #expect(await capture.state == .stopped)
    frames.stop()
  }

  /// The update of a session that a stop found before it had come to the capture.
  @Test func aStopEndsAChangeThatHasNotHadItsTurn() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    let stops = await capture.stops
    await capture.stop()
    let error = await #expect(throws: CaptureError.self) {
      _ = try await capture.reconfigure(
        to: smallPattern("snow"), sound: nil, .off, nil, gpu: nil, recorders: [],
        stopsBefore: stops)
    }
    #expect(error?.code == .stopped)
    #expect(await capture.state == .stopped)
  }

  @Test func aLosslessReaderThatIsSlowerThanALiveSourceHoldsUpNothingAndIsReported() async throws {
    let camera = try HandDrivenCamera()
    let clock = ManualClock()
    let capture = CapturePipeline(camera, scan: .off, clock: clock)
    let events = capture.events
    let slow = await capture.frames(delivery: .lossless)
    let passing = Task { while !Task.isCancelled { await clock.crank() } }
    defer { passing.cancel() }
    let window = await capture.frames(delivery: .latest(1))
    // Where it holds something up, the test goes on and fails.
    let stalls = Task {
      for await event in events {
        guard case .readerStalled = event else { continue }
        Issue.record("The source waits for the reader.")
        slow.stop()
      }
    }
    let footage = Footage()
    try await camera.start(capture)
    var reader = slow.makeAsyncIterator()
    var times = [try #require(await reader.next()?.buffer?.presentationTime)]
    let recording = try await capture.record(to: "\(folder)/film.mkv")
    // The others see more than may wait, each before the next one comes.
    var others = window.makeAsyncIterator()
    _ = try await others.next()
    for number in 1...75 {
      try await camera.deliver(footage.frame(number))
      let shown = try #require(await others.next()?.buffer?.presentationTime)
      #expect(shown == footage.time(ofFrame: number))
      let end = (footage.time(ofFrame: number) - footage.start).nanoseconds
      await until { await recording.recorder.timeline.end + 1 >= end }
    }
    let recorded = try await recording.finish()
    #expect(recorded.frames == 75)
    #expect(recorded.droppedFrames == 0)
    let more = Task { for number in 76... { try await camera.deliver(footage.frame(number)) } }
    #expect(try await capture.photo().size == (64, 48))
    // It gets all that came until it was too slow.
    do throws(CaptureError) {
      while let frame = try await reader.next() {
        times.append(frame.buffer?.presentationTime ?? .zero)
      }
      Issue.record("It does not say that frames are missing.")
    } catch {
      #expect(error.code == .slowReader)
    }
    #expect(times == (0...60).map { footage.time(ofFrame: $0) })
    #expect(try await reader.next() == nil)
    #expect(await capture.state == .running)
    // Another one begins anew.
    for try await _ in await capture.frames(delivery: .lossless) { break }
    more.cancel()
    await capture.stop()
    stalls.cancel()
  }

  @Test func anOutletWaitsWhereTheSourceCanAndHasAQueueWhereItCannot() async throws {
    let samples = try (0..<8).map { try Footage().frame($0) }
    let outlet = Outlet(.lossless, limit: Handoff.Limit(samples: 3, bytes: .max))
    for sample in samples[0..<3] { await outlet.take(sample, isLive: true) }
    // A file follows the camera: its first frame comes after those that wait, and waits itself.
    let sending = Task {
      await outlet.take(samples[3], isLive: false)
      await outlet.take(samples[4], isLive: false)
    }
    for sample in samples[0..<5] { #expect(try await outlet.next()?.buffer == sample.buffer) }
    await sending.value
    // And a camera again.
    for sample in samples[5..<7] { await outlet.take(sample, isLive: true) }
    outlet.finish()
    await outlet.take(samples[7], isLive: true)
    for sample in samples[5..<7] { #expect(try await outlet.next()?.buffer == sample.buffer) }
    #expect(try await outlet.next() == nil)
    #expect(outlet.dropped == 0)
  }

  @Test(arguments: [(2, Int.max), (60, 2 * 64 * 48)])
  func aQueueIsBoundedInFramesAndInBytes(count: Int, bytes: Int) async throws {
    let frame = try Footage().frame(0)
    let outlet = Outlet(.lossless, limit: Handoff.Limit(samples: count, bytes: bytes))
    for _ in 0..<4 { await outlet.take(frame, isLive: true) }
    for _ in 0..<2 { #expect(try await outlet.next() != nil) }
    do throws(CaptureError) {
      _ = try await outlet.next()
      Issue.record("It does not say that frames are missing.")
    } catch {
      #expect(error.code == .slowReader)
    }
    #expect(try await outlet.next() == nil)
    // One sample always may wait.
    let narrow = Outlet(.lossless, limit: Handoff.Limit(samples: 60, bytes: 1))
    await narrow.take(frame, isLive: true)
    #expect(try await narrow.next() != nil)
  }
}
