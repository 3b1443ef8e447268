// Tests of the capture pipeline: previews, recordings and photos that come and go.

import Foundation
import Footage
import GStreamer
import TestClock
import Testing

@testable import SlitScanCapture

@Suite(.serialized) struct CapturePipelineTests {
  private static let small = VideoRequest(width: 64, height: 48, frameRate: 30)

  private static func pattern(_ name: String = "ball", count: Int? = nil, isLive: Bool = false)
    -> TestPatternSource
  { TestPatternSource(name, small, count: count, isLive: isLive) }

  /// The first sample of a frame.
  private static func level(_ sample: Sample) throws -> UInt8 {
    let frame = try sample.videoFrame()
    return frame.row(0, ofPlane: 0)[0]
  }

  /// The numbers of frames, which their times tell.
  private static func numbers(_ frames: ScannedFrames, limit: Int = .max) async throws -> [Int] {
    var numbers: [Int] = []
    for try await frame in frames {
      let time = frame.runningTime ?? frame.buffer?.presentationTime
      numbers.append(Int(((time?.seconds ?? -1) * 30).rounded()))
      if numbers.count == limit { break }
    }
    return numbers
  }

  @Test func everyFrameOfASourceComesThroughTheEffectInOrder() async throws {
    let capture = CapturePipeline(
      Self.pattern(count: 100), scan: ["depth": 20], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    let events = capture.events
    try await capture.start()
    async let ended: Void = { for await event in events where event == .sourceEnded { break } }()
    async let numbers = Self.numbers(frames, limit: 100)
    #expect(try await numbers == Array(0..<100))
    await ended
    #expect(await capture.state == .ended)
    await capture.stop()
    #expect(await capture.state == .stopped)
  }

  @Test func severalPropertiesAreSetWithOneFrameAndLeaveTheOthersAlone() async throws {
    let capture = CapturePipeline(Self.pattern(), scan: ["depth": 20], clock: ManualClock())
    try await capture.start()
    // One frame is under way until it is let go.
    let effect = try #require(await capture.stream).effect.element
    let hold = try await effect.pad("sink").block()
    let change = Task { try await capture.set(["gain": 2, "offset": 0.5, "mix": 0.25]) }
    await until { await capture.pendingChange != nil }
    try await capture.set("gain", to: 3)
    try await capture.set("depth", to: 50)
    hold.release()
    try await change.value
    let values: [String: Value] = [
      "gain": .double(3), "offset": .double(0.5), "mix": .double(0.25), "depth": .uint(50),
    ]
    for (name, value) in values { #expect(await capture.value(of: name) == value, "\(name)") }
    #expect(await capture.scan.properties == ["gain": 3, "offset": 0.5, "mix": 0.25, "depth": 50])
    await capture.stop()
  }

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
    let clock = TestClock.running()
    defer { clock.stop() }
    let source = SlowSource(Self.pattern(isLive: true))
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
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(count: 20), scan: .off, on: clock)
    let events = capture.events
    try await capture.start()
    let next = SlowSource(Self.pattern(isLive: true))
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

  @Test func aSourceThatSendsNothingCanBeStopped() async throws {
    let capture = CapturePipeline(try HandDrivenCamera(), scan: .off, clock: ManualClock())
    let start = Task { try await capture.start() }
    await until { await capture.stream != nil }
    await capture.stop()
    await #expect(throws: CaptureError.self) { try await start.value }
    #expect(await capture.state == .stopped)
  }

  /// A device that takes one at a time, and that sends nothing.
  private actor BusyCamera: FrameSource {
    private let frames: AppSrc
    private var count = 0

    init() throws { frames = try AppSrc(isLive: true) }

    func makeElement() throws(CaptureError) -> Element {
      count += 1
      guard count > 1 else { throw CaptureError(.cameraBusy, "It is busy.") }
      return frames.element
    }
  }

  @Test func cancellingASourceChangeKeepsTheCurrentSource() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(isLive: true), scan: .off, on: clock)
    try await capture.start()
    let first = await capture.stream?.pipeline
    let change = Task { try await capture.setSource(try BusyCamera()) }
    await until { await capture.stream?.pipeline !== first }
    change.cancel()
    await #expect(throws: CaptureError.self) { try await change.value }
    #expect(await capture.state == .running)
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    for _ in 0..<5 { #expect(try await reader.next() != nil) }
    await capture.stop()
  }

