// An active recording is a recording of a running capture.

import GStreamer

/// A recording that takes what a capture gives.
package actor ActiveRecording {
  /// The file.
  package nonisolated let path: String
  nonisolated let recorder: Recorder
  nonisolated let frames: Outlet
  private let sound: Outlet?
  private let readers: [Task<Void, Never>]
  private let over = Shared(false)
  private let refusedFrames = Shared(Refusals())
  private let refusedSounds = Shared(Refusals())

  /// The samples that the recorder did not take.
  private struct Refusals {
    var count: UInt64 = 0
    /// Why it did not take the first.
    var reason: (any Error)?
  }

  init(
    _ recorder: Recorder, frames: Outlet, sound: Outlet?,
    whenLate: @escaping @Sendable () -> Void = {},
    whenFailed: @escaping @Sendable (CaptureError) -> Void
  ) {
    path = recorder.path
    self.recorder = recorder
    self.frames = frames
    self.sound = sound
    let (over, refusedSounds) = (over, refusedSounds)
    let (isLate, isLost) = (Shared(false), Shared(false))
    // Frames and sound both find that it broke off.
    let whenFailed = { @Sendable (error: CaptureError) in
      over.value = true
      if isLost.exchange(true) == false { whenFailed(error) }
    }
    let whenLate = { @Sendable () in if isLate.exchange(true) == false { whenLate() } }
    // Two tasks, so that neither waits for the other.
    readers = [
      Self.read(frames, recorder, refusedFrames, whenLate, whenFailed) { (recorder, sample) in
        await recorder.adapt(toFill: frames.fill)
        try await recorder.append(video: sample)
      },
      sound.map {
        Self.read($0, recorder, refusedSounds, whenLate, whenFailed) { (recorder, sample) in
          try await recorder.append(audio: sample)
        }
      },
    ].compactMap { $0 }
  }

  deinit {
    frames.finish()
    sound?.finish()
  }

  /// The number of frames dropped because the encoder was too slow, or the recorder refused them.
  package nonisolated var dropped: UInt64 { frames.dropped + refusedFrames.value.count }

  /// Whether it takes nothing any more: it is complete, given up, or broke off.
  package nonisolated var isOver: Bool { over.value }

  /// Leaves out what comes from now on, or goes on without a gap.
  func setPaused(_ isPaused: Bool) async {
    if isPaused { await recorder.pause() } else { await recorder.resume() }
  }

  private static func read(
    _ outlet: Outlet, _ recorder: Recorder, _ refusals: Shared<Refusals>,
    _ whenLate: @escaping @Sendable () -> Void,
    _ whenFailed: @escaping @Sendable (CaptureError) -> Void,
    _ append: @escaping @Sendable (Recorder, Sample) async throws -> Void
  ) -> Task<Void, Never> {
    Task {
      // An outlet of a recording drops what it has no room for, and does not fail.
      while let sample = try? await outlet.next() {
        if outlet.dropped > 0 { whenLate() }
        do {
          try await append(recorder, sample)
        } catch {
          // One sample that does not fit ends nothing.
          guard case .failed(let failure) = await recorder.state else {
            refusals.withLock { refusals in
              refusals.count += 1
              refusals.reason = refusals.reason ?? error
            }
            continue
          }
          outlet.finish()
          return whenFailed(failure)
        }
      }
    }
  }

  /// Completes the file with what has come until now.
  ///
  /// Can be called again: all get the same.
  ///
  /// - Throws: As ``Recorder/finish()``.
  @discardableResult
  package func finish() async throws(CaptureError) -> RecordedFile {
    over.value = true
    frames.finish()
    sound?.finish()
    for reader in readers { await reader.value }
    var recording: RecordedFile
    do throws(CaptureError) {
      recording = try await recorder.finish(missing: dropped)
    } catch {
      guard error.code == .nothingRecorded,
        let reason = refusedFrames.value.reason ?? refusedSounds.value.reason
      else { throw error }
      throw CaptureError(
        .nothingRecorded, "Nothing of what came could be recorded in \(path): \(reason)")
    }
    recording.droppedFrames = dropped
    recording.droppedSounds = (sound?.dropped ?? 0) + refusedSounds.value.count
    return recording
  }

  /// Gives up: the file ends with what has been written.
  package func cancel() async {
    over.value = true
    frames.finish()
    sound?.finish()
    await recorder.cancel()
    for reader in readers { await reader.value }
  }
}
