// The bus watch delivers messages on the thread that posts them, without a queue or a main loop.

import CGStreamer
import StreamingThread

/// Passes every message of a pipeline to the readers and waiters that it concerns.
///
/// Lock order: its lock is held alone.
final class BusWatch: Sendable {
  private struct State {
    var progress = ProgressBoard()
    /// The first error in each element that keeps its errors to itself, by its address.
    var contained: [UInt: GStreamerError] = [:]
    var interruptions = Interruptions()
    var interrupt: (@Sendable () -> Void)?
    var segmentDone: (@Sendable (UInt32) -> Void)?
    /// The sequence number of the step that is under way.
    var stepNumber: UInt32 = 0
    var step = Step()
  }

  /// The progress of a step, as sinks report it.
  struct Step {
    /// The number of sinks that have done it.
    var count = 0
    /// The time of the stream that was stepped over, in nanoseconds.
    var duration: UInt64 = 0
    /// Whether one had no more frames.
    var ended = false
  }

  let messages = Broadcast<Message>()
  private let state = Shared(State())
  /// The address of the pipeline, to compare only.
  private let pipeline: UInt

  /// Listens to a pipeline from now on, in place of an earlier handler.
  init(_ pipeline: ObjectReference) {
    self.pipeline = pipeline.address
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
    case .asyncDone where isFromPipeline(message): announce()
    case .eos where isFromPipeline(message): state.withLock { $0.progress.end() }
    case .error: fail(message)
    case .segmentDone where isFromPipeline(message):
      state.withLock { $0.segmentDone }?(message.sequenceNumber)
    case .stepDone: finishStep(message)
    case .latency: recalculateLatency(message)
    case .buffering:
      guard let percent = message.bufferingPercent else { break }
      fill(message.sourceAddress, percent: percent)
    case .clockLost:
      state.withLock { state in
        state.interruptions.loseClock()
        return state.interrupt
      }?()
    default: break
    }
    messages.tell(message)
  }

  private func stateChanged(_ message: Message) {
    guard let change = message.stateChange else { return }
    // An element that goes, goes without its queue ever being full.
    if change.to < change.from, change.to <= .ready { fill(message.sourceAddress, percent: 100) }
    if isFromPipeline(message) { announce() }
    guard let source = message.source?.object,
      let endpoint = unsafe source.withPointer({ unsafe GStreamer.endpoint(of: $0) })
    else { return }
    if change.from == .null, change.to == .ready { endpoint.rearm() }
    if message.isStop { endpoint.end(.stopped) }
  }

  private func finishStep(_ message: Message) {
    let (duration, isEnd) = message.step
    state.withLock { state in
      guard state.stepNumber == message.sequenceNumber else { return }
      state.step.count += 1
      state.step.duration = max(state.step.duration, duration)
      state.step.ended = state.step.ended || isEnd
    }
    announce()
  }

  private func fill(_ element: UInt, percent: Int) {
    state.withLock { $0.interruptions.fill(element, percent: percent) ? $0.interrupt : nil }?()
  }

  private func fail(_ message: Message) {
    guard let error = message.error else { return }
    if let source = message.source {
      if let bin = source.errorContainment {
        // The first says why; those that follow, what came of it.
        state.withLock { state in
          if state.contained[bin.object.address] == nil {
            state.contained[bin.object.address] = error
          }
        }
        for endpoint in endpoints(in: bin.object) { endpoint.end(.failed(error)) }
        return
      }
      for endpoint in endpoints(in: topLevel(of: source).object) { endpoint.end(.failed(error)) }
    }
    state.withLock { $0.progress.fail(error) }
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

  // MARK: Interruptions and playback

  /// Has functions called, on the thread that posts.
  ///
  /// - Parameters:
  ///   - interrupt: Called when the pipeline has to halt, to go on, or to take another clock.
  ///   - segmentDone: Told of the end of each segment, with the number of its seek.
  func call(
    interrupt: @escaping @Sendable () -> Void, segmentDone: @escaping @Sendable (UInt32) -> Void
  ) {
    state.withLock { ($0.interrupt, $0.segmentDone) = (interrupt, segmentDone) }
  }

  var isFilling: Bool { state.withLock { $0.interruptions.isFilling } }
  func takeClockLoss() -> Bool { state.withLock { $0.interruptions.takeClockLoss() } }
  func forgetInterruptions() { state.withLock { $0.interruptions.forget() } }

  /// Counts the sinks that have done a step from now on.
  func beginStep(_ number: UInt32) {
    state.withLock { ($0.stepNumber, $0.step) = (number, Step()) }
  }

  var step: Step { state.withLock { $0.step } }

  // MARK: Progress

  var mark: Progress.Mark { state.withLock { $0.progress.mark } }
  var hasEnded: Bool { state.withLock { $0.progress.hasEnded } }
  var failure: GStreamerError? { state.withLock { $0.progress.failure } }
  @discardableResult
  func begin() -> Progress.Ending { state.withLock { $0.progress.begin() } }
  func goOn(from before: Progress.Ending) { state.withLock { $0.progress.goOn(from: before) } }

  /// Wakes all waiters, which look again.
  func announce() { state.withLock { $0.progress.happen() } }

  func error(since mark: Progress.Mark) -> GStreamerError? {
    state.withLock { $0.progress.error(since: mark) }
  }

  /// The first error of an element that keeps its errors to itself, since this was asked.
  func takeContainedError(of element: Element) -> GStreamerError? {
    state.withLock { $0.contained.removeValue(forKey: element.object.address) }
  }

  /// Waits until something has happened since a mark.
  ///
  /// - Parameter what: What the caller waits for, see ``GStreamerError/cancelled(before:source:)``.
  /// - Throws: The error, if that is what happened; ``GStreamerError/Code/cancelled``.
  func news(
    since mark: Progress.Mark, before what: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(GStreamerError) {
    let isNews = await state.wait {
      $0.progress.hasNews(since: mark) ? true : nil
    } onCancel: { _ in
      false
    }
    guard isNews else { throw .cancelled(before: what) }
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
