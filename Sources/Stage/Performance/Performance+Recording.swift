// Recordings and stills of a performance, and blackout.

import GStreamer

extension Performance {
  func snapshot(_ path: String?) async throws(StageError) {
    let path = path.map { fileNames.free($0) } ?? fileNames.next("png")
    try await write(.still) { () async throws(StageError) in try await stage.snapshot(to: path) }
    broadcast.tell(.snapshot(path))
  }

  package func record(_ change: Switch, _ path: String?) async throws(StageError) {
    try await recordings.run { () async throws(StageError) in
      try await changeRecording(change, path)
    }
  }

  func changeRecording(_ change: Switch, _ path: String?) async throws(StageError) {
    let mustRecord = change.applied(to: state.recording != nil)
    guard mustRecord != (state.recording != nil) else { return }
    if mustRecord {
      let path = path.map { fileNames.free($0) } ?? fileNames.next("mkv")
      // A move that comes meanwhile finds the recording going on.
      state.recording = path
      state.lostFrames = 0
      do throws(StageError) {
        try await write(.recording) { () async throws(StageError) in
          try await stage.startRecording(to: path)
        }
      } catch {
        state.recording = nil
        throw error
      }
      broadcast.tell(.recording(path))
    } else {
      state.recording = nil
      broadcast.tell(.recording(nil))
      broadcast.tell(.recorded(try await stage.stopRecording()))
    }
  }

  /// So many frames are missing in the recording to a file.
  package func loseFrames(_ count: UInt64, in path: String) {
    guard state.recording == path, count > state.lostFrames else { return }
    state.lostFrames = count
    broadcast.tell(.framesLost(count))
  }

  /// The recording to a file broke off by itself; another one may go on by now.
  public func loseRecording(to path: String, because reason: String) {
    guard state.recording == path else { return }
    state.recording = nil
    broadcast.tell(.recording(nil))
    broadcast.tell(.warning(reason))
  }

  func black(_ change: Switch) async {
    let isBlack = change.applied(to: state.isBlack)
    guard isBlack != state.isBlack else { return }
    state.isBlack = isBlack
    await stage.setBlack(isBlack)
    broadcast.tell(.blackout(isBlack))
  }
}
