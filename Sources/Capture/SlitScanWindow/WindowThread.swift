// The window thread is the one thread that calls SDL, and the executor of the window system.

import CSDL
import Dispatch
import GStreamer
import LibC
import StreamingThread
import Synchronization

/// The executor of ``WindowSystem``: a thread that waits for SDL's events and for jobs at once.
///
/// While there are windows it sleeps within SDL, and a job is announced by an event; else it sleeps outside,
/// as SDL without windows looks for events a thousand times a second.
final class WindowThread: SerialExecutor {
  /// The place of the thread in its loop.
  private enum Rest {
    /// It looks for jobs before it sleeps.
    case awake
    /// It waits for jobs alone.
    case outside
    /// It waits in SDL, or is about to.
    case inside
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var rest = Rest.awake
  }

  /// The kind of event that announces a job.
  static let announcement = SDL_USEREVENT.rawValue

  private let state = Lock(State())
  private let bell = DispatchSemaphore(value: 0)
  private let thread = Atomic<UInt>(0)

  /// Starts the thread, which ends with the process.
  func start() {
    startThread("windows") { self.run() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobs.append(job)
      switch state.rest {
      case .awake: break
      case .outside: bell.signal()
      case .inside:
        // Within the lock: once the thread is awake, it may end SDL.
        var event = unsafe SDL_Event()
        unsafe event.type = Self.announcement
        unsafe SDL_PushEvent(&event)
      }
      state.rest = .awake
    }
  }

  func isIsolatingCurrentContext() -> Bool? {
    thread.load(ordering: .relaxed) == currentThreadNumber
  }

  func checkIsolated() {
    precondition(
      isIsolatingCurrentContext() == true, "Windows were reached from outside their thread.")
  }

  private func run() {
    thread.store(currentThreadNumber, ordering: .relaxed)
    var hasWindows = false
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        if state.jobs.isEmpty { state.rest = hasWindows ? .inside : .outside }
        return state.jobs
      }
      if jobs.isEmpty {
        if hasWindows {
          WindowSystem.shared.assumeIsolated { $0.waitForEvent() }
        } else {
          bell.wait()
        }
        state.withLock { $0.rest = .awake }
      }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      hasWindows = WindowSystem.shared.assumeIsolated { $0.handleEvents() }
    }
  }
}
