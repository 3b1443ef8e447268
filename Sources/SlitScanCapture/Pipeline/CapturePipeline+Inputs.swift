// The inputs of a capture whose source is a mixer: opened, shown, given to the map, while frames flow.

import GStreamer

extension CapturePipeline {
  /// Opens one of the sources of a ``SourceMixer``, or opens it again; returns with its first frame.
  ///
  /// Its end and its failure are events; it keeps its last frame then.
  ///
  /// - Parameters:
  ///   - number: From 0 on.
  ///   - input: The source.
  /// - Throws: Why it cannot be opened; the others go on.
  public func openInput(_ number: Int, _ input: any FrameSource) async throws(CaptureError) {
    guard let stream, let mixer = source as? SourceMixer else { return }
    try await mixer.mutex.run { () async throws(CaptureError) in
      let element = try await input.makeElement()
      do {
        let broadcast = broadcast
        try await mixer.put(input, element, at: number, in: stream.pipeline) {
          broadcast.tell(.inputEnded(number))
        }
        try await stream.firstFrame(of: element).release()
        await mixer.begin(number)
      } catch {
        await mixer.remove(number, from: stream.pipeline)
        switch error {
        case let error as GStreamerError: throw input.explain(error)
        case let error as CaptureError: throw error
        default: throw CaptureError(.cancelled, "The source was not opened.")
        }
      }
    }
  }

  /// Shows another source of a ``SourceMixer``, before the effect: what it shows enters history.
  ///
  /// - Parameters:
  ///   - number: From 0 on.
  ///   - duration: How long the crossfade takes; 0 for a cut.
  public func showInput(_ number: Int, over duration: ClockTime) async {
    await (source as? SourceMixer)?.show(number, over: duration)
  }

  /// Has a source of a ``SourceMixer`` be the video on the pad `map`, in the place of an image.
  ///
  /// - Parameter number: From 0 on.
  public func setMapInput(_ number: Int) async throws(CaptureError) {
    guard let mixer = source as? SourceMixer else { return }
    try await setMapImage(nil)
    try await mixer.showAsMap(number)
  }

  /// Tells of an error of an input.
  func failInput(_ error: GStreamerError, of element: Element) async {
    guard let mixer = source as? SourceMixer,
      let failure = await mixer.explain(error, of: element)
    else { return }
    broadcast.tell(.inputFailed(failure.number, failure.error))
  }
}
