// The frames of a capture for the program, and notice of a reader that everything waits for.

import GStreamer
import StreamingThread

/// The scanned frames of a capture, see ``CaptureSession/frames(delivery:)``; for one reader.
///
/// It ends with the source, and goes on where another source takes over while that one plays.
public struct ScannedFrames: AsyncSequence, Sendable {
  private let outlet: Outlet

  init(_ outlet: Outlet) { self.outlet = outlet }

  /// The frames that were dropped so far, as newer ones came.
  public var dropped: UInt64 { outlet.dropped }

  /// Ends the sequence after what its reader can have at once; the capture does not wait for it any more.
  ///
  /// A reader that was left by `break` does so by itself, but in top-level code, where Swift keeps the
  /// loop's iterator.
  public func stop() { outlet.finish() }

  /// The reader's side.
  public func makeAsyncIterator() -> Iterator {
    Iterator(presence: Presence(outlet))
  }

  /// Ends an outlet when its reader goes.
  fileprivate final class Presence: Sendable {
    let outlet: Outlet

    init(_ outlet: Outlet) { self.outlet = outlet }

    deinit { outlet.finish() }
  }

  /// Reads frames, one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let presence: Presence
    private var yieldTimer = YieldTimer()

    fileprivate init(presence: Presence) { self.presence = presence }

    /// The next frame; nil after the last one of the source, when the capture stops, or the task is cancelled.
    ///
    /// - Throws: Why the source broke off; ``CaptureError/Code/slowReader``, after the frames that waited; nil
    ///   follows.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(CaptureError) -> Sample? {
      if yieldTimer.isOver() { await Task.yield() }
      return try await presence.outlet.next(isolation: isolation)
    }
  }
}

/// Tells once when a wait for a reader has become long.
///
/// A wait costs a look at the clock. A task that sleeps is made for many of them.
final class ReaderWatch: Sendable {
  private struct State {
    /// The limit of the wait that goes on; nil where there is none, or it has been told of.
    var wait: Deadline?
    var isWatched = false
  }

  private static let limit = Duration.seconds(5)

  private let state = Lock(State())
  private let clock: any SteadyClock
  private let tell: @Sendable (Duration) -> Void

  /// - Parameter tell: Gets the limit each time that a wait takes longer.
  init(on clock: any SteadyClock, tell: @escaping @Sendable (Duration) -> Void) {
    self.clock = clock
    self.tell = tell
  }

  /// The capture begins to wait.
  func begin() {
    let wait = Deadline(in: Self.limit, on: clock)
    let mustWatch = state.withLock { state in
      state.wait = wait
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard mustWatch else { return }
    Task { [weak self, clock] in
      while (try? await clock.sleep(for: wait.longestTurn)) != nil, self?.look() == true {}
    }
  }

  /// The reader has read, or is gone.
  func end() { state.withLock { $0.wait = nil } }

  /// - Returns: Whether to look again.
  private func look() -> Bool {
    let isOver = state.withLock { state in
      let isOver = state.wait?.isOver()
      if isOver != false { state = State() }
      return isOver
    }
    if isOver == true { tell(Self.limit) }
    return isOver == false
  }
}
