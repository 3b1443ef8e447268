// Changing the source, the sound or the scan of a running capture.

import GStreamer

extension CapturePipeline {
  enum Replacement {
    /// It waits for its turn.
    case successor(CaptureStream.Successor)
    /// The stream has to begin anew with it, and with this choice of the GPU; nil for the one before.
    case restart(any FrameSource, GPUUse? = nil)
  }

  /// Has sound follow the video in another way.
  package func setSoundDelay(_ delay: SoundDelay) { soundDelay = delay }

  /// Changes the source, between two frames.
  ///
  /// The new one is opened while the one before plays on; where both are the same device, that closes
  /// first. History begins anew where the frames are of another size or format.
  ///
  /// - Throws: Why the new source cannot be opened; the one before plays on then.
  package func setSource(_ source: any FrameSource) async throws(CaptureError) {
    try await changing { stopsBefore throws(CaptureError) in
      let replacement = try await prepare(source)
      _ = try await replace(with: replacement, nil, [], since: stopsBefore)
    }
  }

  /// Changes the sound, or ends it.
  ///
  /// Recordings that began without sound stay without.
  ///
  /// - Throws: Why the new sound cannot be opened; that from before goes on then.
  package func setSound(_ sound: (any SoundSource)?) async throws(CaptureError) {
    try await changing { _ throws(CaptureError) in try await replaceSound(with: sound) }
  }

  /// Changes something alone, after what has begun before.
  ///
  /// - Parameters:
  ///   - stopsBefore: The stops that there had been when it was asked for; nil where that is now.
  ///   - body: Gets these.
  /// - Throws: What `body` throws; ``CaptureError/Code/stopped`` where a stop has ended it.
  func changing<Result>(
    since stopsBefore: Int? = nil, _ body: (Int) async throws(CaptureError) -> Result
  ) async throws(CaptureError) -> Result {
    let stopsBefore = stopsBefore ?? stops
    return try await mutex.run { () async throws(CaptureError) in
      // A stop that found it waiting waits for it.
      try requireNoStop(since: stopsBefore)
      do throws(CaptureError) {
        return try await body(stopsBefore)
      } catch {
        try requireNoStop(since: stopsBefore)
        throw error
      }
    }
  }

  func requireNoStop(since stopsBefore: Int) throws(CaptureError) {
    guard stops == stopsBefore else { throw CaptureError.stopped(before: "the change was done") }
  }

  // MARK: Several changes at once

  /// Whether there is a source that plays or has played to its end.
  var isOpen: Bool {
    switch state {
    case .running, .ended: true
    case .stopped, .failed: false
    }
  }

  /// Changes source, sound and effect, or nothing; nil leaves one as it is.
  ///
  /// If nothing is open, opens what there is then. Another choice of the GPU opens the source anew.
  ///
  /// - Parameters:
  ///   - scan: What the effect does; where something is open, only with `settled`.
  ///   - recorders: Begin with the first frame after the change.
  ///   - stopsBefore: The stops that there had been when the change was asked for.
  /// - Throws: What cannot be opened; ``CaptureError/Code/stopped`` where there was a stop since.
  func reconfigure(
    to source: (any FrameSource)?, sound: (any SoundSource)??, _ scan: Scan,
    _ settled: ValidatedScan?, gpu: GPUUse?, recorders: [Recorder], stopsBefore: Int
  ) async throws(CaptureError) -> [ActiveRecording] {
    try await changing(since: stopsBefore) { stopsBefore throws(CaptureError) in
      guard let present = source ?? self.source else { throw Self.nothingIsOpen }
      guard isOpen else {
        let (settled, before, stateBefore) = (try ValidatedScan(scan), self.scan, state)
        // What is set while it opens is set in this.
        self.scan = scan
        do throws(CaptureError) {
          return try await open(
            present, sound ?? self.sound, settled, gpu: gpu, recorders, since: stopsBefore)
        } catch {
          (self.scan, state) = (before, stateBefore)
          throw error
        }
      }
      let before = self.sound
      let replacement: Replacement?
      if let gpu {
        replacement = .restart(present, gpu)
      } else if let source {
        replacement = try await prepare(source)
      } else {
        replacement = nil
      }
      var begun: [ActiveRecording] = []
      do throws(CaptureError) {
        if let sound { try await replaceSound(with: sound) }
        if let replacement {
          begun = try await replace(with: replacement, settled, recorders, since: stopsBefore)
        } else {
          if let settled, let stream { try await stream.change(to: settled) }
          begun = recorders.map { begin($0) }
        }
      } catch {
        if let replacement { await discard(replacement) }
        // It was open a moment ago; where it is not any more, its end is told as an event.
        // Also where the task is cancelled.
        if sound != nil { await Task { try? await replaceSound(with: before) }.value }
        throw error
      }
      if settled != nil { self.scan = scan }
      changePhotos()
      return begun
    }
  }

