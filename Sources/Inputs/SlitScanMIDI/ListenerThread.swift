// A listener thread waits for the bytes of a device.

import Foundation
import GStreamer
import LibC
import SlitScanStage
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
