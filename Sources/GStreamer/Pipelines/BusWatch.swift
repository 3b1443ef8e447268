// The bus watch delivers messages on the thread that posts them, without a queue or a main loop.

import CGStreamer
import StreamingThread

/// Passes every message of a pipeline to the readers and waiters that it concerns.
///
/// Lock order: none of the locks here is held while another is taken, or while a waiter is resumed.
final class BusWatch: Sendable {
  private typealias Waiter = CheckedContinuation<Progress.Outcome, Never>

  private let progress = Lock(ProgressBoard<Waiter>())
  let messages = Broadcast<Message>()
  /// The first error in each element that keeps its errors to itself, by its address.
  private let contained = Lock<[UInt: GStreamerError]>([:])
  private let interruptions = Lock(Interruptions())
  private let interrupted = Lock<(@Sendable () -> Void)?>(nil)
  private let turned = Lock<(@Sendable (UInt32) -> Void)?>(nil)
  /// The step that is under way, by its sequence number.
  private let steps = Lock<(number: UInt32, step: Step)>((0, Step()))

  /// The progress of a step, as sinks report it.
  struct Step {
    /// The number of sinks that have done it.
    var count = 0
    /// The time of the stream that was stepped over, in nanoseconds.
    var duration: UInt64 = 0
    /// Whether one had no more frames.
    var ended = false
  }
  /// The address of the pipeline, to compare only.
  private let pipeline: UInt

  /// Listens to a pipeline from now on, in place of an earlier handler.
  init(_ pipeline: ObjectReference) {
    self.pipeline = unsafe pipeline.withPointer { UInt(bitPattern: $0) }
    let context = unsafe CallbackContext.retain(self)
    unsafe Self.withBus(of: pipeline) {
      unsafe gst_bus_set_sync_handler($0, receiveMessage, context, releaseContext)
    }
  }

  /// Listens no longer; all sequences of messages end.
  func finish(_ pipeline: ObjectReference) {
    unsafe Self.withBus(of: pipeline) { unsafe gst_bus_set_sync_handler($0, nil, nil, nil) }
    messages.finish()
  }

  private static func withBus(
    of pipeline: ObjectReference, _ body: (UnsafeMutablePointer<GstBus>) -> Void
  ) {
    unsafe pipeline.with(GstElement.self) { element in
      guard let bus = unsafe gst_element_get_bus(element) else { return }
      unsafe body(bus)
      unsafe gst_object_unref(bus)
    }
  }

  // MARK: Messages

  /// Runs on whichever thread posts.
  fileprivate func receive(_ message: Message) {
    switch message.kind {
    case .stateChanged: stateChanged(message)
    case .asyncDone where isFromPipeline(message): wake(progress.withLock { $0.happen() })
    case .eos where isFromPipeline(message): wake(progress.withLock { $0.end() })
    case .error: fail(message)
    case .segmentDone where isFromPipeline(message):
      segmentDone?(message.sequenceNumber)
    case .stepDone: finishStep(message)
    case .latency: recalculateLatency(message)
    case .buffering:
      guard let percent = message.bufferingPercent else { break }
      fill(message.sourceAddress, percent: percent)
    case .clockLost:
      interruptions.withLock { $0.loseClock() }
      interrupt?()
    default: break
    }
    messages.tell(message)
  }

  private func stateChanged(_ message: Message) {
    guard let change = message.stateChange else { return }
    // An element that goes, goes without its queue ever being full.
    if change.to < change.from, change.to <= .ready { fill(message.sourceAddress, percent: 100) }
    if isFromPipeline(message) { wake(progress.withLock { $0.happen() }) }
    guard let source = message.source?.object,
      let endpoint = unsafe source.withPointer({ unsafe GStreamer.endpoint(of: $0) })
    else { return }
    if change.from == .null, change.to == .ready { endpoint.rearm() }
    if message.isStop { endpoint.end(.stopped) }
  }

  private func finishStep(_ message: Message) {
    let (duration, isEnd) = message.step
    steps.withLock { steps in
      guard steps.number == message.sequenceNumber else { return }
      steps.step.count += 1
      steps.step.duration = max(steps.step.duration, duration)
      steps.step.ended = steps.step.ended || isEnd
    }
    announce()
  }

  private func fill(_ element: UInt, percent: Int) {
    if interruptions.withLock({ $0.fill(element, percent: percent) }) { interrupt?() }
  }

