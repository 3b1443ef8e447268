// Previews, recordings, photos and frame sequences of a capture.

import GStreamer
import StreamingThread

/// A preview that is open.
public struct PreviewID: Sendable, Hashable {
  let number: UInt64
}

extension CapturePipeline {
  // MARK: Previews

  /// Shows the frames.
  ///
  /// - Parameters:
  ///   - sink: Elements that show raw video, as in a launch line.
  ///   - window: What the sink draws into; nil for a window of its own. It is closed with the preview;
  ///     where an error is thrown, it stays open.
  /// - Throws: ``CaptureError/Code/previewFailed``, ``CaptureError/Code/missingElement``.
  @discardableResult
  package func openPreview(
    _ sink: String = "autovideosink", in window: (any PreviewWindow)? = nil
  ) async throws(CaptureError) -> PreviewID {
    let display = try await preparePreview(sink, in: window)
    return await show(display)
  }

  /// Closes a preview, and returns once its sink has given everything back.
  package func closePreview(_ id: PreviewID) async {
    guard let display = previews.removeValue(forKey: id) else { return }
    await display.close()
  }

  /// A display that is open and empty.
  func preparePreview(
    _ sink: String, in window: (any PreviewWindow)? = nil
  ) async throws(CaptureError) -> PreviewDisplay {
    let (events, navigate) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(100))
    let display = try PreviewDisplay(sink, in: window, on: clock, navigation: navigate)
    try await display.open()
    Task { [weak self] in
      for await event in events { await self?.navigate(event) }
    }
    return display
  }

  /// Lets a display show video from now on.
  func show(_ display: PreviewDisplay) async -> PreviewID {
    nextPreview += 1
    let id = PreviewID(number: nextPreview)
    previews[id] = display
    await display.show(
      frames.add(Outlet(.latest(2))), whenAsked: { [closing] in closing.tell(id) },
      whenFailed: { [weak self] error in Task { await self?.lose(id, error) } })
    return id
  }

  private func lose(_ id: PreviewID, _ error: CaptureError) async {
    guard let display = previews.removeValue(forKey: id) else { return }
    await display.close()
    broadcast.tell(.previewFailed(id, error))
  }

  /// The pointer is over a preview: the effect may follow it.
  private func navigate(_ event: Event) async {
    if let structure = event.structure, structure.get("event") == "key-press",
      let key: String = structure.get("key")
    {
      keys.tell(key)
    }
    guard let stream, let pad = try? stream.scan.pad("src") else { return }
    try? await stream.pipeline.send(event, to: pad)
  }

  // MARK: Recordings

  /// Records from the next frame on.
  ///
  /// Frames of a camera that the encoder cannot keep up with are dropped, counted and told as
  /// ``CaptureEvent/recordingLate(path:)``: at most 60 frames wait, of at most 256 MB. A source that can
  /// wait, waits.
  ///
  /// - Parameters:
  ///   - path: Ends in `.mp4`, `.mov`, `.mkv` or `.webm`, unless the settings name the container.
  ///   - settings: How; nil for video, and sound if there is any.
  /// - Throws: As ``Recorder/init(to:container:video:audio:)`` and ``Recorder/start()``.
  package func record(
    to path: String, _ settings: RecorderSettings? = nil
  ) async throws(CaptureError) -> ActiveRecording {
    let settings = settings ?? RecorderSettings(audio: sound == nil ? nil : AudioSettings())
    let recorder = try Recorder(to: path, settings)
    try await recorder.start()
    return begin(recorder)
  }

  /// Lets a recorder that was started have video and sound from now on.
  func begin(_ recorder: Recorder) -> ActiveRecording {
    let path = recorder.path
    let recording = ActiveRecording(
      recorder, frames: frames.add(Outlet(.lossless, overflow: .drop)),
      sound: recorder.settings.audio == nil
        ? nil : sounds.add(Outlet(.lossless, limit: .sounds, overflow: .drop)),
      whenLate: { [broadcast] in broadcast.tell(.recordingLate(path: path)) },
      whenFailed: { [broadcast] error in broadcast.tell(.recordingFailed(path: path, error)) })
    recordings.removeAll(where: \.isOver)
    recordings.append(recording)
    return recording
  }

  /// Completes a recording, as its own ``ActiveRecording/finish()`` does.
  func end(_ recording: ActiveRecording) async throws(CaptureError) -> RecordedFile {
    recordings.removeAll { $0 === recording }
    return try await recording.finish()
  }

  // MARK: Stills and frames

  /// The next whole frame, see ``CaptureSession/photo()``.
  package func photo() async throws(CaptureError) -> Photo {
    if state == .ended, let lastFrame { return Photo(lastFrame) }
    // Frames may come while the stream is still being opened.
    guard state == .running || opening != nil else {
      throw CaptureError(
        .wrongState, "There is no frame to take a photo of. Start the capture.")
    }
    let wish = wishForPhoto
    nextPhoto += 1
    let id = nextPhoto
    let sample: Sample? = await withCancellableContinuation { waiter in
      guard !Task.isCancelled else { return waiter.resume(returning: nil) }
      photos.add(waiter, id: id, wish: wish)
    } onCancel: {
      Task { await self.cancelPhoto(id) }
    }
    guard let sample else {
      throw Task.isCancelled
        ? .cancelled(before: "a frame arrived")
        : CaptureError(.wrongState, "The video stopped before the photo was complete.")
    }
    return Photo(sample)
  }

  private func cancelPhoto(_ id: UInt64) {
    photos.cancel(id)?.resume(returning: nil)
  }

  /// The effect has changed: who waits for a still may have to wait for something else.
  func changePhotos() { photos.change(to: wishForPhoto) }

  private var wishForPhoto: PhotoRequests<Sample, CheckedContinuation<Sample?, Never>>.Wish {
    guard let scan = stream?.scan, let mode: String = try? scan.get("mode") else { return .next }
    switch mode {
    case "strip": return .complete
    case "sweep":
      let isOver = (try? scan.get("progress")) == 1.0 && (try? scan.get("sweep-loop")) == "once"
      return isOver ? .next : .complete
    default: return .next
    }
  }

  /// The scanned frames from now on, see ``CaptureSession/frames(delivery:)``.
  package func frames(delivery: Delivery = .latest(1)) -> ScannedFrames {
    let watch = ReaderWatch(on: clock) { [broadcast] in broadcast.tell(.readerStalled(for: $0)) }
    return ScannedFrames(frames.add(Outlet(delivery, watch: watch, endsWithSource: true)))
  }

  /// The sound from now on, as it comes from its source; of a reader that is too slow, the newest.
  package func soundSamples() -> ScannedFrames { ScannedFrames(sounds.add(Outlet(.latest(32)))) }
}
