// Tests of pipelines that pause for buffering, and that lose their clock.

import CGStreamer
import StreamingThread
import TestClock
import Testing

@testable import GStreamer

@Suite(.serialized) struct InterruptionTests {
  private func post(
    _ element: Element,
    _ make: (UnsafeMutablePointer<GstObject>) -> UnsafeMutablePointer<GstMessage>?
  ) {
    unsafe element.withGstElement { element in
      let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
      _ = unsafe gst_element_post_message(element, make(object))
    }
  }

  private func fill(_ element: Element, _ percent: Int32) {
    post(element) { unsafe gst_message_new_buffering($0, percent) }
  }

  private func wait(until isSo: () async -> Bool) async {
    while await !isSo() { await Task.yield() }
  }

  /// As while a pipeline starts: its elements get the clock before the time at which it began.
  @Test func anElementHasNoRunningTimeBeforeItsPipelineHasBegun() async throws {
    let pipeline = try Pipeline("videotestsrc ! identity name=middle ! fakesink sync=true")
    let element = try pipeline.element(named: "middle")
    unsafe element.withGstElement { element in
      let clock = unsafe gst_system_clock_obtain()
      _ = unsafe gst_element_set_clock(element, clock)
      unsafe gst_object_unref(clock)
    }
    #expect(element.currentRunningTime == nil)
    try await pipeline.play()
    #expect(element.currentRunningTime != nil)
  }

  @Test func whileAQueueFillsThePipelineHaltsAndThenGoesOn() async throws {
    let pipeline = try Pipeline("videotestsrc name=in ! fakesink name=out sync=true")
    let source = try pipeline.element(named: "in")
    let sink = try pipeline.element(named: "out")
    try await pipeline.play()
    for _ in 0..<3 {
      fill(source, 50)
      await wait { pipeline.state == .paused }
      #expect(await pipeline.isBuffering)
      // Each for itself.
      fill(sink, 10)
      fill(source, 100)
      await pipeline.run { _ in }
      #expect(await pipeline.isBuffering)
      fill(sink, 100)
      await wait { pipeline.state == .playing }
      #expect(await !pipeline.isBuffering)
    }
  }

  @Test func toPlayMeansThatQueuesAreFull() async throws {
    let pipeline = try Pipeline("videotestsrc name=in ! fakesink sync=true")
    let source = try pipeline.element(named: "in")
    try await pipeline.pause()
    fill(source, 0)
    let playing = Task { try await pipeline.play() }
    await wait { await pipeline.isBuffering }
    for _ in 0..<100 { await Task.yield() }
    #expect(pipeline.state == .paused)
    fill(source, 100)
    try await playing.value
    #expect(pipeline.state == .playing)
  }

  @Test func aPauseMeanwhileIsNotOverruled() async throws {
    let pipeline = try Pipeline("videotestsrc name=in ! fakesink sync=true")
    let source = try pipeline.element(named: "in")
    try await pipeline.pause()
    fill(source, 0)
    let playing = Task { try await pipeline.play() }
    await wait { await pipeline.isBuffering }
    try await pipeline.pause()
    let error = await #expect(throws: GStreamerError.self) { try await playing.value }
    #expect(error?.code == .superseded)
    fill(source, 100)
    for _ in 0..<100 { await pipeline.run { _ in } }
    #expect(pipeline.state == .paused)
    #expect(await !pipeline.isBuffering)
  }

  @Test func aStopForgetsWhatWasNotFull() async throws {
    let pipeline = try Pipeline("videotestsrc name=in ! fakesink sync=true")
    try await pipeline.play()
    fill(try pipeline.element(named: "in"), 0)
    await pipeline.stop()
    try await pipeline.play()
    #expect(pipeline.state == .playing)
  }

  @Test func aRemovedBranchIsNotWaitedFor() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink sync=true")
    let branch = try Element(binOf: "videotestsrc name=in ! fakesink sync=true")
    try await pipeline.play()
    try await pipeline.add(branch)
    try await pipeline.syncState(of: branch)
    await wait { branch.state == .playing }
    fill(try branch.element(named: "in"), 0)
    // It is PAUSED, too, while the branch gets ready.
    await wait { await pipeline.isBuffering && pipeline.state == .paused }
    await pipeline.remove(branch)
    await wait { pipeline.state == .playing }
  }

  @Test func aLivePipelineDoesNotWaitForQueues() async throws {
    let clock = TestClock.running()
    defer { clock.stop() }
    let pipeline = try Pipeline("videotestsrc name=in is-live=true ! fakesink", clock: clock.clock)
    try await pipeline.play()
    fill(try pipeline.element(named: "in"), 0)
    for _ in 0..<100 { await pipeline.run { _ in } }
    #expect(await !pipeline.isBuffering)
    #expect(pipeline.state == .playing)
  }

  @Test func aQueueThatFillsSlowlyLosesNothing() async throws {
    // To the sink, no time is too short.
    let clock = TestClock.running()
    defer { clock.stop() }
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=100 ! video/x-raw,width=8,height=8,framerate=200/1 "
        + "! queue2 use-buffering=true max-size-buffers=20 max-size-bytes=0 max-size-time=0 "
        + "! fakesink name=out sync=true", clock: clock.clock)
    let count = Lock(0)
    try pipeline.element(named: "out").pad("sink").addProbe(.buffer) { _ in
      count.withLock { $0 += 1 }
      return .pass
    }
    let messages = pipeline.bus.messages
    try await pipeline.play()
    try await pipeline.waitForEnd()
    #expect(count.withLock { $0 } == 100)
    var levels: [Int] = []
    for await message in messages {
      if let percent = message.bufferingPercent { levels.append(percent) }
      if message.kind == .eos { break }
    }
    #expect(levels.contains { $0 < 100 })
  }

  @Test func aPipelineWhoseClockIsGoneTakesAnother() async throws {
    let pipeline = try Pipeline("videotestsrc ! fakesink sync=true")
    let messages = pipeline.bus.messages
    try await pipeline.play()
    // It can play before it says so.
    for await message in messages where message.source == pipeline.element {
      if message.stateChange?.to == .playing { break }
    }
    post(pipeline.element) { unsafe gst_message_new_clock_lost($0, nil) }
    var states: [State] = []
    for await message in messages where message.source == pipeline.element {
      if let change = message.stateChange { states.append(change.to) }
      if states.last == .playing { break }
    }
    #expect(states == [.paused, .playing])
  }

  @Test func aClockMayBeGoneWhileThePipelineStarts() async throws {
    for _ in 0..<20 {
      let pipeline = try Pipeline("videotestsrc ! fakesink sync=true")
      let messages = pipeline.bus.messages
      let playing = Task { try await pipeline.play() }
      for await message in messages where message.kind == .stateChanged { break }
      post(pipeline.element) { unsafe gst_message_new_clock_lost($0, nil) }
      try await playing.value
      await wait { pipeline.state == .playing }
      await pipeline.stop()
    }
  }

  @Test func queuesAreCountedEachForItself() {
    var interruptions = Interruptions()
    let changes = [(1, 99), (1, 50), (2, 0), (1, 100), (2, 100), (2, 100)].map { element, percent in
      interruptions.fill(element, percent: percent)
    }
    #expect(changes == [true, false, false, false, true, false])
    #expect(!interruptions.isFilling)
    interruptions.loseClock()
    let losses = [interruptions.takeClockLoss(), interruptions.takeClockLoss()]
    #expect(losses == [true, false])
  }
}