  private func fail(_ message: Message) {
    guard let error = message.error else { return }
    if let source = message.source {
      if let bin = source.errorContainment {
        // The first says why; those that follow, what came of it.
        contained.withLock { contained in
          if contained[bin.object.address] == nil { contained[bin.object.address] = error }
        }
        for endpoint in endpoints(in: bin.object) { endpoint.end(.failed(error)) }
        return
      }
      for endpoint in endpoints(in: topLevel(of: source).object) { endpoint.end(.failed(error)) }
    }
    wake(progress.withLock { $0.fail(error) })
  }

  /// Sees to it that sinks wait for the slowest branch; on a thread of GStreamer's.
  private func recalculateLatency(_ message: Message) {
    guard let source = message.source else { return }
    unsafe topLevel(of: source).withGstElement { pipeline in
      unsafe gst_element_call_async(pipeline, distributeLatency, nil, nil)
    }
  }

  private func isFromPipeline(_ message: Message) -> Bool {
    message.sourceAddress == pipeline
  }

  private func topLevel(of element: Element) -> Element {
    var top = element
    while let parent = top.parent { top = parent }
    return top
  }

  private func wake(_ waiters: [Waiter]) {
    for waiter in waiters { waiter.resume(returning: .news) }
  }

  // MARK: Interruptions

  /// The function that is called when the pipeline has to halt, to go on, or to take another clock; on the thread
  /// that says so.
  var interrupt: (@Sendable () -> Void)? {
    get { interrupted.withLock { $0 } }
    set { interrupted.withLock { $0 = newValue } }
  }

  var isFilling: Bool { interruptions.withLock { $0.isFilling } }
  func takeClockLoss() -> Bool { interruptions.withLock { $0.takeClockLoss() } }
  func forgetInterruptions() { interruptions.withLock { $0.forget() } }

  // MARK: Playback

  /// The function that is told of the end of each segment, with the number of its seek; on the thread that says so.
  var segmentDone: (@Sendable (UInt32) -> Void)? {
    get { turned.withLock { $0 } }
    set { turned.withLock { $0 = newValue } }
  }

  /// Counts the sinks that have done a step from now on.
  func beginStep(_ number: UInt32) { steps.withLock { $0 = (number, Step()) } }

  var step: Step { steps.withLock { $0.step } }

  // MARK: Progress

  var mark: Progress.Mark { progress.withLock { $0.mark } }
  var hasEnded: Bool { progress.withLock { $0.hasEnded } }
  var failure: GStreamerError? { progress.withLock { $0.failure } }
  @discardableResult
  func begin() -> Progress.Ending { progress.withLock { $0.begin() } }
  func goOn(from before: Progress.Ending) { progress.withLock { $0.goOn(from: before) } }

  /// Wakes all waiters, which look again.
  func announce() { wake(progress.withLock { $0.happen() }) }

  func error(since mark: Progress.Mark) -> GStreamerError? {
    progress.withLock { $0.error(since: mark) }
  }

  /// The first error of an element that keeps its errors to itself, since this was asked.
  func takeContainedError(of element: Element) -> GStreamerError? {
    contained.withLock { $0.removeValue(forKey: element.object.address) }
  }

  /// Waits until something has happened since a mark.
  ///
  /// - Parameter what: What the caller waits for, see ``GStreamerError/cancelled(before:source:)``.
  /// - Throws: The error, if that is what happened; ``GStreamerError/Code/cancelled``.
  func news(
    since mark: Progress.Mark, before what: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    let id = progress.withLock { $0.makeID() }
    let outcome = await withCancellableContinuation { (waiter: Waiter) in
      let outcome = progress.withLock { progress -> Progress.Outcome? in
        // Once registered, cancellation resumes the waiter.
        Task.isCancelled ? .cancelled : progress.wait(waiter, id: id, after: mark)
      }
      if let outcome { waiter.resume(returning: outcome) }
    } onCancel: {
      progress.withLock { $0.stopWaiting(id: id) }?.resume(returning: .cancelled)
    }
    if case .cancelled = outcome { throw .cancelled(before: what) }
    if let error = error(since: mark) { throw error }
  }
}

/// A `GstBusSyncHandler`.
private func receiveMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?,
  _ data: gpointer?
) -> GstBusSyncReply {
  guard let message = unsafe message else { return GST_BUS_DROP }
  let taken = unsafe Message(MiniObject(taking: message))
  unsafe CallbackContext<BusWatch>.object(data)?.receive(taken)
  return GST_BUS_DROP
}

/// A `GstElementCallAsyncFunc`.
private func distributeLatency(_ pipeline: UnsafeMutablePointer<GstElement>?, _ data: gpointer?) {
  guard let pipeline = unsafe pipeline else { return }
  _ = unsafe gst_bin_recalculate_latency(
    UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self))
}
