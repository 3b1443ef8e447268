// A listener thread waits for the bytes of a device.

import GStreamer
import LibC
import SlitScanStage
import StreamingThread

/// A thread of its own for what blocks: Swift's threads are few, and everybody needs them.
final class ListenerThread: Sendable {
  /// Opens devices; what it returns listens to them until the stopper says so, and sleeps by it.
  typealias Open = @Sendable (Stopper) throws(StageError) -> () -> Void

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

  /// The time after which it is woken by the clock, to look again for what is gone.
  private static let interval = Duration.seconds(1.5)

  private let name: String
  private let clock: any SteadyClock
  private let open: Open
  private let state = Lock(State())

  init(_ name: String, on clock: any SteadyClock, open: @escaping Open) {
    self.name = name
    self.clock = clock
    self.open = open
  }

  deinit { state.withLock { $0 }.stop() }

  /// Starts the thread; returns when it listens.
  ///
  /// - Throws: ``StageError/Code/inputFailed``.
  func start() async throws(StageError) {
    guard let stopper = Stopper() else {
      throw StageError(.inputFailed, "No pipe can be created: \(systemReason()).")
    }
    let (end, ending) = AsyncStream.makeStream(of: Never.self)
    state.withLock { $0 = State(stopper: stopper, end: end) }
    let failure = await withCheckedContinuation {
      (continuation: CheckedContinuation<StageError?, Never>) in
      startThread(name) { [open] in
        do throws(StageError) {
          let listen = try open(stopper)
          continuation.resume(returning: nil)
          listen()
        } catch {
          continuation.resume(returning: error)
        }
        ending.finish()
      }
    }
    if let failure { throw failure }
    state.withLock { state in
      guard state.stopper === stopper else { return }
      state.waker = Task { [clock] in
        while (try? await clock.sleep(for: Self.interval)) != nil { stopper.wake() }
      }
    }
  }

  /// Returns when the thread is gone; nothing comes from it then.
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
