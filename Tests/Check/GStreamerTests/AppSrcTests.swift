// Tests of sending buffers into pipelines: order, backpressure, and every way in which sending can end.

import LibC
import SeededGenerator
import StreamingThread
import Testing

@testable import GStreamer

@Suite(.serialized) struct AppSrcTests {
  private func source(_ line: String, queue: Int = 4) throws -> (Pipeline, AppSrc) {
    let pipeline = try Pipeline(line)
    let caps = try NumberedFrames.info().caps()
    return (pipeline, try AppSrc(pipeline.element(named: "in"), caps: caps, queue: queue))
  }

  @Test(arguments: [1, 2, 4, 64]) func framesGoThroughTwoPipelinesAndSwiftAllInOrder(
    queue: Int
  ) async throws {
    let bridge = try Bridge(delivery: .lossless(queue: queue))
    #expect(try await bridge.pass(2000) == Array(0..<2000))
    #expect(bridge.sink.dropped == 0)
  }

  @Test func sendersWaitWhileThePipelineHasEnough() async throws {
    let (pipeline, source) = try source("appsrc name=in ! appsink name=out sync=false", queue: 2)
    let sink = try AppSink(pipeline.element(named: "out"), delivery: .lossless(queue: 1))
    let sent = Lock(0)
    let sender = Task {
      for number in 0..<100 {
        try await source.send(NumberedFrames.make(number))
        sent.withLock { $0 += 1 }
      }
      try await source.finish()
    }
    try await pipeline.play()
    var taken = 0
    for try await sample in sink.samples {
      #expect(try NumberedFrames.number(of: sample) == taken)
      taken += 1
      // What is between: the two queues, one over in the source, and one on its way.
      #expect(sent.withLock { $0 } <= taken + 6)
      for _ in 0..<10 { await Task.yield() }
    }
    try await sender.value
    #expect(taken == 100)
  }

  @Test func sendersWaitForThePipelineToPlay() async throws {
    let (pipeline, source) = try source("appsrc name=in ! fakesink")
    let sender = Task { try await source.send(NumberedFrames.make(0)) }
    await Task.yield()
    try await pipeline.play()
    try await sender.value
    try await source.finish()
    try await pipeline.waitForEnd()
  }

