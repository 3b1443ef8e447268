// The inputs of a capture that goes on whatever becomes of them: opened, shown, given to the map, while frames
// flow.

import GStreamer

extension CapturePipeline {
  /// Opens one of the sources of a ``SourceMixer``, or opens it again; returns with its first frame.
  ///
  /// The input that plays there goes on until then, and stays if the new source cannot be opened. In a capture that
  /// outlives its single source, that has number 0, and its frames get the format and size that the first
  /// ones had, so that the effect keeps its history.
  ///
  /// A source that ends or breaks off is one of ``lostInputs``; it keeps its last frame then.
  ///
  /// - Throws: Why it cannot be opened; the others go on.
  package func openInput(_ number: Int, _ input: any FrameSource) async throws(CaptureError) {
    guard let stream else { return }
    if let mixer = source as? SourceMixer {
      return try await open(input, number, in: mixer, of: stream)
    }
    guard outlivesSource, state == .running else { return try await setSource(input) }
    let stopsBefore = stops
    let fitting = FittedSource(input, like: try? stream.scan.pad("sink").caps)
    // Other changes do not wait for a slow source.
    let successor = try await stream.open(fitting)
    try await mutex.run { () async throws(CaptureError) in
      guard state == .running, self.stream?.pipeline === stream.pipeline else {
        await stream.discard(successor)
        throw CaptureError.stopped(before: "the source was changed")
      }
      _ = try await replace(with: .successor(successor), nil, [], since: stopsBefore)
    }
  }

  private func open(
    _ input: any FrameSource, _ number: Int, in mixer: SourceMixer, of stream: CaptureStream
  ) async throws(CaptureError) {
    let successor = try await stream.open(input, in: await mixer.mixer)
    do throws(GStreamerError) {
      let watch = try InputWatch(
        successor.input, of: stream.pipeline, number: number, keepsFrame: false,
        tap: taps.source(number), losses, on: clock)
      try await mixer.put(successor, at: number, of: stream)
      inputs[number] = watch
      await stream.release(successor)
      watch.begin()
    } catch {
      await mixer.remove(number, from: stream.pipeline)
      await stream.discard(successor)
      throw input.explain(error)
    }
  }

  /// The inputs that end or break off from now on.
  package nonisolated var lostInputs: AsyncStream<LostInput> { losses.listen(limit: 1000) }

  /// The way in which an input was lost; nil while it plays.
  package func inputLoss(_ number: Int) -> InputLoss? {
    if case .failed(let error) = state { return .failed(error) }
    return inputs[number]?.loss
  }

  /// Whether an input has ended after a single frame, as an image does.
  package func inputIsStill(_ number: Int) -> Bool { inputs[number]?.isStill == true }

  /// Shows the last frame of an input that was lost, as time goes by, and closes it.
  ///
  /// - Throws: Where it has none, or that cannot be shown.
  package func holdInput(_ number: Int) async throws(CaptureError) {
    guard let stream, let watch = inputs[number] else { return }
    if let mixer = source as? SourceMixer {
      // The mixer does that by itself.
      await mixer.remove(number, from: stream.pipeline)
    } else if let frame = watch.lastFrame() {
      try await openInput(number, StillSource(frame))
    }
  }

  /// Gives up live inputs that have sent no frame for so long; to be called again and again, as every second.
  ///
  /// The time counts from the first call after a frame on, and only where the process runs: between two calls, at
  /// most a quarter of the limit.
  ///
  /// - Parameters:
  ///   - limit: The time without a frame.
  ///   - numbers: The inputs to look at: files in which a frame lasts long are not silent.
  package func giveUpSilentInputs(after limit: Duration, among numbers: some Sequence<Int>) async {
    guard let stream, await !stream.pipeline.isBuffering else { return }
    for number in numbers { inputs[number]?.giveUpIfSilent(for: limit) }
  }

  func watch(_ input: CaptureStream.Input, of pipeline: Pipeline) {
    guard outlivesSource, !(input.source is SourceMixer) else { return }
    inputs[0] = try? InputWatch(
      input, of: pipeline, number: 0, keepsFrame: true, tap: taps.source(0), losses,
      on: clock)
  }

  /// Shows another source of a ``SourceMixer``, before the effect: what it shows enters history.
  ///
  /// - Parameter duration: How long the crossfade takes; 0 for a cut.
  package func showInput(_ number: Int, over duration: ClockTime) async {
    await (source as? SourceMixer)?.show(number, over: duration)
  }

  /// Has a source of a ``SourceMixer`` be the video on the pad `map`, in the place of an image.
  package func setMapInput(_ number: Int) async throws(CaptureError) {
    guard let mixer = source as? SourceMixer else { return }
    try await setMapImage(nil)
    try await mixer.showAsMap(number)
  }

  func failInput(_ error: GStreamerError, of element: Element) {
    for watch in inputs.values where element.isInside(watch.element) { watch.fail(error) }
  }
}
