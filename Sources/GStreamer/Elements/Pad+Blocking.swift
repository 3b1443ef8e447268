// Pad blocking stops the flow at a pad while the elements after it are replaced.

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
public final class BlockedPad: Sendable {
  private let probe: Probe
  private let wait: PadWait
  private let isReleased = Lock(false)

  fileprivate init(_ probe: Probe, _ wait: PadWait) {
    self.probe = probe
    self.wait = wait
  }

  deinit { release() }

  /// Waits until something is held up; for one task.
  ///
  /// - Throws: ``GStreamerError/Code/cancelled``.
  public func reached(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    guard await wait.outcome() else { throw .cancelled(before: "something was held up") }
  }

  /// Lets things pass again.
  public func release() {
    let isFirst = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return !isReleased
    }
    if isFirst { probe.remove() }
  }
}

/// One wait for a pad, ended by the pad or by cancellation, whichever comes first.
private final class PadWait: Sendable {
  private enum Phase {
    case waiting
    /// `body` runs: too late to cancel.
    case running
    case reached
    case cancelled
  }

  private let phase = Shared(Phase.waiting)
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// The pad is reached: runs `body`, unless the wait is over.
  func reach() {
    let isFirst = phase.withLock { phase in
      guard phase == .waiting else { return false }
      phase = .running
      return true
    }
    guard isFirst else { return }
    body()
    phase.withLock { $0 = .reached }
  }

  /// Whether the pad was reached before the cancellation.
  func outcome(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await phase.wait { phase in
      switch phase {
      case .waiting, .running: nil
      case .reached: true
      case .cancelled: false
      }
    } onCancel: { phase in
      guard phase == .waiting else { return nil }
      phase = .cancelled
      return false
    }
  }
}

/// A `GstPadProbeCallback` that keeps the pad blocked.
private func holdUp(
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
  /// - Throws: ``GStreamerError/Code/cancelled``.
  public func block(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) -> BlockedPad {
    let blocked = hold()
    try await blocked.reached()
    return blocked
  }

  /// Holds up whatever comes from now on, without waiting for it.
  ///
  /// - Parameter kinds: What is held up; other things pass.
  public func hold(_ kinds: ProbeKinds = [.buffer, .eventDownstream]) -> BlockedPad {
    let wait = PadWait {}
    let context = unsafe CallbackContext.retain(wait)
    let id = unsafe withGstPad { pad in
      unsafe gst_pad_add_probe(
        pad, GstPadProbeType(rawValue: GST_PAD_PROBE_TYPE_BLOCK.rawValue | kinds.rawValue), holdUp,
        context, releaseContext)
    }
    return BlockedPad(Probe(self, id), wait)
  }

  /// Runs `body` while nothing is under way through the pad: at once if nothing is, else on the
  /// streaming thread as soon as that is done with what it carries.
  ///
  /// - Throws: ``GStreamerError/Code/cancelled``; `body` has not run then.
  /// - Important: `body` must not wait, and must not change states of what this pad's thread runs in.
  public func whenIdle(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () -> Void
  ) async throws(GStreamerError) {
    let wait = PadWait(body)
    let context = unsafe CallbackContext.retain(wait)
    let id = unsafe withGstPad { pad in
      unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_IDLE, idle, context, releaseContext)
    }
    guard await wait.outcome() else {
      Probe(self, id).remove()
      throw .cancelled(before: "the pad was idle")
    }
  }
}
