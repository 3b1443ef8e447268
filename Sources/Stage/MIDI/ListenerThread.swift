// A listener thread waits for the bytes of a device.

import Foundation
import GStreamer
import LibC
import StreamingThread

/// A thread of its own for what blocks: Swift's threads are few, and everybody needs them.
///
/// Its body says when it is ready, and sleeps by ``Stopper/wait(for:)``, so that it can be woken.
final class ListenerThread: Sendable {
  private struct State {
    var stopper: Stopper?
    var end: AsyncStream<Never>?
    /// Wakes the thread from time to time.
    var waker: Task<Void, Never>?

    func stop() {
      waker?.cancel()
      stopper?.stop()
    }
  }

  private let state = Lock(State())

  deinit { state.withLock { $0 }.stop() }

  /// Starts the thread; returns when its body says that it is ready.
  ///
  /// - Parameters:
  ///   - interval: How often it is woken by the clock.
  ///   - body: Calls its second parameter once, with the error if there is one; it ends then.
  /// - Throws: What the body says, or ``StageError/Code/inputFailed`` where there is no thread to be had.
  func start(
    _ name: String, every interval: Duration, on clock: any SteadyClock,
    _ body: @escaping @Sendable (Stopper, (Result<Void, StageError>) -> Void) -> Void
  ) async throws(StageError) {
    guard let stopper = Stopper() else {
      throw StageError(.inputFailed, "No pipe can be created: \(systemReason()).")
    }
    let (end, ending) = AsyncStream.makeStream(of: Never.self)
    state.withLock { $0 = State(stopper: stopper, end: end) }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, StageError>, Never>) in
      let thread = Thread {
        body(stopper) { continuation.resume(returning: $0) }
        ending.finish()
      }
      thread.name = name
      thread.start()
    }
    try result.get()
    state.withLock { state in
      guard state.stopper === stopper else { return }
      state.waker = Task {
        while (try? await clock.sleep(for: interval)) != nil { stopper.wake() }
      }
    }
  }

  /// Ends the thread; returns when it is gone.
  func stop() async {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    last.stop()
    guard let end = last.end else { return }
    for await _ in end {}
  }
}

/// The message of the last error of a system call.
func systemReason() -> String { unsafe String(cString: strerror(errno)) }

/// Tells a thread to end, or that time has passed, also where it sleeps.
final class Stopper: Sendable {
  private let end: Bell
  private let time: Bell

  /// Nil where the system has no more files.
  init?() {
    guard let end = Bell(), let time = Bell() else { return nil }
    (self.end, self.time) = (end, time)
  }

  /// Ends the thread's wait, and each one after it.
  func stop() { end.ring() }

  /// Ends the thread's wait, or the next one, because of the time.
  func wake() { time.ring() }

  /// The reason for which a wait ended.
  enum Reason { case stopped, ready, time }

  /// Waits for a file to have something, or to be at its end, or for ``wake()``.
  ///
  /// - Parameter file: The file; nil for waiting for time alone.
  func wait(for file: CInt? = nil) -> Reason {
    // poll leaves out files below 0.
    var files = [end.descriptor, file ?? -1, time.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A signal may end it early.
    while unsafe poll(&files, nfds_t(files.count), -1) <= 0 {}
    if files[0].revents != 0 { return .stopped }
    if files[1].revents != 0 { return .ready }
    time.clear()
    return .time
  }
}

/// Wakes a thread that waits by a ``Stopper``, as often as there is something to do.
final class Bell: Sendable {
  /// The file to wait for.
  let descriptor: CInt
  private let writing: CInt

  /// Nil where the system has no more files.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (descriptor, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // One that rings already rings on.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Ends the thread's wait.
  func ring() { _ = unsafe write(writing, [1], 1) }

  /// Rings no more.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
