// An input watch follows a source that plays: it ends, breaks off, or falls silent, and the stream goes on.

import GStreamer

/// A way in which a source is lost.
package enum InputLoss: Sendable, Hashable {
  /// It has given its last frame.
  case ended
  /// It broke off, or fell silent.
  case failed(CaptureError)
}

/// One of several sources, or one that the capture outlives, which was lost.
package struct LostInput: Sendable, Hashable {
  /// Its number, from 0 on.
  package let number: Int
  package let loss: InputLoss
}

/// A watch over the element of a source.
///
/// Its end stays with it, so that what comes after the element goes on.
final class InputWatch: Sendable {
  private struct State {
    var loss: InputLoss?
    /// Whether a frame has passed: errors before that are thrown to the caller that opens the source.
    var hasBegun = false
    var frameCount = 0
    /// The limit of the time without a frame; nil before the first look for one.
    var silence: Deadline?
    var newest: Buffer?
  }

  let element: Element
  private let number: Int
  private let source: any FrameSource
  private let losses: Broadcast<LostInput>
  private let clock: any SteadyClock
  private let state = Shared(State())

  /// Watches a source from now on.
  ///
  /// Errors of its element are its own from its first frame on.
  ///
  /// - Parameters:
  ///   - keepsFrame: Whether ``lastFrame()`` is there.
  ///   - tap: Gets frames of the source.
  init(
    _ input: CaptureStream.Input, of pipeline: Pipeline, number: Int,
    keepsFrame: Bool, tap: Handoff, _ losses: Broadcast<LostInput>, on clock: any SteadyClock
  ) throws(GStreamerError) {
    element = input.element
    source = input.source
    self.number = number
    self.losses = losses
    self.clock = clock
    let output = try element.pad("src")
    output.addProbe([.buffer, .eventDownstream]) { [weak self, weak pipeline] item, pad in
      switch item {
      case .event(let event) where event.kind == .eos:
        self?.end(pipeline)
        return .drop
      case .buffer(let buffer):
        self?.pass(keepsFrame ? buffer : nil)
        tap.pass { pad.caps.map { Sample(buffer, caps: $0) } }
      default: break
      }
      return .pass
    }
  }

  private func pass(_ buffer: Buffer?) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      state.frameCount &+= 1
      state.silence = nil
      state.newest = buffer
      return !state.hasBegun
    }
    if isFirst { element.keepsErrors = true }
  }

  /// The way in which it was lost; nil while it plays.
  var loss: InputLoss? { state.value.loss }

  /// Whether one frame was all it gave, as an image does.
  var isStill: Bool {
    let state = state.value
    return state.loss == .ended && state.frameCount == 1
  }

  private func end(_ pipeline: Pipeline?) {
    if let error = pipeline?.takeError(of: element) { fail(error) } else { lose(.ended) }
  }

  /// An error of the element.
  func fail(_ error: GStreamerError) { lose(.failed(source.explain(error))) }

  /// The first loss counts, and is told if the source has begun.
  private func lose(_ loss: InputLoss) {
    let mustTell = state.withLock { state in
      guard state.loss == nil else { return false }
      state.loss = loss
      return state.hasBegun
    }
    if mustTell { tell(loss) }
  }

  private func tell(_ loss: InputLoss) { losses.tell(LostInput(number: number, loss: loss)) }

  /// The source has been opened: what was lost since is told.
  func begin() {
    let loss = state.withLock { state in
      defer { state.hasBegun = true }
      return state.hasBegun ? nil : state.loss
    }
    if let loss { tell(loss) }
  }

  /// Looks whether a live source has sent a frame, and gives it up where none has come for so long.
  func giveUpIfSilent(for limit: Duration) {
    let isSilent = state.withLock { state in
      guard state.hasBegun else { return false }
      var silence = state.silence ?? Deadline(in: limit, looks: 4, on: clock)
      defer { state.silence = silence }
      return silence.isOver()
    }
    guard isSilent, (try? element.pad("src").isLive) == true else { return }
    lose(
      .failed(
        CaptureError(
          .sourceFailed, "The source has sent no frames for \(limit.components.seconds) seconds.")))
  }

  /// A copy of the newest frame, nil where there is none: memory of a device goes with the device.
  func lastFrame() -> Sample? {
    let newest = state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
    // In full: cameras do not say that their pixels are square.
    guard let newest, let caps = try? element.pad("src").caps.map({ try VideoInfo($0).caps() }),
      let copy = try? WritableBuffer(copying: newest)
    else { return nil }
    return Sample(copy.finish(), caps: caps)
  }
}
