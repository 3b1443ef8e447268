// Tests of the sources of a capture: they open, fail, end, fall silent, and take over from each other.

import Foundation
import Footage
import GStreamer
import TemporaryFolder
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CaptureSourceTests {
  private let folder = TemporaryFolder()
  private let running = RunningClock()
  private var clock: TestClock { running.clock }

  /// A source that is opened when the test wants it.
  private actor SlowSource: FrameSource {
    private let source: any FrameSource
    private let (mayOpen, permission) = AsyncStream.makeStream(of: Void.self)
    private(set) var isAsked = false

    init(_ source: any FrameSource) { self.source = source }

    func makeElement() async throws(CaptureError) -> Element {
      isAsked = true
      for await _ in mayOpen { break }
      return try await source.makeElement()
    }

    nonisolated func open() { permission.finish() }
  }

  @Test func whatIsSetWhileTheSourceOpensIsSet() async throws {
    let source = SlowSource(smallPattern(isLive: true))
    let capture = CapturePipeline(source, scan: ["depth": 20], on: clock)
    async let start: Void = capture.start()
    await until { await source.isAsked }
    try await capture.set("depth", to: 33)
    try await capture.set("map", to: "radial")
    source.open()
    try await start
    #expect(await capture.value(of: "depth") == .uint(33))
    #expect(await capture.value(of: "map") == .nick("radial"))
    await capture.stop()
  }

  @Test func aSourceThatEndsWhileAnotherOpensIsReplaced() async throws {
    let capture = CapturePipeline(smallPattern(count: 20), scan: .off, on: clock)
    let events = capture.events
    try await capture.start()
    let next = SlowSource(smallPattern(isLive: true))
    let change = Task { try await capture.setSource(next) }
    for await event in events where event == .sourceEnded { break }
    next.open()
    try await change.value
    #expect(await capture.state == .running)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    for _ in 0..<5 { #expect(try await reader.next() != nil) }
    await capture.stop()
  }

  @Test func aSourceThatTakesOverAtTheVeryEndOfAnotherOnePlays() async throws {
    let capture = CapturePipeline(
      smallPattern("black", count: 3), scan: .off, clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let change = try await changeAtTheVeryEnd(of: capture)
    #expect(try await frames.numbers(4) == [0, 1, 2])
    _ = try await change.value
    try #require(await capture.state == .running)
    let more = await capture.frames()
    var reader = more.makeAsyncIterator()
    #expect(try await reader.next()?.level() == 235)
    await capture.stop()
  }

  @Test func aStopEndsAChangeThatWaitsForFramesWithoutTheirSound() async throws {
    let (footage, never) = (Footage(start: .zero), ManualClock())
    let sound = InMemorySource { number in
      if number == 1 { try await never.sleep(until: never.now + .seconds(1)) }
      return try footage.sound(number)
    }
    let capture = CapturePipeline(
      smallPattern("black", count: 33), sound: InMemorySound(sound), scan: .off,
      clock: ManualClock())
    var frames = await capture.frames(delivery: .latest(100)).makeAsyncIterator()
    try await capture.start()
    // The next one is more than a second ahead of the sound.
    for _ in 0...30 { _ = try await frames.next() }
    let change = try await changeAtTheVeryEnd(of: capture)
    await capture.stop()
    await #expect(throws: CaptureError.self) { try await change.value }
    #expect(await capture.state == .stopped)
  }

  /// Begins to change to another source once the end of the one before has passed the effect; the reader has some frames
  /// before it.
  private func changeAtTheVeryEnd(
    of capture: CapturePipeline
  ) async throws -> Task<[ActiveRecording], any Error> {
    let stream = try #require(await capture.stream)
    let successor = try await stream.open(smallPattern("white"))
    let input = try stream.effect.element.pad("sink")
    await until { input.hasEnded }
    let stopgap = try #require(try successor.input.element.pad("src").peer?.element)
    let change = Task {
      try await capture.changing { stops throws(CaptureError) in
        try await capture.replace(with: .successor(successor), nil, [], since: stops)
      }
    }
    // The successor was given up.
    await until { stopgap.parent == nil }
    for _ in 0..<1000 { _ = await capture.state }
    return change
  }

  @Test func aSourceThatSendsNothingCanBeStopped() async throws {
    let capture = CapturePipeline(try HandDrivenCamera(), scan: .off, clock: ManualClock())
    let start = Task { try await capture.start() }
    await until { await capture.stream != nil }
    await capture.stop()
    await #expect(throws: CaptureError.self) { try await start.value }
    #expect(await capture.state == .stopped)
  }

  /// A source of a device that takes one at a time: it opens once the one before is closed.
  private actor BusySource: FrameSource {
    private let source: any FrameSource
    private var count = 0

    init(_ source: any FrameSource) { self.source = source }

    func makeElement() async throws(CaptureError) -> Element {
      count += 1
      guard count > 1 else { throw CaptureError(.cameraBusy, "It is busy.") }
      return try await source.makeElement()
    }
  }

  @Test func cancellingASourceChangeKeepsTheCurrentSource() async throws {
    let capture = CapturePipeline(smallPattern(isLive: true), scan: .off, on: clock)
    try await capture.start()
    let first = await capture.stream?.pipeline
    let change = Task { try await capture.setSource(BusySource(try HandDrivenCamera())) }
    await until { await capture.stream?.pipeline !== first }
    change.cancel()
    await #expect(throws: CaptureError.self) { try await change.value }
    #expect(await capture.state == .running)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    for _ in 0..<5 { #expect(try await reader.next() != nil) }
    await capture.stop()
  }

  @Test func aSourceThatIsAskedForBeforeAStopDoesNotOpenAfterIt() async throws {
    let source = SlowSource(BusySource(smallPattern()))
    let capture = CapturePipeline(smallPattern(), scan: .off, clock: ManualClock())
    try await capture.start()
    let change = Task { try await capture.setSource(source) }
    await until { await source.isAsked }
    let stops = await capture.stops
    async let stop = capture.stop()
    await until { await capture.stops > stops }
    // It is busy, and to be opened anew.
    source.open()
    let error = await #expect(throws: CaptureError.self) { try await change.value }
    #expect(error?.code == .stopped)
    _ = await stop
    #expect(await capture.state == .stopped)
  }

  /// Where a source takes over, its first frame has waited for that.
  @Test(arguments: [false, true]) func timeGoesOnFromASourceToALiveOne(isLive: Bool) async throws {
    let capture = CapturePipeline(smallPattern(isLive: isLive), scan: .off, on: clock)
    // Of a live source, more frames may come at once than a lossless reader may leave waiting.
    let frames = await capture.frames(delivery: .latest(10_000))
    try await capture.start()
    var reader = frames.makeAsyncIterator()
    var times: [ClockTime] = []
    // Without a live source, ten seconds of video in no time.
    for _ in 0..<(isLive ? 5 : 300) { times.append(try #require(await reader.next()?.runningTime)) }
    let reading = Task {
      while let frame = try await reader.next() { times.append(try #require(frame.runningTime)) }
      return times
    }
    let successor = try await capture.prepare(smallPattern("snow", isLive: true))
    clock.advance(by: .milliseconds(200))
    _ = try await capture.replace(with: successor, nil, [], since: capture.stops)
    let count = await capture.status.frames
    await until { await capture.status.frames >= count + 10 }
    await capture.stop()
    frames.stop()
    let read = try await reading.value
    let back = zip(read, read.dropFirst()).filter { $1 <= $0 }
    #expect(back.isEmpty, "\(back)")
  }

  @Test func theOldFramesOfALiveSourceAreDroppedHoweverLateTheyCome() async throws {
    let frame = try #require(try Footage().frame(0).buffer)
    let clock = ManualClock()
    var reached = CaptureStream.ReachedFrame(on: clock)
    _ = reached.follow(with: frame, at: .seconds(2))
    reached.takeOver(isLive: true)
    clock.advance(by: .seconds(1.1))
    var passes: [Bool] = []
    // A time that goes back later is the source's own.
    for second in [1, 3, 1] {
      passes.append(reached.follow(with: frame, at: .seconds(Double(second))))
    }
    #expect(passes == [false, true, true])
  }

  @Test func framesWithoutTimesFollowEachOther() async throws {
    let camera = try HandDrivenCamera()
    let capture = CapturePipeline(camera, scan: .off, clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    var reader = frames.makeAsyncIterator()
    async let start: Void = capture.start()
    var times: [ClockTime] = []
    for number in 0..<4 {
      let sample = try Footage().frame(number)
      var buffer = try WritableBuffer(copying: try #require(sample.buffer))
      buffer.presentationTime = nil
      buffer.duration = nil
      try await camera.deliver(Sample(buffer.finish(), caps: try #require(sample.caps)))
      times.append(try #require(await reader.next()?.buffer?.presentationTime))
    }
    try await start
    #expect(times.map { $0.nanoseconds / 1_000_000 } == [0, 33, 66, 99])
    await capture.stop()
  }

  @Test func aSourceIsSilentThatHasSentNothingForSeveralLooks() async throws {
    let camera = try HandDrivenCamera()
    let clock = ManualClock()
    let capture = CapturePipeline(camera, scan: .off, outlivesSource: true, clock: clock)
    let losses = capture.lostInputs
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    let footage = Footage()
    try await camera.start(capture)
    _ = try await reader.next()
    // As after a suspended night: a long time without a look at the stream.
    for number in 1...4 {
      for _ in 0..<4 {
        clock.advance(by: .seconds(3600))
        await capture.giveUpSilentInputs(after: .seconds(5), among: [0])
      }
      try await camera.deliver(footage.frame(number))
      _ = try await reader.next()
    }
    #expect(await capture.inputLoss(0) == nil)
    // Looks that follow each other quickly tell nothing either.
    for _ in 0..<10 { await capture.giveUpSilentInputs(after: .seconds(5), among: [0]) }
    #expect(await capture.inputLoss(0) == nil)
    for _ in 0..<4 {
      #expect(await capture.inputLoss(0) == nil)
      clock.advance(by: .seconds(3600))
      await capture.giveUpSilentInputs(after: .seconds(5), among: [0])
    }
    for await input in losses {
      #expect(input.number == 0)
      guard case .failed(let error) = input.loss else { continue }
      #expect(error.message.hasPrefix("The source has sent no frames for"))
      break
    }
    #expect(await capture.state == .running)
    await capture.stop()
  }

  /// The error that ends a capture of ten frames, of which one is replaced.
  private static func failure(
    with broken: (Buffer) throws -> Buffer, at number: Int
  ) async throws -> CaptureError? {
    let footage = Footage(width: 16, height: 16)
    let samples = try (0..<10).map { index in
      let sample = try footage.frame(index)
      guard index == number else { return sample }
      return Sample(try broken(#require(sample.buffer)), caps: try #require(sample.caps))
    }
    let capture = CapturePipeline(InMemorySource(samples), clock: ManualClock())
    let events = capture.events
    var failure: CaptureError?
    do throws(CaptureError) {
      try await capture.start()
      for await event in events {
        if case .sourceFailed(let error) = event { failure = error }
        if failure != nil || event == .sourceEnded { break }
      }
    } catch {
      // It came before the capture had begun, and is no event.
      failure = error
    }
    await capture.stop()
    return failure
  }

  @Test(arguments: [0, 1, 7]) func aFrameThatIsTooSmallIsAnErrorAndNotTheEnd(
    number: Int
  ) async throws {
    let failure = try await Self.failure(
      with: { frame in
        var buffer = try WritableBuffer(byteCount: 10)
        buffer.presentationTime = frame.presentationTime
        return buffer.finish()
      }, at: number)
    let message = try #require(failure?.message)
    #expect(message.contains("Frame \(number):") && message.contains("10 bytes"), "\(message)")
  }

  @Test(arguments: [0, 1, 7]) func aFrameWithoutATimeIsAnErrorThatSaysWhich(number: Int)
    async throws
  {
    let failure = try await Self.failure(
      with: { frame in
        var buffer = try WritableBuffer(copying: frame)
        buffer.presentationTime = nil
        return buffer.finish()
      }, at: number)
    #expect(failure?.code == .noTime)
    let message = try #require(failure?.description)
    #expect(message.contains("sample \(number)."), "\(message)")
  }

  @Test func anotherSourceTakesOverBetweenTwoFrames() async throws {
    let capture = CapturePipeline(smallPattern("black"), clock: ManualClock())
    try await expectFrames(600, of: capture) {
      for number in 0..<10 {
        _ = try await capture.photo()
        try await capture.setSource(smallPattern(number % 2 == 0 ? "white" : "black"))
      }
    }
    await capture.stop()
  }

  @Test(arguments: [true, false]) func aSourceMayBeLiveOrNot(isLive: Bool) async throws {
    let capture = CapturePipeline(smallPattern(isLive: isLive), on: clock)
    try await capture.start()
    _ = try await capture.photo()
    for isLive in [!isLive, isLive, isLive, !isLive] {
      try await capture.setSource(smallPattern("white", isLive: isLive))
      _ = try await capture.photo()
    }
    await capture.stop()
  }

  @Test func aSourceThatDoesNotOpenChangesNothing() async throws {
    let capture = CapturePipeline(smallPattern(), clock: ManualClock())
    try await expectFrames(300, of: capture) {
      for source: any FrameSource in [
        FileSource("/no/such/film.mkv"), CameraSource(.path("/dev/video77")),
        TestPatternSource("no-such-pattern"),
      ] { await #expect(throws: CaptureError.self) { try await capture.setSource(source) } }
    }
    #expect(await capture.state == .running)
    await capture.stop()
  }

  @Test func afterTheEndOfASourceAnotherGoesOnWithTimeAndRecordings() async throws {
    let camera = try HandDrivenCamera()
    let footage = Footage()
    let capture = CapturePipeline(camera, clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    let events = capture.events
    let watching = Task { try await frames.numbers(90) }
    try await camera.start(capture)
    let recording = try await capture.record(to: "\(folder)/both.mkv")
    for number in 1..<50 { try await camera.deliver(footage.frame(number)) }
    try await camera.end()
    for await event in events where event == .sourceEnded { break }
    let more = await capture.frames(delivery: .lossless)
    let watchingMore = Task { try await more.numbers(90) }
    try await capture.setSource(smallPattern(count: 40))
    for await event in events where event == .sourceEnded { break }
    let numbers = try await watching.value + watchingMore.value
    #expect(numbers.map { $0 - numbers[0] } == Array(0..<90))
    #expect(try await recording.finish().frames == 89)
    await capture.stop()
  }

  @Test func aFrameThatWaitsForSoundIsDroppedWithItsSource() async throws {
    let (footage, never, openings) = (Footage(start: .zero), ManualClock(), Shared(0))
    // A moment of it at first, and enough when it is opened again.
    let sound = InMemorySource { number in
      if number == 0 { openings.withLock { $0 += 1 } }
      if number == 1, openings.value == 1 {
        try await never.sleep(until: never.now + .seconds(1))
      }
      return number < 60 ? try footage.sound(number) : nil
    }
    let capture = CapturePipeline(
      smallPattern("black"), sound: InMemorySound(sound), clock: ManualClock())
    var frames = await capture.frames(delivery: .latest(100)).makeAsyncIterator()
    try await capture.start()
    // The next one is more than a second ahead of the sound.
    for _ in 0...30 { _ = try await frames.next() }
    try await capture.setSource(BusySource(smallPattern("white", count: 10)))
    var levels: [UInt8] = []
    while let frame = try await frames.next() { try levels.append(frame.level()) }
    #expect(levels == Array(repeating: 235, count: 10))
    await capture.stop()
  }

  @Test func aSourceThatBreaksOffIsSaidAndRecordingsStayWhole() async throws {
    let recorder = try await Recorder.started(to: "\(folder)/film.mkv")
    for number in 0..<90 { try await recorder.append(video: Footage().frame(number)) }
    try await recorder.finish()
    // A file with a hole in it.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/film.mkv"))
    bytes.removeSubrange(bytes.count / 2..<bytes.count)
    bytes.append(Data(repeating: 7, count: 5000))
    try bytes.write(to: URL(fileURLWithPath: "\(folder)/broken.mkv"))
    let capture = CapturePipeline(FileSource("\(folder)/broken.mkv"), clock: ManualClock())
    let events = capture.events
    try await capture.start()
    let recording = try await capture.record(to: "\(folder)/out.mkv")
    event: for await event in events {
      switch event {
      case .sourceEnded, .sourceFailed: break event
      default: continue
      }
    }
    _ = try? await recording.finish()
    await capture.stop()
  }

  @Test func soundThatBreaksOffEndsNoFrames() async throws {
    let capture = CapturePipeline(smallPattern(isLive: true), sound: TestToneSource(), on: clock)
    let events = capture.events
    try await capture.start()
    await #expect(throws: CaptureError.self) {
      try await capture.setSound(TestToneSource("no-such-wave"))
    }
    try await capture.setSound(BreakingSound())
    for await event in events {
      guard case .soundFailed = event else { continue }
      break
    }
    #expect(await capture.state == .running)
    _ = try await capture.photo()
    try await capture.setSound(nil)
    _ = try await capture.photo()
    await capture.stop()
  }

  /// Sound that ends with an error.
  private actor BreakingSound: SoundSource {
    func makeSoundElement() throws(CaptureError) -> Element {
      do throws(GStreamerError) {
        return try Element(
          chaining: [Element(binOf: "audiotestsrc is-live=true ! identity error-after=5")])
      } catch {
        throw explainSound(error)
      }
    }
  }
}
