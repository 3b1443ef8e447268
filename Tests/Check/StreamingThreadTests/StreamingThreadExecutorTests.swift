// Tests of the executor whose thread is the holder of its gate.

import Foundation
import StreamingThread
import Synchronization
import Testing

/// An actor that lives on the streaming thread.
private actor Counter {
  nonisolated let executor = StreamingThreadExecutor()
  private(set) var value = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func increment() -> Int {
    value += 1
    return value
  }

  func waitForNothing() async {
    value += 1
    await Task.yield()
    value += 1
  }

  /// What a streaming thread does once a frame.
  nonisolated func incrementOnThisThread() {
    executor.enter()
    defer { executor.leave() }
    assumeIsolated { $0.value += 1 }
  }
}

/// Runs `body` on a thread that is not Swift's, and waits for it without blocking this one.
private func onForeignThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct StreamingThreadExecutorTests {
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
    let isInside = Atomic(false)
    let mayLeave = Atomic(false)
    async let frame: Void = onForeignThread {
      counter.executor.enter()
      isInside.store(true, ordering: .releasing)
      while !mayLeave.load(ordering: .acquiring) { usleep(100) }
      counter.assumeIsolated { _ = $0.increment() }
      counter.executor.leave()
    }
    while !isInside.load(ordering: .acquiring) { await Task.yield() }
    let answer = Task { await counter.increment() }
    try? await Task.sleep(for: .milliseconds(20))
    mayLeave.store(true, ordering: .releasing)
    #expect(await answer.value == 2)
    await frame
  }

  @Test func waitingForAFrameBlocksNoCooperativeThread() async {
    let counter = Counter()
    let isInside = Atomic(false)
    let mayLeave = Atomic(false)
    async let frame: Void = onForeignThread {
      counter.executor.enter()
      isInside.store(true, ordering: .releasing)
      while !mayLeave.load(ordering: .acquiring) { usleep(100) }
      counter.executor.leave()
    }
    while !isInside.load(ordering: .acquiring) { await Task.yield() }
    // Far more questions than the pool has threads; were one of them blocked by each, the unrelated
    // task below could never run, and the frame would never end.
    let questions = (0..<256).map { _ in Task { await counter.increment() } }
    let unrelated = Task.detached { 42 }
    #expect(await unrelated.value == 42)
    mayLeave.store(true, ordering: .releasing)
    var answers: Set<Int> = []
    for question in questions { answers.insert(await question.value) }
    #expect(answers == Set(1...256))
    await frame
  }

  @Test func noJobIsLeftBehindWhenTheStreamStops() async {
    // More questions than one leave answers, and no frame after it.
    for _ in 0..<200 {
      let counter = Counter()
      let isInside = Atomic(false)
      async let frame: Void = onForeignThread {
        counter.executor.enter()
        isInside.store(true, ordering: .releasing)
        usleep(200)
        counter.executor.leave()
      }
      while !isInside.load(ordering: .acquiring) { await Task.yield() }
      let questions = (0..<40).map { _ in Task { await counter.increment() } }
      for question in questions { _ = await question.value }
      await frame
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
          await onForeignThread {
            for _ in 0..<frames { counter.incrementOnThisThread() }
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<questions { _ = await counter.increment() }
        }
      }
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
