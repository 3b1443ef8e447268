// Tests that need a process of their own: leaks, memory, and a pool of one thread.

import CGStreamer
import Foundation
import IgnoredSIGPIPE
import LibC
import LeakChecker
import OneThreadPool
import StreamingThread
import Testing

@testable import GStreamer

@Test func writingToAClosedPipeIsAnErrorAndNoSignal() { #expect(sigpipe_is_ignored()) }

@Suite(.serialized) struct ProcessTests {
  @Test func whateverEndsAStreamNothingIsLeaked() async {
    await #expect(processExitsWith: .success) {
      setenv("GST_TRACERS", "leaks", 1)
      try await StreamEndings.all(0)
      try LeakChecker.begin()
      for round in 1..<7 { try await StreamEndings.all(round) }
      #expect(try LeakChecker.leaks() == [])
    }
  }

  @Test func whatIsLeakedIsFound() async {
    await #expect(processExitsWith: .success) {
      setenv("GST_TRACERS", "leaks", 1)
      try Runtime.start()
      try LeakChecker.begin()
      let element = try Element("fakesink")
      #expect(try LeakChecker.leaks(looks: 3) == ["GstFakeSink", "GstPad"])
      withExtendedLifetime(element) {}
    }
  }

  @Test func aHundredThousandFramesGoThroughSwiftNoneLostNoneReorderedInConstantMemory() async {
    await #expect(processExitsWith: .success) {
      var next = 0
      var misplaced = 0
      var used: [Int] = []
      try await Bridge().pass(100_000) { number in
        if number != next { misplaced += 1 }
        next += 1
        if next == 20_000 || next == 100_000 { used.append(residentPages()) }
      }
      #expect(misplaced == 0)
      #expect(next == 100_000)
      try #require(used.count == 2)
      // 4 KiB each. To leak the smallest thing with each of 80000 frames would take 300 and more.
      // AddressSanitizer keeps what is freed, to know it again.
      if dlsym(nil, "__asan_init") == nil { #expect(used[1] - used[0] < 200) }
    }
  }

  @Test func withOneCooperativeThreadNothingWaitsForItself() async {
    await #expect(processExitsWith: .success) {
      try #require(one_thread_pool_install())
      try await Task.detached {
        #expect(one_thread_pool_is_current())
        let numbers = try await Bridge().pass(1000)
        #expect(numbers == Array(0..<1000))
        for round in 0..<3 { try await StreamEndings.all(round) }
        try await BlockedStream.stop()
        try await BlockedStream.letGo()
        #expect(one_thread_pool_is_current())
      }.value
    }
  }

  /// Graphics libraries clean up in `exit()`, and crash under elements that still draw.
  @Test func aPipelineThatIsLetGoOfIsDownBeforeTheProcessEnds() async {
    await #expect(processExitsWith: .exitCode(7)) {
      ControlThread.patience.withLock { $0 = .never }
      // What is registered first is called last.
      atexit(exitWithDisposalState)
      try await BlockedDisposal.begin()
      atexit(openGate)
    }
  }

  /// That the test above would notice.
  @Test func withOneCooperativeThreadWhatWaitsForItselfNeverEnds() async {
    await #expect(processExitsWith: .signal(SIGALRM)) {
      try #require(one_thread_pool_install())
      await Task.detached {
        let gate = Lock(false)
        Task { gate.withLock { $0 = true } }
        alarm(1)
        while !gate.withLock({ $0 }) { usleep(1000) }
      }.value
    }
  }
}

/// Memory that the process takes, in pages.
func residentPages() -> Int {
  let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
}

/// Every way in which streams end, one after the other.
enum StreamEndings {
  static func all(_ round: Int) async throws {
    try await end()
    try await failure()
    try await stop()
    try await cancellation()
    try await letGo(round)
    try await senders()
    try await branch()
    _ = try await Bridge(delivery: .latest(2)).pass(50)
  }

  private static let line =
    "videotestsrc ! video/x-raw,width=8,height=8 ! appsink name=out sync=false"

  private static func end() async throws {
    let pipeline = try Pipeline("videotestsrc num-buffers=5 ! appsink name=out sync=false")
    let sink = try AppSink(pipeline.element(named: "out"))
    let messages = pipeline.bus.messages
    try await pipeline.play()
    for try await sample in sink.samples { _ = try sample.videoFrame().planeCount }
    for await message in messages where message.kind == .eos { break }
    try await pipeline.seek(to: .zero)
  }

  private static func failure() async throws {
    let pipeline = try Pipeline(
      "videotestsrc ! identity error-after=3 ! appsink name=out sync=false")
    let sink = try AppSink(pipeline.element(named: "out"))
    _ = try? await pipeline.play()
    do { for try await _ in sink.samples {} } catch {}
  }

