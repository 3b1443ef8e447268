// The outlet of an appsrc: receives its callbacks and guards the order of its senders by a lock.

import CGStreamer
import CGStreamerApp
import StreamingThread

/// The callbacks of an appsrc, and the queue that senders await.
///
/// The element owns it, so it lives as long as callbacks can come. It does not own the element.
///
/// Lock order: each of the locks here is held alone. Buffers are pushed outside it.
final class SampleOutlet: StreamEndpoint {
  /// The checks before a buffer is sent.
  private struct Checks {
    var yieldTimer = YieldTimer()
    /// The last caps, with the layout that they describe.
    var caps: MiniObject?
    var layout = BufferLayout.other
  }

  private let queue = Shared(SendQueueState())
  private let checks = Lock(Checks())

  // MARK: GStreamer's threads

  /// The appsrc wants data; on the streaming thread, or on that of a sender.
  fileprivate func need() { queue.withLock { $0.need() } }

  fileprivate func enough() { queue.withLock { $0.enough() } }

  func end(_ ending: StreamEnding) { queue.withLock { $0.end(ending) } }

  func rearm() { queue.withLock { $0.rearm() } }

  func untilRead() {}

  // MARK: Senders

  /// Checks that a buffer has the bytes that its caps demand.
  ///
  /// - Parameter caps: Those of the source, if nil.
  func check(
    _ buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>?,
    for source: ObjectReference
  ) throws(GStreamerError) {
    let own =
      unsafe caps == nil ? source.with(GstAppSrc.self) { unsafe gst_app_src_get_caps($0) } : nil
    defer { if let own = unsafe own { unsafe gst_caps_unref(own) } }
    guard let caps = unsafe caps ?? own else { return }
    let layout = checks.withLock { checks in
      if unsafe checks.caps?.isAt(caps) != true {
        let kept = unsafe MiniObject(retaining: caps)
        checks.caps = kept
        checks.layout = BufferLayout(Caps(kept))
      }
      return checks.layout
    }
    unsafe try layout.check(buffer, for: source)
  }

  /// Waits for its turn, then does `push`, which must not wait.
  ///
  /// - Throws: Why nothing can be sent.
  func send(
    to source: ObjectReference, isolation: isolated (any Actor)? = #isolation,
    _ push: (UnsafeMutablePointer<GstAppSrc>) -> GstFlowReturn
  ) async throws(GStreamerError) {
    switch Task.isCancelled ? .cancelled : await nextAction() {
    case .push: break
    case .cancelled: throw .cancelled(before: "the buffer was sent", source: source.name)
    case .end(let ending): throw Self.error(ending, source.name)
    }
    let flow = unsafe source.with(GstAppSrc.self, push)
    queue.withLock { $0.finishPush() }
    switch flow {
    case GST_FLOW_OK:
      // Not before the push: another task of the same actor would come first.
      if checks.withLock({ $0.yieldTimer.isOver() }) { await Task.yield() }
    case GST_FLOW_EOS: throw Self.error(.eos, source.name)
    default: throw Self.error(.stopped, source.name)
    }
  }

  private func nextAction(isolation: isolated (any Actor)? = #isolation) async -> SendAction {
    let (stops, action) = queue.withLock { queue in
      (queue.stops, queue.nextAction(after: queue.stops))
    }
    if let action { return action }
    defer { checks.withLock { $0.yieldTimer.restart() } }
    return await queue.wait {
      $0.nextAction(after: stops)
    } onCancel: { _ in
      .cancelled
    }
  }

  private static func error(_ ending: StreamEnding, _ source: String) -> GStreamerError {
    switch ending {
    case .failed(let error): error
    case .eos: GStreamerError(.ended, "The stream has ended.", source: source)
    case .stopped: GStreamerError(.stopped, "The pipeline was stopped.", source: source)
    case .disposed: GStreamerError(.stopped, "The pipeline no longer exists.", source: source)
    }
  }
}

// MARK: Callbacks

extension SampleOutlet {
  func listen(to source: ObjectReference) {
    let context = unsafe CallbackContext.retain(self)
    unsafe source.with(GstAppSrc.self) { source in
      var callbacks = GstAppSrcCallbacks()
      unsafe callbacks.need_data = wantsData
      unsafe callbacks.enough_data = hasEnough
      unsafe gst_app_src_set_callbacks(source, &callbacks, context, releaseContext)
    }
  }
}

private func wantsData(
  _ source: UnsafeMutablePointer<GstAppSrc>?, _ length: guint, _ data: gpointer?
) {
  unsafe CallbackContext<SampleOutlet>.object(data)?.need()
}

private func hasEnough(_ source: UnsafeMutablePointer<GstAppSrc>?, _ data: gpointer?) {
  unsafe CallbackContext<SampleOutlet>.object(data)?.enough()
}
