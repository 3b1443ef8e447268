// The intake of an appsink: receives its callbacks and guards the order of its readers by a lock.

import CGStreamer
import CGStreamerApp
import StreamingThread

/// The callbacks of an appsink, and the queue that its reader awaits.
///
/// The element owns it, so it lives as long as callbacks can come. It does not own the element.
///
/// Lock order: samples are counted and pulled under the lock here, so that none comes between; inside it
/// is only the appsink's own. Samples are released outside it.
final class SampleIntake: StreamEndpoint {
  let delivery: Delivery
  private let queue: Shared<SampleQueueState>

  init(_ delivery: Delivery) {
    self.delivery = delivery
    queue = Shared(SampleQueueState(delivery))
  }

  var dropped: UInt64 { queue.withLock { $0.dropped } }

  // MARK: GStreamer's threads

  /// A sample has come; on the streaming thread.
  fileprivate func arrive(_ sink: UnsafeMutablePointer<GstAppSink>) {
    let discarded = queue.withLock { $0.arrive() ? unsafe Self.pull(from: sink) : nil }
    withExtendedLifetime(discarded) {}
  }

  /// A flush is about to empty the sink; on the thread that seeks.
  func flush() { queue.withLock { $0.flush() } }

  func end(_ ending: StreamEnding) { queue.withLock { $0.end(ending) } }

  func rearm() { queue.withLock { $0.rearm() } }

  // MARK: The consumer

  var isAwaited: Bool { queue.withLock { $0.isWaiting } }

  /// A consumer's number, nil if another one waits for a sample.
  func claim() -> UInt64? { queue.withLock { $0.claim() } }

  /// The next sample; nil at the end, or where the task is cancelled.
  ///
  /// - Throws: The error of an element that failed, ``GStreamerError/Code/busy`` where another consumer
  ///   has taken over.
  func next(
    from sink: ObjectReference, as id: UInt64, _ yieldTimer: inout YieldTimer,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) -> Sample? {
    if yieldTimer.isOver() { await Task.yield() }
    while !Task.isCancelled {
      let (action, sample) = queue.withLock { queue in
        let action = queue.nextAction(of: id)
        return (action, action == .pull ? unsafe sink.with(GstAppSink.self, Self.pull) : nil)
      }
      switch action {
      case .pull: if let sample { return sample }
      case .wait:
        await queue.wait {
          $0.mustWait(id) ? nil : ()
        } onCancel: { _ in
          ()
        }
        yieldTimer.restart()
      case .end(.failed(let error)): throw error
      case .end: return nil
      case .superseded: throw .busy
      }
    }
    return nil
  }

  /// A consumer goes; what it has not taken is dropped, so that the streaming thread goes on.
  func leave(_ sink: ObjectReference, as id: UInt64) {
    let left = queue.withLock { Self.pull($0.leave(id), from: sink) }
    withExtendedLifetime(left) {}
  }

  /// Ends the reading; samples that were not taken are dropped.
  func stopReading(_ sink: ObjectReference) {
    let left = queue.withLock { Self.pull($0.stopReading(), from: sink) }
    withExtendedLifetime(left) {}
  }

  func untilRead() async {
    await queue.wait {
      $0.isRead ? () : nil
    } onCancel: { _ in
      ()
    }
  }

  private static func pull(_ count: Int, from sink: ObjectReference) -> [Sample?] {
    (0..<count).map { _ in unsafe sink.with(GstAppSink.self, pull) }
  }

  private static func pull(from sink: UnsafeMutablePointer<GstAppSink>) -> Sample? {
    // A timeout of 0: this never waits.
    unsafe gst_app_sink_try_pull_sample(sink, 0).map {
      unsafe Sample(MiniObject(taking: UnsafeMutableRawPointer($0)))
    }
  }
}

extension GStreamerError {
  /// Two read the same samples.
  static var busy: GStreamerError {
    GStreamerError(
      .busy,
      "Another task reads this appsink already. For two readers, put a tee before two appsinks."
    )
  }
}

// MARK: Callbacks

extension SampleIntake {
  func listen(to sink: ObjectReference) {
    let context = unsafe CallbackContext.retain(self)
    unsafe sink.with(GstAppSink.self) { sink in
      var callbacks = GstAppSinkCallbacks()
      unsafe callbacks.eos = sawEnd
      unsafe callbacks.new_sample = sawSample
      unsafe gst_app_sink_set_callbacks(sink, &callbacks, context, releaseContext)
    }
  }
}

private func sawEnd(_ sink: UnsafeMutablePointer<GstAppSink>?, _ data: gpointer?) {
  unsafe CallbackContext<SampleIntake>.object(data)?.end(.eos)
}

private func sawSample(
  _ sink: UnsafeMutablePointer<GstAppSink>?, _ data: gpointer?
) -> GstFlowReturn {
  if let sink = unsafe sink { unsafe CallbackContext<SampleIntake>.object(data)?.arrive(sink) }
  return GST_FLOW_OK
}