  private static func stop() async throws {
    let pipeline = try Pipeline(line)
    let sink = try AppSink(pipeline.element(named: "out"))
    let reader = Task { for try await _ in sink.samples {} }
    try await pipeline.play()
    await pipeline.stop()
    // It may come only now, and then waits for the next stream.
    reader.cancel()
    try await reader.value
  }

  private static func cancellation() async throws {
    let pipeline = try Pipeline(line)
    let sink = try AppSink(pipeline.element(named: "out"), delivery: .lossless(queue: 1))
    let reader = Task { for try await _ in sink.samples {} }
    try await pipeline.play()
    reader.cancel()
    try await reader.value
    try await pipeline.endStream()
  }

  private static func letGo(_ round: Int) async throws {
    var pipeline: Pipeline? = try Pipeline(line)
    var sink: AppSink? = try pipeline.map { try AppSink($0.element(named: "out")) }
    var iterator = sink?.samples.makeAsyncIterator()
    try await pipeline?.play()
    _ = try await iterator?.next()
    if round.isMultiple(of: 2) { pipeline = nil } else { sink = nil }
    if round.isMultiple(of: 3) { iterator = nil }
    pipeline = nil
    while try await iterator?.next() != nil {}
    _ = sink
  }

  private static func senders() async throws {
    let pipeline = try Pipeline("appsrc name=in ! fakesink")
    let source = try AppSrc(pipeline.element(named: "in"), caps: NumberedFrames.info().caps())
    let sender = Task {
      for number in 0..<1000 { try await source.send(NumberedFrames.make(number)) }
    }
    try await pipeline.play()
    await pipeline.stop()
    sender.cancel()
    _ = await sender.result
  }

  private static func branch() async throws {
    let pipeline = try Pipeline("videotestsrc ! tee name=t ! queue ! fakesink sync=true")
    let tee = try pipeline.element(named: "t")
    let connection = try tee.connect("pad-added") { _ in nil }
    try await pipeline.play()
    let pad = try tee.requestPad("src_%u")
    let branch = try Element(binOf: "queue ! fakesink")
    try await pipeline.add(branch)
    try await pipeline.syncState(of: branch)
    try pad.link(to: branch.pad("sink"))
    let blocked = try await pad.block()
    try pad.unlink(from: branch.pad("sink"))
    blocked.release()
    tee.release(pad)
    await pipeline.remove(branch)
    connection.disconnect()
  }
}

/// A pipeline that is released, and cannot go down before the process begins to end.
private enum BlockedDisposal {
  /// Goes with the pad that it is at.
  private final class Mark: Sendable { deinit { BlockedDisposal.isDown.withLock { $0 = true } } }

  static let isDown = Lock(false)
  static let gate = Lock<BlockedStream.Gate?>(nil)

  static func begin() async throws {
    let (pipeline, gate) = try await BlockedStream.blockedPipeline()
    self.gate.withLock { $0 = gate }
    let mark = Mark()
    try pipeline.element(named: "out").pad("sink").addProbe(.buffer) { _ in
      withExtendedLifetime(mark) { .pass }
    }
  }
}

private func openGate() { BlockedDisposal.gate.withLock { $0 }?.open() }

private func exitWithDisposalState() { _exit(BlockedDisposal.isDown.withLock { $0 } ? 7 : 8) }

/// A streaming thread that goes on only when one of Swift's tasks says so.
///
/// Were a pipeline stopped on the thread that the task needs, neither would ever end.
enum BlockedStream {
  final class Gate: Sendable {
    private let opening = DispatchSemaphore(value: 0)
    private let isReached = Lock(false)

    var hasBeenReached: Bool { isReached.withLock { $0 } }

    func open() { opening.signal() }

    func pass() {
      isReached.withLock { $0 = true }
      opening.wait()
      // For the next one.
      opening.signal()
    }
  }

  /// A pipeline whose streaming thread waits.
  static func blockedPipeline() async throws -> (Pipeline, Gate) {
    let gate = Gate()
    let pipeline = try Pipeline("videotestsrc ! fakesink name=out sync=false")
    try pipeline.element(named: "out").pad("sink").addProbe(.buffer) { _ in
      gate.pass()
      return .pass
    }
    let playing = Task { [weak pipeline] in try await pipeline?.play() }
    while !gate.hasBeenReached { await Task.yield() }
    playing.cancel()
    _ = await playing.result
    return (pipeline, gate)
  }

  static func stop() async throws {
    let (pipeline, gate) = try await blockedPipeline()
    async let stopped: Void = pipeline.stop()
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    await stopped
    #expect(pipeline.state == .null)
  }

  static func letGo() async throws {
    let messages: Bus.Messages
    let gate: Gate
    do {
      let pipeline: Pipeline
      (pipeline, gate) = try await blockedPipeline()
      messages = pipeline.bus.messages
    }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    for await _ in messages {}
  }
}