  /// Where a source takes over, its first frame has waited for that.
  @Test(arguments: [false, true]) func timeGoesOnFromASourceToALiveOne(isLive: Bool) async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(isLive: isLive), scan: .off, on: clock)
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    var reader = frames.makeAsyncIterator()
    var times: [ClockTime] = []
    // Without a live source, ten seconds of video in no time.
    for _ in 0..<(isLive ? 5 : 300) { times.append(try #require(await reader.next()?.runningTime)) }
    let reading = Task {
      while let frame = try await reader.next() { times.append(try #require(frame.runningTime)) }
      return times
    }
    let successor = try await capture.prepare(Self.pattern("snow", isLive: true))
    clock.advance(by: .milliseconds(200))
    _ = try await capture.replace(with: successor, nil, [])
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

  /// As after a `break` in top-level code, where Swift keeps the iterator of every loop.
  @Test func aReaderThatIsKeptAndDoesNotReadIsReportedAndCanBeStopped() async throws {
    let clock = ManualClock()
    let session = CaptureSession(clock: clock)
    let events = session.events
    try await session.update { TestPattern("ball", Self.small, isLive: false) }
    let frames = try await session.frames(delivery: .lossless)
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
    let capture = CapturePipeline(Self.pattern(), clock: clock)
    let events = capture.events
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    await Self.waitForStall(events, clock)
    await Self.waitUntilHeldUp(capture)
    let change = Task { try await capture.setSource(Self.pattern("snow")) }
    await Self.waitForChange(of: capture)
    await capture.stop()
    _ = await change.result
    #expect(await capture.state == .stopped)
    // It can be started again, with the same reader.
    try await capture.start()
    var reader = frames.makeAsyncIterator()
    for _ in 0..<10 { #expect(try await reader.next() != nil) }
    await capture.stop()
  }

  @Test func aStopOfASessionEndsAnUpdateThatWaitsForAReader() async throws {
    let clock = ManualClock()
    let session = CaptureSession(clock: clock)
    let events = session.events
    try await session.update { TestPattern("ball", Self.small, isLive: false) }
    let capture = try #require(await session.capture)
    let frames = await capture.frames(delivery: .lossless)
    await Self.waitForStall(events, clock)
    await Self.waitUntilHeldUp(capture)
    let update = Task {
      try await session.update { TestPattern("snow", Self.small, isLive: false) }
    }
    await Self.waitForChange(of: capture)
    await session.stop()
    _ = await update.result
    #expect(await capture.state == .stopped)
    frames.stop()
  }

  /// The update of a session that a stop found before it had come to the capture.
  @Test func aStopEndsAChangeThatHasNotHadItsTurn() async throws {
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
    let stops = await capture.stops
    await capture.stop()
    let error = await #expect(throws: CaptureError.self) {
      _ = try await capture.reconfigure(
        to: Self.pattern("snow"), sound: nil, .off, nil, gpu: nil, recorders: [],
        stopsBefore: stops)
    }
    #expect(error?.code == .cancelled)
    #expect(await capture.state == .stopped)
  }

  @Test func aLosslessReaderThatIsSlowerThanALiveSourceHoldsUpNothingAndIsReported() async throws {
    try await withFolder { folder in
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
      // A capture has started once a frame has come.
      let footage = Footage()
      async let start: Void = capture.start()
      try await camera.deliver(footage.frame(0))
      try await start
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
  }

  /// A live source whose frames come when the test wants them: no clock, so no machine is too slow for it.
  private actor HandDrivenCamera: FrameSource {
    private let frames: AppSrc

    init() throws { frames = try AppSrc(isLive: true) }

    func makeElement() -> Element { frames.element }

    func deliver(_ frame: Sample) async throws { try await frames.send(frame) }

    func end() async throws { try await frames.finish() }
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
    let events = capture.events
    let frames = await capture.frames()
    var reader = frames.makeAsyncIterator()
    let footage = Footage()
    async let start: Void = capture.start()
    try await camera.deliver(footage.frame(0))
    try await start
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
    for await case .inputFailed(let number, let error) in events {
      #expect(number == 0)
      #expect(error.message.hasPrefix("The source has sent no frames for"))
      break
    }
    #expect(await capture.state == .running)
    await capture.stop()
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

  @Test func aCaptureWhoseReaderDoesNotReadCanBeStopped() async throws {
    let session = CaptureSession(clock: ManualClock())
    try await session.update { TestPattern("ball", Self.small, isLive: false) }
    var left = try await session.frames(delivery: .lossless).makeAsyncIterator()
    #expect(try await left.next() != nil)
    await session.stop()
  }

  @Test func theEffectIsDoneToTheFrames() async throws {
    let footage = Footage(width: 16, height: 16, interval: 2)
    let samples = try (0..<12).map { try footage.frame($0) }
    // Every other frame is bright; the lower rows show those of before.
    let capture = CapturePipeline(
      InMemorySource(samples), scan: ["depth": 3, "gain": 0, "offset": 0.5], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    var levels: [UInt8] = []
    for try await frame in frames {
      levels.append(try Self.level(frame))
      if levels.count == 12 { break }
    }
    #expect(levels == [16, 16, 235, 16, 235, 16, 235, 16, 235, 16, 235, 16])
  }

  @Test func aScanThatMakesNoSenseIsSaidBeforeAnythingOpens() async throws {
    for (scan, word) in [
      (Scan(["mapp": "radial"]), "mapp"), (["map": "round"], "map"), (["depth": -1], "depth"),
      (Scan(preset: "No Such Preset"), "No Such Preset"), (["depth": "many"], "depth"),
    ] {
      let capture = CapturePipeline(Self.pattern(), scan: scan, clock: ManualClock())
      let error = await #expect(throws: CaptureError.self) { try await capture.start() }
      #expect(error?.code == .badScan)
      #expect(error?.message.contains(word) == true, "\(error as Any)")
      #expect(await capture.state == .stopped)
    }
  }

  @Test func aScanThatMakesNoSenseChangesNothingWhileFramesFlow() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(isLive: true), scan: ["map": "radial"], on: clock)
    try await capture.start()
    await #expect(throws: CaptureError.self) {
      try await capture.setScan(["map": "angular", "depth": 0])
    }
    #expect(await capture.scan == ["map": "radial"])
    #expect(try await capture.stream?.scan.get("map") == "radial")
    try await capture.setScan(["depth": 7])
    #expect(try await capture.stream?.scan.get("map") == "linear")
    #expect(try await capture.stream?.scan.get("depth") == 7)
    await capture.stop()
  }

  @Test func allOfAScanTakesEffectWithTheSameFrame() async throws {
    let footage = Footage(width: 16, height: 16, interval: 1_000_000)
    let source = InMemorySource { number in try footage.frame(number) }
    // Either is the frame as it is; a frame of half of one and half of the other would be black.
    let scans: [Scan] = [
      ["depth": 100_000, "gain": 0, "offset": 1, "warmup": "live"],
      ["depth": 100_000, "gain": 0, "offset": 0, "warmup": "black"],
    ]
    let capture = CapturePipeline(source, scan: scans[0], clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let watching = Task {
      var levels: Set<UInt8> = []
      var count = 0
      for try await frame in frames {
        levels.insert(try Self.level(frame))
        count += 1
        if count == 600 { break }
      }
      return levels
    }
    for number in 0..<40 { try await capture.setScan(scans[number % 2]) }
    #expect(try await watching.value == [16])
    await capture.stop()
  }

  @Test func recordingsBeginAndEndWhileFramesFlow() async throws {
    try await withFolder { folder in
      let capture = CapturePipeline(Self.pattern(), scan: ["depth": 10], clock: ManualClock())
      let frames = await capture.frames(delivery: .lossless)
      try await capture.start()
      let watching = Task { try await Self.numbers(frames, limit: 200) }
      var recordings: [Recording] = []
      for number in 0..<3 {
        let recording = try await capture.record(to: "\(folder)/\(number).mkv")
        let end = await capture.time + .seconds(1)
        await until { await capture.time >= end }
        recordings.append(try await recording.finish())
      }
      #expect(try await watching.value == Array(0..<200))
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
  }

  @Test func aRecordingThatFailsHarmsNothingElse() async throws {
    try await withFolder { folder in
      let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
      let frames = await capture.frames(delivery: .lossless)
      let events = capture.events
      try await capture.start()
      let watching = Task { try await Self.numbers(frames, limit: 200) }
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
      #expect(try await watching.value == Array(0..<200))
      #expect(try await whole.finish().frames > 0)
      await capture.stop()
    }
  }

  /// Frames and sound both find that it is over.
  @Test func aRecordingThatFailsSaysSoOnce() async throws {
    var capture: CapturePipeline? = CapturePipeline(
      Self.pattern(), sound: TestToneSource(isLive: false), clock: ManualClock())
    let events = try #require(capture?.events)
    try await capture?.start()
    let recording = try await capture?.record(
      to: "/dev/full", RecorderSettings(container: .matroska, audio: AudioSettings()))
    await until { recording?.isOver == true }
    // Each has come to its next sample.
    let frames = await capture?.status.frames ?? 0
    await until { await capture?.status.frames ?? 0 > frames + 100 }
    await capture?.stop()
    capture = nil
    var failures = 0
    for await event in events { if case .recordingFailed = event { failures += 1 } }
    #expect(failures == 1)
  }

  @Test func stopCompletesWhatIsBeingRecorded() async throws {
    try await withFolder { folder in
      let clock = TestClock.running()
      defer { clock.stop() }
      let capture = CapturePipeline(
        Self.pattern(isLive: true), sound: TestToneSource(), scan: ["depth": 10], on: clock)
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
        try await DecodedFile(path: "\(folder)/out.mp4").stream("v").frames == results.first?.frames
      )
      #expect(try await DecodedFile(path: "\(folder)/out.mp4").stream("a").frames > 0)
    }
  }

  @Test func stillsAreWholeFramesInTheirMode() async throws {
    try await withFolder { folder in
      let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
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
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
      await capture.stop()
    }
  }

  /// Without what is the same as the one before.
  private static func turns(_ levels: [Bool]) -> [Bool] {
    levels.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  @Test func blackIsShownAndRecordedAndStillsAreWhatTheEffectMakes() async throws {
    try await withFolder { folder in
      let capture = CapturePipeline(Self.pattern("white"), clock: ManualClock())
      let frames = await capture.frames(delivery: .lossless)
      try await capture.start()
      let recording = try await capture.record(to: "\(folder)/film.mkv")
      let watching = Task {
        var seen: [(isBright: Bool, number: Int)] = []
        for try await frame in frames {
          let time = frame.buffer?.presentationTime?.seconds ?? -1
          seen.append((try Self.level(frame) > 128, Int((time * 30).rounded())))
        }
        return seen
      }
      for isBlack in [false, true, false] {
        await capture.setBlack(isBlack)
        #expect(await capture.isBlack == isBlack)
        // Once the second is there, the frame of the first has gone everywhere.
        for _ in 0..<2 { #expect(try await Self.level(capture.photo().sample) > 128) }
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
        levels.append(try Self.level(frame) > 128)
      }
      #expect(levels.count == recorded.frames)
      #expect(Self.turns(levels) == [true, false, true])
    }
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
    let clock = TestClock.running()
    defer { clock.stop() }
    for _ in 0..<20 {
      let capture = CapturePipeline(Self.pattern(isLive: true), on: clock)
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
      Self.pattern(isLive: true), scan: ["mode": "sweep", "sweep-duration": "1h"], on: clock)
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
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
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
    #expect(await capture.status.previews == 0)
  }

  @Test func previewsComeAndGoWithoutALostFrame() async throws {
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let watching = Task { try await Self.numbers(frames, limit: 300) }
    for _ in 0..<5 {
      let preview = try await capture.openPreview("fakesink")
      _ = try await capture.photo()
      await capture.closePreview(preview)
    }
    await #expect(throws: CaptureError.self) { try await capture.openPreview("no-such-sink") }
    #expect(try await watching.value == Array(0..<300))
    await capture.stop()
  }

  @Test func aClosedPreviewReleasesItsSink() async throws {
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
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
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    let events = capture.events
    try await capture.start()
    let watching = Task { try await Self.numbers(frames, limit: 300) }
    let preview = try await capture.openPreview("identity error-after=10 ! fakesink")
    for await event in events {
      guard case .previewFailed(let id, let error) = event else { continue }
      #expect(id == preview)
      #expect(error.code == .previewFailed)
      break
    }
    #expect(try await watching.value == Array(0..<300))
    await capture.stop()
  }

  @Test func anotherSourceTakesOverBetweenTwoFrames() async throws {
    let capture = CapturePipeline(Self.pattern("black"), clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let watching = Task { try await Self.numbers(frames, limit: 600) }
    for number in 0..<10 {
      _ = try await capture.photo()
      try await capture.setSource(Self.pattern(number % 2 == 0 ? "white" : "black"))
    }
    let numbers = try await watching.value
    #expect(numbers == Array(0..<600))
    await capture.stop()
  }

  @Test(arguments: [true, false]) func aSourceMayBeLiveOrNot(isLive: Bool) async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(isLive: isLive), on: clock)
    try await capture.start()
    _ = try await capture.photo()
    for isLive in [!isLive, isLive, isLive, !isLive] {
      try await capture.setSource(Self.pattern("white", isLive: isLive))
      _ = try await capture.photo()
    }
    await capture.stop()
  }

  @Test func aSourceThatDoesNotOpenChangesNothing() async throws {
    let capture = CapturePipeline(Self.pattern(), clock: ManualClock())
    let frames = await capture.frames(delivery: .lossless)
    try await capture.start()
    let watching = Task { try await Self.numbers(frames, limit: 300) }
    for source: any FrameSource in [
      FileSource("/no/such/film.mkv"), CameraSource(.path("/dev/video77")),
      TestPatternSource("no-such-pattern"),
    ] { await #expect(throws: CaptureError.self) { try await capture.setSource(source) } }
    #expect(try await watching.value == Array(0..<300))
    #expect(await capture.state == .running)
    await capture.stop()
  }

  @Test func afterTheEndOfASourceAnotherGoesOnWithTimeAndRecordings() async throws {
    try await withFolder { folder in
      let camera = try HandDrivenCamera()
      let footage = Footage()
      let capture = CapturePipeline(camera, clock: ManualClock())
      let frames = await capture.frames(delivery: .lossless)
      let events = capture.events
      let watching = Task { try await Self.numbers(frames, limit: 90) }
      // A capture has started once a frame has come.
      async let start: Void = capture.start()
      try await camera.deliver(footage.frame(0))
      try await start
      let recording = try await capture.record(to: "\(folder)/both.mkv")
      for number in 1..<50 { try await camera.deliver(footage.frame(number)) }
      try await camera.end()
      for await event in events where event == .sourceEnded { break }
      try await capture.setSource(Self.pattern(count: 40))
      for await event in events where event == .sourceEnded { break }
      let numbers = try await watching.value
      #expect(numbers.map { $0 - numbers[0] } == Array(0..<90))
      #expect(try await recording.finish().frames == 89)
      await capture.stop()
    }
  }

  @Test func aSourceThatBreaksOffIsSaidAndRecordingsStayWhole() async throws {
    try await withFolder { folder in
      let recorder = try Recorder(to: "\(folder)/film.mkv")
      try await recorder.start()
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
  }

  @Test func soundThatBreaksOffEndsNoFrames() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let capture = CapturePipeline(Self.pattern(isLive: true), sound: TestToneSource(), on: clock)
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

  @Test func aCaptureThatIsLetGoOfStops() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    weak var gone: CapturePipeline?
    do {
      let capture = CapturePipeline(Self.pattern(isLive: true), sound: TestToneSource(), on: clock)
      try await capture.start()
      try await capture.openPreview("fakesink")
      _ = try await capture.photo()
      gone = capture
    }
    await until { gone == nil }
  }
}
