// The web thread runs libsoup's main loop and is the executor of the actors that use it.

import CSoup
import LibC
import StreamingThread
import Synchronization

/// A thread that runs jobs of actors and a main context of GLib in turn.
///
/// libsoup calls back on the thread of its main context. Where that is an actor's own executor, a callback is
/// inside of the actor already: it uses `assumeIsolated`, and does not wait.
final class WebThread: SerialExecutor {
  /// The one of this process; it starts with the first job, and never ends.
  static let shared = WebThread()

  @safe
  private struct State {
    let context = unsafe g_main_context_new()
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Lock(State())
  private let thread = Atomic<UInt>(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobs.append(job)
      unsafe g_main_context_wakeup(state.context)
      guard !state.isRunning, let thread = unsafe g_thread_try_new("remote", runThread, nil, nil)
      else { return }
      unsafe g_thread_unref(thread)
      state.isRunning = true
    }
  }

  func isIsolatingCurrentContext() -> Bool? {
    thread.load(ordering: .relaxed) == currentThreadNumber
  }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "The remote was reached from another thread.")
  }

  fileprivate func run() -> Never {
    thread.store(currentThreadNumber, ordering: .relaxed)
    let context = unsafe state.withLock { unsafe $0.context }
    unsafe g_main_context_push_thread_default(context)
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        return state.jobs
      }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      _ = unsafe g_main_context_iteration(context, 1)
    }
  }
}

/// The thread: a `GThreadFunc`.
private func runThread(_ data: gpointer?) -> gpointer? { WebThread.shared.run() }
