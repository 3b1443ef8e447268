// An input watch follows a source that plays: it ends, breaks off, or falls silent, and the stream goes on.

import GStreamer

/// A way in which a source is lost.
public enum InputLoss: Sendable, Hashable {
  /// It has given its last frame.
  case ended
  /// It broke off, or fell silent.
  case failed(CaptureError)
}

/// A watch over the element of a source.
///
/// Its end stays with it, so that what comes after the element goes on.
final class InputWatch: Sendable {
  private struct State {
    var loss: InputLoss?
    /// Whether a frame has passed: what goes wrong before, whoever opens the source is told.
    var hasBegun = false
    /// When the newest frame passed.
    var moment: ContinuousClock.Instant?
    /// How often somebody has looked for a frame since then.
    var looks = 0
    var newest: Buffer?
  }

  /// The looks without a frame after which a source may be silent.
  private static let looksForSilence = 3

  let element: Element
  private let number: Int
  private let source: any FrameSource
  private let broadcast: Broadcast<CaptureEvent>
  private let state = Shared(State())

  /// Watches a source from now on.
  ///
  /// - Parameters:
  ///   - input: The source and its element, whose errors are its own from its first frame on.
  ///   - number: That of the source, in events.
  ///   - keepsFrame: Whether ``lastFrame()`` is there.
  init(
    _ input: CaptureStream.Input<any FrameSource>, of pipeline: Pipeline, number: Int,
    keepsFrame: Bool, _ broadcast: Broadcast<CaptureEvent>
  ) throws(GStreamerError) {
    element = input.element
    source = input.source
    self.number = number
    self.broadcast = broadcast
    let output = try element.pad("src")
    output.addProbe([.buffer, .eventDownstream]) { [weak self, weak pipeline] item, pad in
      switch item {
      case .event(let event) where event.kind == .eos:
        self?.end(pipeline)
        return .drop
      case .buffer(let buffer): self?.pass(keepsFrame ? buffer : nil)
      default: break
      }
      return .pass
    }
  }

  private func pass(_ buffer: Buffer?) {
    let isFirst = state.change { state in
      defer { state.hasBegun = true }
      state.moment = .now
      state.looks = 0
      state.newest = buffer
      return !state.hasBegun
    }
    if isFirst { element.keepsErrors = true }
  }

  /// How it was lost; nil while it plays.
  var loss: InputLoss? { state.value.loss }

  private func end(_ pipeline: Pipeline?) {
    if let error = pipeline?.takeError(of: element) { fail(error) } else { lose(.ended) }
  }

  /// An error of the element.
  func fail(_ error: GStreamerError) { lose(.failed(source.explain(error))) }

  /// The first loss counts, and is told if the source has begun.
  private func lose(_ loss: InputLoss) {
    let mustTell = state.change { state in
      guard state.loss == nil else { return false }
      state.loss = loss
      return state.hasBegun
    }
    if mustTell { tell(loss) }
  }

  private func tell(_ loss: InputLoss) {
    switch loss {
    case .ended: broadcast.tell(.inputEnded(number))
    case .failed(let error): broadcast.tell(.inputFailed(number, error))
    }
  }

  /// The source has been opened: what was lost since is told.
  func begin() {
    let loss = state.change { state in
      defer { state.hasBegun = true }
      state.moment = state.moment ?? .now
      return state.hasBegun ? nil : state.loss
    }
    if let loss { tell(loss) }
  }

  /// Looks whether a live source has sent a frame, and gives it up where none has come for so long.
  ///
  /// One look tells nothing: nothing has come either where the computer was suspended, or the process stopped.
  func giveUpIfSilent(for limit: Duration) {
    let (moment, looks) = state.change { state in
      state.looks += 1
      return (state.moment, state.looks)
    }
    guard let moment, .now - moment > limit, looks >= Self.looksForSilence,
      (try? element.pad("src").isLive) == true
    else { return }
    lose(
      .failed(
        CaptureError(
          .sourceFailed, "The source has sent no frames for \(limit.components.seconds) seconds.")))
  }

  /// A copy of the newest frame, nil where there is none: memory of a device goes with the device.
  func lastFrame() -> Sample? {
    let newest = state.change { state in
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
