// The streaming thread executor runs an actor on a thread that is not Swift's.

import LibC
import Synchronization

/// A serial executor whose thread is whichever thread holds its gate.
///
/// A foreign thread (GStreamer's streaming thread) calls ``enter()``, uses `assumeIsolated` on the
/// actor as often as it likes, and calls ``leave()``. Tasks that `await` the actor meanwhile leave
/// their job in a queue; while the gate is free they run at once, on the thread that enqueued them.
///
/// ```swift
/// executor.enter()
/// defer { executor.leave() }
/// scanner.assumeIsolated { $0.scan(…) }
/// ```
///
/// - Important: `enqueue` never blocks, so no cooperative thread ever waits for a frame to be done.
///   ``enter()`` waits, at most for the one job that another thread is in the middle of. The gate is
///   not re-entrant: a thread that is inside must not enter again, and must take no lock inside that
///   another thread holds while entering.
///
/// Lock order: the gate, then `waiting`. Neither is held while a handed-over task is made.
package final class StreamingThreadExecutor: SerialExecutor {
  /// The most waiting jobs that the streaming thread runs before it leaves; the rest is handed over.
  private static let jobsPerLeave = 8

  private let gate = Lock(())
  private let waiting = Lock([UnownedJob]())
  /// The number of jobs in `waiting`, readable without its lock.
  private let waitingCount = Atomic<Int>(0)
  /// The thread inside the gate, 0 for none.
  private let owner = Atomic<UInt>(0)
  /// The foreign threads that wait in ``enter()``; a thread that drains for tasks gives way to them.
  private let entering = Atomic<Int>(0)

  package init() {}

  // MARK: The foreign thread

  /// Makes the calling thread the actor's thread until ``leave()``.
  package func enter() {
    entering.add(1, ordering: .sequentiallyConsistent)
    gate.lock()
    entering.subtract(1, ordering: .sequentiallyConsistent)
    owner.store(currentThreadNumber, ordering: .relaxed)
  }

  /// Runs a bounded number of the jobs that came meanwhile and opens the gate.
  package func leave() {
    for _ in 0..<Self.jobsPerLeave {
      guard runNextJob() else { break }
    }
    owner.store(0, ordering: .relaxed)
    gate.unlock()
    // A job may have been queued after the last look, when the gate was still shut.
    if waitingCount.load(ordering: .sequentiallyConsistent) > 0 {
      Task.detached { self.runWaitingJobsIfFree() }
    }
  }

  // MARK: SerialExecutor

  package func enqueue(_ job: consuming ExecutorJob) {
    // The actor owns this executor, and the job may be what keeps the actor alive: once it is
    // queued, another thread can run it and release both while this one is still in here.
    let alive = unsafe Unmanaged.passRetained(self)
    defer { unsafe alive.release() }

    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
    waitingCount.add(1, ordering: .sequentiallyConsistent)
    runWaitingJobsIfFree()
  }

  package func isIsolatingCurrentContext() -> Bool? {
    owner.load(ordering: .relaxed) == currentThreadNumber
  }

  package func checkIsolated() {
    precondition(
      owner.load(ordering: .relaxed) == currentThreadNumber,
      "This actor was reached from a thread that has not entered its StreamingThreadExecutor."
    )
  }

  // MARK: Jobs

  /// Runs jobs until there are none, the gate is taken, or a foreign thread wants in.
  ///
  /// The thread that has or takes the gate then looks at the queue before and after giving it back, so
  /// no job is left behind.
  private func runWaitingJobsIfFree() {
    while waitingCount.load(ordering: .sequentiallyConsistent) > 0,
      entering.load(ordering: .sequentiallyConsistent) == 0, gate.tryLock()
    {
      owner.store(currentThreadNumber, ordering: .relaxed)
      _ = runNextJob()
      owner.store(0, ordering: .relaxed)
      gate.unlock()
    }
  }

  /// Runs the oldest waiting job, if there is one; the gate must be held.
  ///
  /// - Returns: Whether there was one.
  private func runNextJob() -> Bool {
    guard waitingCount.load(ordering: .sequentiallyConsistent) > 0 else { return false }
    let next: UnownedJob? = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else { return false }
    waitingCount.subtract(1, ordering: .sequentiallyConsistent)
    unsafe next.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}
