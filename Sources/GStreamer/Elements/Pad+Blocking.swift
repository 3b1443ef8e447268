// Holding up a pad while what comes after it is changed.

import CGStreamer
import StreamingThread

/// A pad that lets nothing pass as long as this exists.
///
/// ```swift
/// let hold = try await pad.block()
/// // Nothing is under way behind the pad: unlink, remove, add, link.
/// hold.release()
/// ```
///
/// The streaming thread waits in the pad meanwhile.
public struct BlockedPad: ~Copyable, Sendable {
  private let probe: Probe

  fileprivate init(_ probe: Probe) { self.probe = probe }

  deinit { probe.remove() }

  /// Lets things pass again.
  public consuming func release() {}
}

/// One wait for a pad: whoever comes first, the pad or the cancellation, ends it.
private final class PadWait: Sendable {
  private enum Phase {
    /// Nobody waits yet, nothing has happened.
    case before
    case waiting(CheckedContinuation<Bool, Never>)
    /// `body` runs: too late to cancel.
    case running(CheckedContinuation<Bool, Never>?)
    case done(Bool)
  }

  private let phase = Lock(Phase.before)
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// The pad is reached: runs `body`, unless the wait is over.
  func reach() {
    let isFirst = phase.withLock { phase in
      switch phase {
      case .before: phase = .running(nil)
      case .waiting(let waiter): phase = .running(waiter)
      case .running, .done: return false
      }
      return true
    }
    guard isFirst else { return }
    body()
    let waiter = phase.withLock { phase -> CheckedContinuation<Bool, Never>? in
      guard case .running(let waiter) = phase else { return nil }
      phase = .done(true)
      return waiter
    }
    waiter?.resume(returning: true)
  }

  /// The task is cancelled: nothing happens any more, unless it happens already.
  private func cancel() {
    let waiter = phase.withLock { phase -> CheckedContinuation<Bool, Never>? in
      switch phase {
      case .before:
        phase = .done(false)
        return nil
      case .waiting(let waiter):
        phase = .done(false)
        return waiter
      case .running, .done: return nil
      }
    }
    waiter?.resume(returning: false)
  }

  /// Whether the pad was reached before the cancellation.
  func outcome(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let outcome = phase.withLock { phase -> Bool? in
          switch phase {
          case .done(let reached): return reached
          case .running: phase = .running(waiter)
          case .before, .waiting: phase = .waiting(waiter)
          }
          return nil
        }
        if let outcome { waiter.resume(returning: outcome) }
      }
    } onCancel: {
      cancel()
    }
  }
}

/// A `GstPadProbeCallback` that keeps the pad blocked.
private func hold(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  unsafe CallbackContext<PadWait>.object(data)?.reach()
  return GST_PAD_PROBE_OK
}

/// A `GstPadProbeCallback` for an idle pad, once.
private func idle(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
  _ data: gpointer?
) -> GstPadProbeReturn {
  unsafe CallbackContext<PadWait>.object(data)?.reach()
  return GST_PAD_PROBE_REMOVE
}

extension Pad {
  /// Waits for the next thing that would pass and holds it up, with all that follows.
  ///
  /// A pad where nothing comes is never reached: the wait then ends by cancellation.
  ///
  /// - Throws: `CancellationError`.
  public func block(isolation: isolated (any Actor)? = #isolation) async throws -> BlockedPad {
    let wait = PadWait {}
    let context = unsafe CallbackContext.retain(wait)
    let id = unsafe withGstPad { pad in
      unsafe gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, hold, context, releaseContext)
    }
    let blocked = BlockedPad(Probe(self, id))
    guard await wait.outcome() else { throw CancellationError() }
    return blocked
  }

  /// Runs `body` while nothing is under way through the pad: at once if nothing is, else on the
  /// streaming thread as soon as that is done with what it carries.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before `body` could run.
  /// - Important: `body` must not wait, and must not change states of what this pad's thread runs in.
  public func whenIdle(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Void
  ) async throws {
    let wait = PadWait(body)
    let context = unsafe CallbackContext.retain(wait)
    let id = unsafe withGstPad { pad in
      unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_IDLE, idle, context, releaseContext)
    }
    guard await wait.outcome() else {
      Probe(self, id).remove()
      throw CancellationError()
    }
  }
}
