// The control thread is the executor of calls that block: state changes and seeks.

import CGStreamer
import Dispatch
import LibC
import StreamingThread
import Synchronization

/// The executor of one pipeline: a thread that nothing else runs on.
///
/// State changes, seeks and events may wait for streaming threads and devices. On one of Swift's
/// cooperative threads, of which there are as many as processors, they would hold up all tasks; on a
/// streaming thread they would wait for themselves.
///
/// The thread ends with the executor, after the jobs that are left.
final class ControlThread: SerialExecutor {
  /// The thread's name in tools that list threads.
  static let name = "gst-control"

  private let queue = JobQueue()

  /// The jobs of all such threads that are not done, and the bins of pipelines that are gone and not freed.
  fileprivate static let work = DispatchGroup()
  /// The time that pipelines have to go down when the process ends.
  static let patience = Lock(DispatchTimeInterval.seconds(5))
  private static let exitHandler: Void = { _ = atexit(waitAtExit) }()

  /// Blocks until no such thread has anything to do, and all is freed, or for some seconds where one is held up.
  static func waitForAll() { _ = work.wait(timeout: .now() + patience.withLock { $0 }) }

  /// Has ``waitForAll()`` wait until the bins of a pipeline that goes are freed.
  ///
  /// Threads of GStreamer that continue a change of state hold a bin, and may be the last to release it.
  static func waitLater(for pipeline: Element) {
    for bin in pipeline.all where bin.object.isA(gst_bin_get_type()) {
      work.enter()
      unsafe bin.object.with(GObject.self) { object in
        unsafe g_object_weak_ref(object, { _, _ in ControlThread.work.leave() }, nil)
      }
    }
  }

  /// Starts the thread.
  ///
  /// - Throws: ``GStreamerError/Code/outOfMemory`` where the system gives none.
  init() throws(GStreamerError) {
    Self.exitHandler
    let context = unsafe CallbackContext.retain(queue)
    guard let thread = unsafe g_thread_try_new(Self.name, runJobs, context, nil) else {
      unsafe releaseContext(context)
      throw GStreamerError(.outOfMemory, "The system gives no thread for a pipeline.")
    }
    unsafe g_thread_unref(thread)
  }

  deinit { queue.finish() }

  func enqueue(_ job: consuming ExecutorJob) {
    // The job may be what keeps the actor alive, and the actor is what keeps this alive; so each job
    // that waits keeps it, too.
    queue.append(JobQueue.Entry(job: UnownedJob(job), executor: self))
  }

  func isIsolatingCurrentContext() -> Bool? { queue.isCurrentThread }

  func checkIsolated() {
    precondition(queue.isCurrentThread, "A pipeline was reached from outside its own thread.")
  }
}

/// The jobs that wait for one thread, in order.
private final class JobQueue: Sendable {
  struct Entry: Sendable {
    let job: UnownedJob
    let executor: ControlThread
  }

  private let entries = Lock([Entry]())
  private let bell = DispatchSemaphore(value: 0)
  private let thread = Atomic<UInt>(0)

  var isCurrentThread: Bool { thread.load(ordering: .relaxed) == currentThreadNumber }

  func append(_ entry: Entry) {
    ControlThread.work.enter()
    entries.withLock { $0.append(entry) }
    bell.signal()
  }

  /// Lets the thread end after what waits.
  func finish() { bell.signal() }

  func run() {
    thread.store(currentThreadNumber, ordering: .relaxed)
    while let entry = next() {
      unsafe entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
      ControlThread.work.leave()
    }
  }

  /// Waits for a job; nil when there will be no more.
  private func next() -> Entry? {
    bell.wait()
    return entries.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// The handler of `atexit`: graphics libraries clean up in `exit()`, and crash where elements still draw.
private func waitAtExit() { ControlThread.waitForAll() }

/// The thread: a `GThreadFunc`.
private func runJobs(_ data: gpointer?) -> gpointer? {
  unsafe CallbackContext<JobQueue>.object(data)?.run()
  unsafe releaseContext(data)
  return nil
}
