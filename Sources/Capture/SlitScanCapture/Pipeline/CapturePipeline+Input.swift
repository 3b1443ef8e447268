// The input of the last seconds, written as a film out of the history of the effect.

import GStreamer

/// A film of what came before it was asked for.
package struct KeptInput: Sendable {
  /// The time of its first frame, in the capture.
  package let begin: ClockTime
  /// The time from one frame to the next.
  package let frameInterval: ClockTime
  /// Whether no frame is missing: none has left the history, and no stop came, before it was written.
  package let isWhole: Bool
  /// The differences of its frames from those that came, in sentences.
  package let changes: [String]
}

extension CapturePipeline {
  /// Writes the frames of the input that the history holds whole, as far as they have come; the capture goes on
  /// meanwhile.
  ///
  /// Without sound, and without loss where the container has a codec for that. Where the capture is stopped, the film
  /// ends.
  ///
  /// - Parameters:
  ///   - path: The file, which is there once it is complete. One that is there stays.
  ///   - earliest: No frame is from before this time.
  /// - Throws: ``CaptureError/Code/nothingRecorded``, or as ``Recorder``; nothing is left then.
  package func keepInput(
    to path: String, from earliest: ClockTime = .zero
  ) async throws(CaptureError) -> KeptInput {
    guard let stream else {
      throw CaptureError(.wrongState, "There is no input to keep. Start the capture.")
    }
    var video = VideoSettings()
    video.encoding.isLossless = true
    let settings = RecorderSettings(video: video)
    let file = try UnfinishedFile(path, replaces: false)
    try file.requireFolder()
    let recorder = Recorder(
      to: file.isStream ? path : file.temporaryPath, settings,
      plan: try RecordingPlan(path: path, settings))
    let (base, end, interval, stopsBefore) = (timeBase, time - timeBase, frameInterval, stops)
    do {
      try await recorder.start()
      var (begin, last): (ClockTime?, ClockTime?) = (nil, nil)
      var isWhole = true
      var next = earliest - base
      while let frame = await stream.inputFrame(from: next),
        let place = frame.buffer?.presentationTime, place < end
      {
        if let last, place - last > ClockTime(nanoseconds: interval.nanoseconds / 2 * 3),
          await stream.inputFrame(from: .zero)?.buffer?.presentationTime == place
        {
          isWhole = false
        }
        try await recorder.append(video: frame)
        (begin, last) = (begin ?? place, place)
        next = place + ClockTime(nanoseconds: 1)
      }
      guard let begin else { throw noInput(of: stream) }
      let recorded = try await recorder.finish()
      try file.complete()
      return KeptInput(
        begin: base + begin, frameInterval: interval, isWhole: isWhole && stops == stopsBefore,
        changes: recorded.changes)
    } catch {
      await recorder.cancel()
      file.remove()
      let error = CaptureError.of(error, before: "the input was written") { error in
        CaptureError(.encoderFailed, "The input cannot be written.", underlying: error)
      }
      // The recorder says what it has left; nothing is.
      throw error.underlying.flatMap { CaptureError(writing: $0, path) } ?? error
    }
  }

  private func noInput(of stream: CaptureStream) -> CaptureError {
    let feedback: Double? = try? stream.scan.get("feedback")
    return CaptureError(
      .nothingRecorded,
      feedback.map { $0 > 0 } == true
        ? "History holds the input with the output fed back, so there is no input to keep. Set feedback to 0."
        : "There is no frame in the history to keep. Set reserve to the number of frames to keep.")
  }
}

extension CaptureStream {
  /// The oldest frame of the input that the history holds whole and that came at a running time or later.
  fileprivate func inputFrame(from time: ClockTime) async -> Sample? {
    // Waits for a frame that is being made.
    await pipeline.run { [scan] _ in
      guard case .sample(let frame)? = try? scan.emit("input-frame", .uint(time.nanoseconds)) else {
        return nil
      }
      return frame
    }
  }
}