  // MARK: Parts of a change, each of which is done or leaves everything as it was

  /// Opens a source as far as can be done beside the one before.
  func prepare(_ source: any FrameSource) async throws(CaptureError) -> Replacement {
    guard state == .running, let stream else { return .restart(source) }
    do throws(CaptureError) {
      return .successor(try await stream.open(source))
    } catch {
      // The same device as before, most likely: it opens once that is closed.
      guard error.code == .cameraBusy else { throw error }
      return .restart(source)
    }
  }

  func discard(_ replacement: Replacement) async {
    guard case .successor(let successor) = replacement, let stream else { return }
    await stream.discard(successor)
  }

  /// Puts a source in the place of the one before; and sets the effect with it.
  func replace(
    with replacement: Replacement, _ settled: ValidatedScan?, _ recorders: [Recorder],
    since stopsBefore: Int
  ) async throws(CaptureError) -> [ActiveRecording] {
    switch replacement {
    case .successor(let successor):
      guard var stream else { return [] }
      let source = successor.input.source
      var begun: [ActiveRecording] = []
      let pipeline = stream.pipeline
      if state == .running,
        try await stream.change(
          to: successor, settled,
          begin: {
            // Those of a source that the capture outlives are its own, see ``InputWatch``.
            successor.input.element.keepsErrors = outlivesSource
            begun = recorders.map { begin($0) }
            watch(successor.input, of: pipeline)
          })
      {
        self.stream = stream
        self.source = source
        return begun
      }
      // The one before has ended meanwhile, and with it the stream.
      await stream.discard(successor)
      try await readToTheEnd()
      return try await replace(with: .restart(source), settled, recorders, since: stopsBefore)
    case .restart(let source, let gpu):
      let before = try ValidatedScan(scan)
      let (old, stateBefore, frameBefore) = (self.source, state, lastFrame)
      do throws(CaptureError) {
        return try await open(
          source, sound, settled ?? before, gpu: gpu, recorders, since: stopsBefore)
      } catch {
        // Also where the task that wanted the other one is cancelled.
        if stateBefore != .running {
          (state, lastFrame) = (stateBefore, frameBefore)
        } else if stops == stopsBefore, let old {
          await Task { await reopen(old, before, since: stopsBefore) }.value
        }
        throw error
      }
    }
  }

  /// Waits until the frames are read that came before the end of the stream, unless a stop ends that.
  private func readToTheEnd() async throws(CaptureError) {
    guard let reader = readers.first else { return }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task {
      await reader.value
      end.finish()
    }
    for await _ in ends {}
    guard !Task.isCancelled else { throw .cancelled(before: "the change was done") }
  }

  /// Opens a source again that was closed in vain.
  private func reopen(
    _ source: any FrameSource, _ settled: ValidatedScan, since stopsBefore: Int
  ) async {
    do throws(CaptureError) {
      _ = try await open(source, sound, settled, since: stopsBefore)
    } catch {
      fail(error)
    }
  }

  func replaceSound(with sound: (any SoundSource)?) async throws(CaptureError) {
    guard state == .running, var stream else {
      self.sound = sound
      return
    }
    var old = stream
    stream.sound = nil
    if let sound {
      try await stream.add(sound)
      do {
        try await stream.startSound()
      } catch {
        await stream.removeSound()
        throw error
      }
    }
    self.stream = stream
    self.sound = sound
    // The end of the old one is not one of the sound.
    followSound(stream)
    keepStep(of: stream)
    await old.removeSound()
  }
}