  @Test func afterTheEndNothingCanBeSentUntilThePipelinePlaysAgain() async throws {
    let (pipeline, source) = try source("appsrc name=in ! fakesink")
    for _ in 0..<3 {
      async let playing: Void = pipeline.play()
      try await source.send(NumberedFrames.make(0))
      try await source.finish()
      let error = await #expect(throws: GStreamerError.self) {
        try await source.send(NumberedFrames.make(1))
      }
      #expect(error?.code == .ended)
      try await playing
      try await pipeline.waitForEnd()
      await pipeline.stop()
    }
  }

  @Test func aStopEndsAllWaits() async throws {
    let (pipeline, source) = try source("appsrc name=in ! appsink name=out sync=false", queue: 1)
    _ = try AppSink(pipeline.element(named: "out"), delivery: .lossless(queue: 1))
    let sender = Task {
      var number = 0
      while true {
        try await source.send(NumberedFrames.make(number))
        number += 1
      }
    }
    try await pipeline.play()
    await pipeline.stop()
    // Between two sends, it waits for the next stream.
    sender.cancel()
    switch await sender.result {
    case .failure(let error as GStreamerError):
      #expect(error.code == .stopped || error.code == .cancelled)
    case .failure(let error): Issue.record("\(error)")
    case .success: break
    }
  }

  @Test func anErrorEndsAllWaitsWithItsReason() async throws {
    let (pipeline, source) = try source(
      "appsrc name=in ! identity name=broken error-after=2 ! fakesink", queue: 1)
    let sender = Task {
      var number = 0
      while true {
        try await source.send(NumberedFrames.make(number))
        number += 1
      }
    }
    _ = try? await pipeline.play()
    let error = await #expect(throws: GStreamerError.self) { try await sender.value }
    #expect(error?.source == "broken" || error?.code == .stopped)
  }

  @Test func cancellationEndsWaits() async throws {
    let (pipeline, source) = try source("appsrc name=in ! fakesink")
    let senders = (0..<20).map { number in
      Task { try await source.send(NumberedFrames.make(number)) }
    }
    for sender in senders { sender.cancel() }
    for sender in senders {
      let error = await #expect(throws: GStreamerError.self) { try await sender.value }
      #expect(error?.code == .cancelled)
    }
    withExtendedLifetime(pipeline) {}
  }

  @Test func aSenderThatNeverWaitsLetsItsActorDoOtherThings() async throws {
    let (pipeline, source) = try source("appsrc name=in ! fakesink sync=false", queue: 1000)
    let desk = SampleActor()
    let sender = Task { try await desk.send(.max, to: source) { SampleActor.work(1000) } }
    async let playing: Void = pipeline.play()
    await desk.cancel(sender, afterItems: 1)
    let error = await #expect(throws: GStreamerError.self) { try await sender.value }
    #expect(error?.code == .cancelled)
    try await playing
  }

  @Test func releasingThePipelineEndsAllWaits() async throws {
    var pipeline: Pipeline? = try Pipeline("appsrc name=in ! fakesink")
    let source = try AppSrc(#require(pipeline).element(named: "in"))
    let sender = Task { try await source.send(NumberedFrames.make(0)) }
    await Task.yield()
    pipeline = nil
    let error = await #expect(throws: GStreamerError.self) { try await sender.value }
    #expect(error?.code == .stopped)
  }

  @Test func manySendersGetEverythingThroughEachInItsOwnOrder() async throws {
    let (pipeline, source) = try source("appsrc name=in ! appsink name=out sync=false", queue: 2)
    let sink = try AppSink(pipeline.element(named: "out"))
    async let playing: Void = pipeline.play()
    async let sending: Void = {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sender in 0..<8 {
          group.addTask {
            for number in 0..<100 {
              try await source.send(NumberedFrames.make(sender * 1000 + number))
            }
          }
        }
        try await group.waitForAll()
      }
      try await source.finish()
    }()
    var last = [Int](repeating: -1, count: 8)
    for try await sample in sink.samples {
      let number = try NumberedFrames.number(of: sample) ?? 0
      #expect(number % 1000 == last[number / 1000] + 1)
      last[number / 1000] = number % 1000
    }
    #expect(last == [Int](repeating: 99, count: 8))
    _ = try await (playing, sending)
  }

  /// Nothing of the actor comes between the call of a sender and its place in the queue.
  @Test @MainActor func buffersGoInTheOrderInWhichTasksOfAnActorSendThem() async throws {
    let (pipeline, source) = try source("appsrc name=in ! appsink name=out sync=false", queue: 2)
    let sink = try AppSink(pipeline.element(named: "out"))
    var next = 0
    let senders = (0..<2000).map { _ in
      Task {
        let frame = try NumberedFrames.make(next)
        next += 1
        try await source.send(frame)
      }
    }
    let sending = Task {
      for sender in senders { try await sender.value }
      try await source.finish()
    }
    async let playing: Void = pipeline.play()
    var numbers: [Int] = []
    for try await sample in sink.samples {
      numbers.append(try NumberedFrames.number(of: sample) ?? -1)
    }
    #expect(numbers == Array(0..<2000))
    try await sending.value
    try await playing
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func sendersStopsAndCancellationsMayComeAtAnyMoment(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let (pipeline, source) = try source("appsrc name=in ! fakesink", queue: 1)
    let senders = (0..<8).map { _ in
      Task { for number in 0..<1000 { try await source.send(NumberedFrames.make(number)) } }
    }
    var plays = [Task { try await pipeline.play() }]
    for sender in senders.shuffled(using: &random) {
      for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: await pipeline.stop()
      case 1: plays[0].cancel()
      case 2: plays.append(Task { try await pipeline.play() })
      default: break
      }
      sender.cancel()
    }
    for sender in senders { _ = await sender.result }
    // One that comes after the last stop waits for a sender.
    for playing in plays {
      playing.cancel()
      _ = await playing.result
    }
    await pipeline.stop()
  }
}
