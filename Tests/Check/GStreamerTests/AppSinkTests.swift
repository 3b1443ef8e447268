// Tests of reading samples from pipelines: order, drops, and every way in which they can end.

import SeededGenerator
import StreamingThread
import Testing

@testable import GStreamer

@Suite(.serialized) struct AppSinkTests {
  private static let endless =
    "videotestsrc ! video/x-raw,width=16,height=16 ! appsink name=out sync=false"

  private func sink(
    _ line: String, _ delivery: Delivery = .lossless
  ) throws -> (Pipeline, AppSink) {
    let pipeline = try Pipeline(line)
    return (pipeline, try AppSink(pipeline.element(named: "out"), delivery: delivery))
  }

  @Test func everySampleComesWithItsCapsAndTimesAndThenTheEnd() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=50 ! video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1 ! "
        + "appsink name=out sync=false")
    try await pipeline.play()
    var times: [ClockTime?] = []
    for try await sample in sink.samples {
      times.append(sample.runningTime)
      #expect(sample.caps?.structures.first?.get("format") == "GRAY8")
    }
    #expect(times == (0..<50).map { .milliseconds(40 * $0) })
    #expect(sink.dropped == 0)
    try await pipeline.waitForEnd()
  }

  @Test func aReaderThatComesBeforeTheStartOrAfterTheEndMissesNothing() async throws {
    let (pipeline, sink) = try sink("videotestsrc num-buffers=3 ! appsink name=out sync=false")
    async let early = sink.samples.reduce(0) { count, _ in count + 1 }
    try await pipeline.play()
    #expect(try await early == 3)
    for try await _ in sink.samples { Issue.record("There is nothing after the end.") }
  }

  @Test func aLosslessSinkHoldsUpTheStreamUntilItsReaderComes() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=30 ! appsink name=out sync=false", .lossless(queue: 2))
    try await pipeline.play()
    #expect(try await sink.samples.reduce(0) { count, _ in count + 1 } == 30)
  }

  /// As a stream from a network ends that is paused while a queue fills.
  @Test func aStreamThatEndsWhileItIsPausedGoesOnAndIsReadToItsEnd() async throws {
    let pipeline = try Pipeline("appsrc name=in ! appsink name=out sync=false")
    let source = try AppSrc(
      pipeline.element(named: "in"), caps: NumberedFrames.info().caps(), queue: 8)
    let sink = try AppSink(pipeline.element(named: "out"), delivery: .lossless(queue: 8))
    async let playing: Void = pipeline.play()
    for number in 0..<4 { try await source.send(NumberedFrames.make(number)) }
    try await playing
    let pausing = Task { try await pipeline.pause() }
    // The source is the last to pause, and the sink waits for something then.
    while source.element.state != .paused { await Task.yield() }
    try await source.finish()
    try await pausing.value
    try await pipeline.play()
    let end = Task {
      try await pipeline.waitForEnd()
      await pipeline.stop()
    }
    await Task.yield()
    #expect(try await sink.samples.reduce(0) { count, _ in count + 1 } == 4)
    try await end.value
  }

  @Test func waitingForTheEndWaitsForTheReader() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=5 ! appsink name=out sync=false", .lossless(queue: 8))
    let messages = pipeline.bus.messages
    try await pipeline.play()
    let hasEnded = Lock(false)
    let end = Task {
      try await pipeline.waitForEnd()
      hasEnded.withLock { $0 = true }
      await pipeline.stop()
    }
    let impatient = Task { try await pipeline.waitForEnd() }
    for await message in messages where message.kind == .eos { break }
    impatient.cancel()
    let error = await #expect(throws: GStreamerError.self) { try await impatient.value }
    #expect(error?.code == .cancelled)
    var count = 0
    for try await _ in sink.samples {
      count += 1
      #expect(count == 5 || !hasEnded.withLock { $0 })
    }
    #expect(count == 5)
    try await end.value
  }

  @Test(arguments: [1, 3]) func theLatestAreKeptTheRestIsCounted(limit: Int) async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=100 ! appsink name=out sync=false", .latest(limit))
    try await pipeline.play()
    try await pipeline.waitForEnd()
    var offsets: [UInt64] = []
    for try await sample in sink.samples { offsets.append(sample.buffer?.offset ?? 0) }
    #expect(offsets == Array(UInt64(100 - limit)..<100))
    #expect(sink.dropped == UInt64(100 - limit))
  }

  @Test
  func aSlowReaderOfTheLatestHoldsUpNothingGetsTheOrderRightAndAllAreCounted()
    async throws
  {
    let bridge = try Bridge(delivery: .latest(1))
    let count = 500
    async let feeding: Void = {
      for number in 0..<count { try await bridge.source.send(NumberedFrames.make(number)) }
      try await bridge.source.finish()
    }()
    async let playing: Void = bridge.first.play()
    var numbers: [Int] = []
    for try await sample in bridge.sink.samples {
      numbers.append(try NumberedFrames.number(of: sample) ?? -1)
      for _ in 0..<20 { await Task.yield() }
    }
    _ = try await (feeding, playing)
    #expect(numbers == numbers.sorted())
    #expect(numbers.last == count - 1)
    #expect(Int(bridge.sink.dropped) + numbers.count == count)
  }

  /// Age in frames: how many have come by the time that one is asked for, and are newer than what is got.
  @Test(arguments: [1, 3], 0..<5 as Range<UInt64>)
  func howeverSlowItsReaderIsWhatIsGotIsAmongTheLatest(limit: Int, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (pipeline, sink) = try sink("appsrc name=in ! appsink name=out sync=false", .latest(limit))
    let source = try AppSrc(pipeline.element(named: "in"), caps: NumberedFrames.info().caps())
    let come = Lock(0)
    try sink.element.pad("sink").addProbe(.buffer) { _ in
      come.withLock { $0 += 1 }
      return .pass
    }
    var iterator = sink.samples.makeAsyncIterator()
    async let playing: Void = pipeline.play()
    var sent = 0
    var got: [Int] = []
    for _ in 0..<100 {
      // Frames come while the reader is busy, sometimes more than it can ever get.
      for _ in 0..<Int.random(in: 1..<10, using: &random) {
        try await source.send(NumberedFrames.make(sent))
        sent += 1
      }
      while come.withLock({ $0 }) < sent { await Task.yield() }
      let sample = try #require(try await iterator.next())
      got.append(try NumberedFrames.number(of: sample) ?? -1)
      // The last one that has come may not be in the sink's queue yet.
      let oldest = sent - limit - 1
      #expect(try #require(got.last) >= oldest, "seed \(seed)")
    }
    try await source.finish()
    while let sample = try await iterator.next() {
      got.append(try NumberedFrames.number(of: sample) ?? -1)
    }
    try await playing
    #expect(got == got.sorted())
    #expect(got.last == sent - 1)
    #expect(Int(sink.dropped) + got.count == sent)
  }

  /// Whenever the reader takes one: also while the streaming thread is about to drop the oldest.
  @Test func theNewestIsNeverTheOneThatIsDropped() async throws {
    let (pipeline, sink) = try sink("appsrc name=in ! appsink name=out sync=false", .latest(1))
    let source = try AppSrc(pipeline.element(named: "in"), caps: NumberedFrames.info().caps())
    let last = Lock(-1)
    async let reading: Void = {
      for try await sample in sink.samples {
        let number = try NumberedFrames.number(of: sample)
        last.withLock { $0 = number ?? -1 }
      }
    }()
    async let playing: Void = pipeline.play()
    var sent = 0
    for _ in 0..<3000 {
      for _ in 0..<4 {
        try await source.send(NumberedFrames.make(sent))
        sent += 1
      }
      while last.withLock({ $0 }) < sent - 1 { await Task.yield() }
    }
    try await source.finish()
    _ = try await (playing, reading)
  }

  @Test func anErrorEndsTheSamplesAfterThoseThatCameBeforeIt() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc ! identity name=broken error-after=4 ! appsink name=out sync=false")
    // It can fail before or after it plays.
    _ = try? await pipeline.play()
    var count = 0
    let error = await #expect(throws: GStreamerError.self) {
      for try await _ in sink.samples { count += 1 }
    }
    #expect(error?.source == "broken")
    #expect(count == 3)
  }

  @Test func aStopEndsTheSamplesAndTheNextStreamHasItsOwn() async throws {
    let (pipeline, sink) = try sink(Self.endless)
    for _ in 0..<10 {
      let reader = Task {
        var count = 0
        for try await _ in sink.samples {
          count += 1
          if count == 5 { await pipeline.stop() }
        }
        return count
      }
      // The reader may stop it before it plays.
      _ = try? await pipeline.play()
      #expect(try await reader.value >= 5)
    }
  }

  @Test func aStopEndsSamplesThatHaveNotBegun() async throws {
    let (pipeline, sink) = try sink("appsrc ! appsink name=out")
    let messages = pipeline.bus.messages
    var iterator = sink.samples.makeAsyncIterator()
    let playing = Task { try await pipeline.play() }
    for await message in messages where message.stateChange?.to == .ready {
      if message.source == pipeline.element { break }
    }
    await pipeline.stop()
    #expect(try await iterator.next() == nil)
    _ = await playing.result
  }

  @Test func readyEndsTheSamplesAsNULLDoes() async throws {
    let (pipeline, sink) = try sink(Self.endless)
    let heard = Shared<[String]>([])
    let reader = Task { for try await _ in sink.samples { heard.withLock { $0.append("sample") } } }
    try await pipeline.play()
    // A later reader waits for the next stream.
    while heard.value.isEmpty { await Task.yield() }
    try await pipeline.prepare()
    try await reader.value
  }

  @Test func aReaderThatIsCancelledIsDoneAndHoldsUpNothing() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=200 ! appsink name=out sync=false", .lossless(queue: 1))
    let heard = Shared<[String]>([])
    let reader = Task {
      for try await _ in sink.samples {
        heard.withLock { $0.append("sample") }
        while !Task.isCancelled { await Task.yield() }
      }
    }
    try await pipeline.play()
    while heard.value.isEmpty { await Task.yield() }
    reader.cancel()
    try await reader.value
    try await pipeline.waitForEnd()
    #expect(sink.dropped == 199)
  }

  @Test func aReaderThatWaitsIsCancelledAtOnce() async throws {
    let (pipeline, sink) = try sink("appsrc ! appsink name=out")
    let reader = Task { for try await _ in sink.samples {} }
    await Task.yield()
    reader.cancel()
    try await reader.value
    withExtendedLifetime(pipeline) {}
  }

  @Test func aReaderThatBreaksOffHoldsUpNothingAndAnotherCanGoOn() async throws {
    let (pipeline, sink) = try sink(Self.endless)
    try await pipeline.play()
    var last: UInt64 = 0
    for _ in 0..<20 {
      for try await sample in sink.samples {
        let offset = sample.buffer?.offset ?? 0
        #expect(last == 0 || offset > last)
        last = offset
        break
      }
    }
    try await pipeline.endStream()
  }

  @Test func aSecondReaderIsRefusedWhileTheFirstWaits() async throws {
    let (pipeline, sink) = try sink("appsrc name=in ! appsink name=out sync=false")
    let source = try AppSrc(pipeline.element(named: "in"), caps: NumberedFrames.info().caps())
    let first = Task { try await sink.samples.first { _ in true } }
    while !sink.isAwaited { await Task.yield() }
    var second = sink.samples.makeAsyncIterator()
    let error = await #expect(throws: GStreamerError.self) { _ = try await second.next() }
    #expect(error?.code == .busy)
    #expect(try await second.next() == nil)
    async let playing: Void = pipeline.play()
    try await source.send(NumberedFrames.make(7))
    #expect(try await first.value.flatMap { try NumberedFrames.number(of: $0) } == 7)
    try await playing
  }

  /// As after a `break` in top-level code, where Swift keeps the iterator of every loop.
  @Test func aReaderTakesOverFromOneThatIsKeptAndDoesNotWait() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=50 ! appsink name=out sync=false", .lossless(queue: 2))
    try await pipeline.play()
    var left = sink.samples.makeAsyncIterator()
    #expect(try await left.next()?.buffer?.offset == 0)
    var offsets: [UInt64?] = []
    for try await sample in sink.samples { offsets.append(sample.buffer?.offset) }
    #expect(offsets == Array(1..<50))
    #expect(sink.dropped == 0)
    let error = await #expect(throws: GStreamerError.self) { _ = try await left.next() }
    #expect(error?.code == .busy)
    #expect(try await left.next() == nil)
  }

  @Test func readingThatIsStoppedHoldsUpNothingAlthoughItsIteratorIsKept() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=50 ! appsink name=out sync=false", .lossless(queue: 2))
    try await pipeline.play()
    var left = sink.samples.makeAsyncIterator()
    #expect(try await left.next() != nil)
    sink.stopReading()
    try await pipeline.waitForEnd()
    #expect(sink.dropped == 49)
    #expect(try await left.next() == nil)
  }

  @Test func stoppingReadingEndsTheWaitOfItsReader() async throws {
    let (pipeline, sink) = try sink("appsrc ! appsink name=out")
    let reader = Task { for try await _ in sink.samples {} }
    while !sink.isAwaited { await Task.yield() }
    sink.stopReading()
    try await reader.value
    withExtendedLifetime(pipeline) {}
  }

  @Test func aStopEndsTheReaderOfAPipelineThatNeverPlayed() async throws {
    let (pipeline, sink) = try sink("videotestsrc ! appsink name=out")
    let reader = Task { for try await _ in sink.samples {} }
    while !sink.isAwaited { await Task.yield() }
    await pipeline.stop()
    try await reader.value
  }

  @Test func releasingThePipelineEndsTheSamplesDespiteOtherReferences() async throws {
    for variant in 0..<4 {
      var pipeline: Pipeline? = try Pipeline(Self.endless)
      var sink: AppSink? = try AppSink(#require(pipeline).element(named: "out"))
      let samples = try #require(sink).samples
      var iterator: Samples.Iterator? = samples.makeAsyncIterator()
      if variant & 1 != 0 { try await pipeline?.play() }
      if variant & 2 != 0 { sink = nil }
      if variant & 1 != 0 { #expect(try await iterator?.next() != nil) }
      pipeline = nil
      while try await iterator?.next() != nil {}
      iterator = nil
      sink = nil
    }
  }

  @Test func aFlushForgetsWhatWaitsAndTheStreamGoesOnFromWhereItWasSent() async throws {
    let (pipeline, sink) = try sink(
      "videotestsrc num-buffers=1000 ! video/x-raw,framerate=10/1 ! appsink name=out sync=false")
    try await pipeline.pause()
    var iterator = sink.samples.makeAsyncIterator()
    for second in [50, 20, 80, 0, 99] {
      try await pipeline.play()
      for _ in 0..<3 { _ = try await iterator.next() }
      try await pipeline.pause()
      try await pipeline.seek(to: .seconds(Double(second)))
      try await pipeline.play()
      // One sample may be on its way when the flush comes.
      var time = try await iterator.next()?.buffer?.presentationTime
      if time != .seconds(Double(second)) {
        time = try await iterator.next()?.buffer?.presentationTime
      }
      #expect(time == .seconds(Double(second)))
    }
    #expect(sink.dropped == 0)
  }

  @Test func onlyAnAppsinkIsOneAndItDeliversInOneWay() throws {
    #expect { try AppSink(Element("fakesink")) } throws: {
      ($0 as? GStreamerError)?.code == .wrongType
    }
    let element = try Element("appsink")
    _ = try AppSink(element)
    _ = try AppSink(element)
    #expect { try AppSink(element, delivery: .latest(1)) } throws: {
      ($0 as? GStreamerError)?.code == .busy
    }
  }

  @Test func aReaderThatNeverWaitsLetsItsActorDoOtherThings() async throws {
    let (pipeline, sink) = try sink(Self.endless)
    let desk = SampleActor()
    let reader = Task { try await desk.read(sink) { SampleActor.work(1000) } }
    async let playing: Void = pipeline.play()
    await desk.cancel(reader, afterItems: 1)
    _ = try await reader.value
    try await playing
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func aReaderIsCancelledWhereverItIs(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let queue = Int.random(in: 0..<5, using: &random)
    let (pipeline, sink) = try sink(Self.endless, queue == 0 ? .latest(1) : .lossless(queue: queue))
    let desk = SampleActor()
    let busy = Int.random(in: 0..<200, using: &random)
    let reader = Task { try await desk.read(sink) { SampleActor.work(busy) } }
    async let playing: Void = pipeline.play()
    await desk.cancel(reader, afterItems: .random(in: 0..<200, using: &random))
    _ = try await reader.value
    try await playing
    try await pipeline.endStream()
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func readersStopsAndCancellationsMayComeAtAnyMoment(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let (pipeline, sink) = try sink(
      Self.endless, Bool.random(using: &random) ? .lossless(queue: 1) : .latest(1))
    let readers = (0..<8).map { _ in
      Task {
        for try await _ in sink.samples { await Task.yield() }
      }
    }
    let playing = Task { try await pipeline.play() }
    for reader in readers.shuffled(using: &random) {
      for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: await pipeline.stop()
      case 1: playing.cancel()
      case 2: _ = try? await pipeline.play()
      default: break
      }
      reader.cancel()
    }
    for reader in readers { _ = await reader.result }
    _ = await playing.result
    await pipeline.stop()
  }
}
