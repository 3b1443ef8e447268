// Tests of the executor whose thread is the holder of its gate.

import Foundation
import StreamingThread
import Testing

/// An actor that lives on the streaming thread.
private actor Counter {
  nonisolated let executor = StreamingThreadExecutor()
  private(set) var value = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func increment() -> Int {
    value += 1
    return value
  }

  func waitForNothing() async {
    value += 1
    await Task.yield()
    value += 1
  }

  /// The work of a streaming thread for a frame.
  nonisolated func incrementOnThisThread() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.value += 1 }
  }
}

/// Runs `body` on a thread that is not Swift's, and waits for it without blocking this one.
private func onForeignThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

@Suite struct StreamingThreadExecutorTests {
  @Test func anyThreadInsideTheGateIsTheActorsThread() async {
    let counter = Counter()
    await onForeignThread {
      #expect(counter.executor.isIsolatingCurrentContext() == false)
      counter.executor.enter()
      #expect(counter.executor.isIsolatingCurrentContext() == true)
      counter.assumeIsolated { _ = $0.increment() }
      counter.executor.leave()
      #expect(counter.executor.isIsolatingCurrentContext() == false)
    }
    #expect(await counter.value == 1)
  }

  @Test func aTaskIsAnsweredWhileTheGateIsFree() async {
    let counter = Counter()
    #expect(await counter.increment() == 1)
    #expect(await counter.increment() == 2)
  }

  @Test func aTaskThatComesDuringAFrameIsAnsweredWhenTheFrameIsDone() async {
    let counter = Counter()
    let answer = await onForeignThread {
      counter.executor.enter()
      defer { counter.executor.leave() }
      let answer = Task.immediate { await counter.increment() }
      counter.assumeIsolated { _ = $0.increment() }
      return answer
    }
    #expect(await answer.value == 2)
  }

  /// Enters on a thread of its own, which leaves at a signal.
  private func enterElsewhere(_ counter: Counter) async -> DispatchSemaphore {
    let mayLeave = DispatchSemaphore(value: 0)
    await withCheckedContinuation { isInside in
      Thread.detachNewThread {
        counter.executor.enter()
        isInside.resume()
        mayLeave.wait()
        counter.executor.leave()
      }
    }
    return mayLeave
  }

  @Test func waitingForAFrameBlocksNoCooperativeThread() async {
    let counter = Counter()
    let mayLeave = await enterElsewhere(counter)
    // Far more questions than the pool has threads; were one of them blocked by each, the unrelated
    // task below could never run, and the frame would never end.
    let questions = (0..<256).map { _ in Task { await counter.increment() } }
    let unrelated = Task.detached { 42 }
    #expect(await unrelated.value == 42)
    mayLeave.signal()
    var answers: Set<Int> = []
    for question in questions { answers.insert(await question.value) }
    #expect(answers == Set(1...256))
  }

  @Test func noJobIsLeftBehindWhenTheStreamStops() async {
    for _ in 0..<200 {
      let counter = Counter()
      let mayLeave = await enterElsewhere(counter)
      // More questions than one leave answers, others while it answers them, and no frame after it.
      let questions = (0..<40).map { number in
        if number == 20 { mayLeave.signal() }
        return Task.immediate { await counter.increment() }
      }
      for question in questions { _ = await question.value }
      #expect(await counter.value == 40)
    }
  }

  @Test func framesAndQuestionsNeverOverlap() async {
    let counter = Counter()
    let frames = 20_000
    let questions = 4_000
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await onForeignThread { for _ in 0..<frames { counter.incrementOnThisThread() } }
        }
      }
      for _ in 0..<4 { group.addTask { for _ in 0..<questions { _ = await counter.increment() } } }
    }
    #expect(await counter.value == 2 * frames + 4 * questions)
  }

  @Test func anActorMethodMaySuspendAndComeBack() async {
    let counter = Counter()
    async let frames: Void = onForeignThread {
      for _ in 0..<1000 { counter.incrementOnThisThread() }
    }
    for _ in 0..<500 { await counter.waitForNothing() }
    await frames
    #expect(await counter.value == 2000)
  }

  @Test func theLastQuestionMayOutliveEverythingElse() async {
    // The task holds the last reference: actor and executor go while its job is being finished.
    for _ in 0..<2000 {
      let counter = Counter()
      let question = Task { await counter.increment() }
      counter.incrementOnThisThread()
      _ = await question.value
    }
  }
}
