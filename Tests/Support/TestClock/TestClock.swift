// A test clock drives pipelines by hand.

import CGStreamer
import CGStreamerCheck
import Dispatch
import GStreamer
import StreamingThread

/// A clock of pipelines that stands still until a test says so: a `GstTestClock`.
///
/// ```swift
/// let clock = TestClock()
/// let pipeline = try Pipeline("videotestsrc is-live=true ! fakesink", clock: clock.clock)
/// async let plays: Void = pipeline.play()
/// await clock.crank()
/// try await plays
/// ```
///
/// A pipeline plays once each sink has a frame, and a live source gives the first at the first crank.
/// A wait for a time that is over already waits for a crank, too: so a live source gives one frame a crank.
/// The waits for waiters are on a thread of the clock's own, and have no limit.
@safe package final class TestClock: @unchecked Sendable {
  // Why @unchecked Sendable is sound: GstTestClock takes its own lock.
  private let pointer: UnsafeMutablePointer<GstTestClock>
  package let base: UnsafeMutablePointer<GstClock>
  private let queue = DispatchQueue(label: "test-clock")
  private let isRunning = Lock(false)
  private let setting = Lock(())
  /// The clock as pipelines take it.
  package let clock: StreamClock

  /// A clock that shows 0, and stands still.
  package init() {
    gst_init(nil, nil)
    guard let made = unsafe gst_test_clock_new() else { fatalError("There is no test clock.") }
    unsafe base = made
    let raw = UnsafeMutableRawPointer(made)
    unsafe pointer = raw.assumingMemoryBound(to: GstTestClock.self)
    unsafe clock = StreamClock(taking: raw)
  }

  /// The time that it shows.
  package var now: ClockTime { unsafe ClockTime(nanoseconds: UInt64(gst_clock_get_time(base))) }

  /// The number of pending waits.
  package var waits: Int { unsafe Int(gst_test_clock_peek_id_count(pointer)) }

  // MARK: Going on

  /// Waits until something waits, goes on to the earliest time that is waited for, and ends all waits until then.
  package func crank() async { await onThread { $0.step() } }

  /// Goes on by a time, and ends the waits until then.
  package func advance(by duration: ClockTime) { setTime(now + duration) }

  /// Goes on to a time, unless it is over, and ends the waits until then.
  package func setTime(_ time: ClockTime) {
    setting.withLock { _ in
      unsafe gst_test_clock_set_time(pointer, UInt(max(time, now).nanoseconds))
    }
    while let id = unsafe gst_test_clock_process_next_clock_id(pointer) {
      unsafe gst_clock_id_unref(id)
    }
  }

  /// Waits until so many waits go on at once.
  package func waits(_ count: Int) async {
    await onThread { clock in
      unsafe gst_test_clock_wait_for_multiple_pending_ids(clock.pointer, guint(count), nil)
    }
  }

  /// Cranks as fast as something waits, as long as `body` runs: time passes, and no real time does.
  package func run<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    start()
    let result: Swift.Result<Result, Failure>
    do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
    stop()
    await onThread { _ in }
    return try result.get()
  }

  /// A clock that is cranked as fast as something waits, until ``stop()``.
  package static func running() -> TestClock {
    let clock = TestClock()
    clock.start()
    return clock
  }

  private func start() {
    isRunning.withLock { $0 = true }
    queue.async { [self] in while isRunning.withLock({ $0 }) { step() } }
  }

  /// Stands still from now on.
  package func stop() {
    isRunning.withLock { $0 = false }
    // A wait of its own ends that for waits.
    let id = unsafe gst_clock_new_single_shot_id(base, gst_clock_get_time(base))
    _ = unsafe gst_clock_id_wait_async(id, { _, _, _, _ in 1 }, nil, nil)
    unsafe gst_clock_id_unref(id)
  }

  private func step() {
    var id: GstClockID?
    unsafe gst_test_clock_wait_for_next_pending_id(pointer, &id)
    let time = unsafe ClockTime(nanoseconds: UInt64(gst_clock_id_get_time(id)))
    unsafe gst_clock_id_unref(id)
    setTime(time)
  }

  private func onThread(_ work: @escaping @Sendable (TestClock) -> Void) async {
    await withCheckedContinuation { done in
      queue.async { [self] in
        work(self)
        done.resume()
      }
    }
  }
}

/// A clock of a suite that is cranked as fast as something waits, from its first use until this has gone.
package final class RunningClock: Sendable {
  private let made = Lock<TestClock?>(nil)

  package init() {}

  package var clock: TestClock {
    made.withLock { made in
      let clock = made ?? TestClock.running()
      made = clock
      return clock
    }
  }

  deinit { made.withLock { $0 }?.stop() }
}
