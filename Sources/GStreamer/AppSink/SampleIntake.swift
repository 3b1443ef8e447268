// Swift's side of one appsink: its callbacks, and the lock around whose turn it is.

import CGStreamer
import CGStreamerApp
import StreamingThread

/// What an appsink calls, and what its consumer waits for.
///
/// The element owns it, so it lives as long as callbacks can come. It does not own the element.
///
/// Lock order: samples are counted and pulled under the lock here, so that none comes between; inside it
/// is only the appsink's own. Samples are let go of, and continuations resumed, outside it.
final class SampleIntake: StreamEndpoint {
  private typealias Waiter = CheckedContinuation<Void, Never>

  let delivery: Delivery
  private let turns: Lock<SampleTurns<Waiter>>

  init(_ delivery: Delivery) {
    self.delivery = delivery
    turns = Lock(SampleTurns(delivery))
  }

  /// Samples that nobody got.
  var dropped: UInt64 { turns.withLock { $0.dropped } }

  // MARK: GStreamer's threads

  /// A sample has come; on the streaming thread.
  fileprivate func arrive(_ sink: UnsafeMutablePointer<GstAppSink>) {
    let (waiter, discarded) = turns.withLock { turns -> (Waiter?, Sample?) in
      switch turns.arrive() {
      case .keep: (nil, nil)
      case .wake(let waiter): (waiter, nil)
      case .discard: (nil, unsafe Self.pull(from: sink))
      }
    }
    waiter?.resume()
    withExtendedLifetime(discarded) {}
  }

  /// A flush is about to empty the sink; on the thread that seeks.
  func flush() { turns.withLock { $0.flush() } }

  func end(_ ending: StreamEnding) { turns.withLock { $0.end(ending) }?.resume() }

  func rearm() { turns.withLock { $0.rearm() }?.resume() }

  // MARK: The consumer

  /// A consumer's number, nil if there is one already.
  func claim() -> UInt64? { turns.withLock { $0.claim() } }

  /// The next sample, or why there is none; nil where the task is cancelled.
  func next(
    from sink: ObjectReference, as id: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Sample, EndOfSamples>? {
    while !Task.isCancelled {
      let (turn, sample) = turns.withLock { turns in
        let turn = turns.turn(of: id)
        return (turn, turn == .pull ? unsafe sink.with(GstAppSink.self, Self.pull) : nil)
      }
      switch turn {
      case .pull: if let sample { return .success(sample) }
      case .wait: await wait(as: id)
      case .end(let ending): return .failure(EndOfSamples(ending: ending))
      }
    }
    return nil
  }

  /// A consumer goes; what it has not taken is dropped, so that the streaming thread goes on.
  func leave(_ sink: ObjectReference, as id: UInt64) {
    let left = turns.withLock { turns in
      (0..<turns.leave(id)).map { _ in unsafe sink.with(GstAppSink.self, Self.pull) }
    }
    withExtendedLifetime(left) {}
  }

  private func wait(
    as id: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        // Whoever is cancelled after this finds the waiter.
        let isWaiting = turns.withLock { !Task.isCancelled && $0.wait(waiter, as: id) }
        if !isWaiting { waiter.resume() }
      }
    } onCancel: {
      turns.withLock { $0.stopWaiting() }?.resume()
    }
  }

  private static func pull(from sink: UnsafeMutablePointer<GstAppSink>) -> Sample? {
    // A timeout of 0: this never waits.
    unsafe gst_app_sink_try_pull_sample(sink, 0).map {
      unsafe Sample(MiniObject(taking: UnsafeMutableRawPointer($0)))
    }
  }
}

/// Why there is no sample.
struct EndOfSamples: Error {
  let ending: StreamEnding
}

// MARK: Callbacks

extension SampleIntake {
  /// Lets an appsink call this from now on.
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
