// The recording streams are the pipeline of one recording, with counts of what it has written.

import GStreamer
import StreamingThread

/// The way from samples to a file.
struct RecordingStreams: Sendable {
  let pipeline: Pipeline
  let video: AppSrc?
  let audio: AppSrc?
  let file: OutputFile
  let written = Written()

  /// Makes the pipeline, which writes nothing before it is prepared.
  init(_ plan: RecordingPlan, _ file: OutputFile) throws(GStreamerError) {
    self.file = file
    let stream = file.stream
    let pipeline = try Pipeline(plan.launchLine(isStream: stream != nil))
    let sink = try pipeline.element(named: "file")
    try file.settle(sink)
    self.pipeline = pipeline
    video = try plan.video.map { (_) throws(GStreamerError) in
      try AppSrc(pipeline.element(named: "video-in"))
    }
    audio = try plan.audio.map { (_) throws(GStreamerError) in
      // Blocks of sound are short; half a second of them may wait.
      try AppSrc(pipeline.element(named: "audio-in"), queue: 32)
    }
    let written = written
    let counts: [(String, @Sendable (Int) -> Void)] = [
      ("video-out", { written.mux(frame: $0) }), ("audio-out", { written.mux(sound: $0) }),
    ]
    for (name, count) in counts {
      guard let queue = try? pipeline.element(named: name) else { continue }
      // An encoder that begins anew, as for frames of another kind, asks the muxer for its wishes.
      // It has none, but answers only after what is in the queue, for which it may wait for sound.
      try queue.pad("sink").addProbe(.queryDownstream) { item in
        if case .query(isSerialized: true) = item { .drop } else { .pass }
      }
      try queue.pad("src").addProbe(.buffer) { item in
        if case .buffer(let buffer) = item { count(buffer.byteCount) }
        return .pass
      }
    }
    // With the pad, the stream is closed.
    try sink.pad("sink").addProbe(.buffer) { [stream] item in
      withExtendedLifetime(stream) {
        if case .buffer(let buffer) = item { written.write(buffer.byteCount) }
        return .pass
      }
    }
  }

  /// Whether there is anything in the file that can be played.
  var hasContent: Bool {
    guard let end = written.firstSampleEnd else { return false }
    return file.byteCount.map { $0 >= end } ?? true
  }

  /// Closes the file, which stays if there is something in it.
  func closeFile() {
    if hasContent { file.keep() } else { file.discard() }
    file.close()
  }
}

/// A count of what has passed the muxer of a recording.
final class Written: Sendable {
  private struct State {
    var frames = 0
    /// The sizes of the first encoded frame and block of sound, which muxers pass on as they are.
    var firstFrame: Int?
    var firstSound: Int?
    /// Bytes that the muxer has made.
    var bytes = 0
    var firstSampleEnd: Int?
  }

  private let state = Lock(State())

  /// The encoded frames that have reached the muxer.
  var frames: Int { state.withLock { $0.frames } }

  /// The end in the file of the first frame or block of sound; nil before it has left the muxer.
  var firstSampleEnd: Int? { state.withLock { $0.firstSampleEnd } }

  // On streaming threads.

  fileprivate func mux(frame byteCount: Int) {
    state.withLock { state in
      state.frames += 1
      state.firstFrame = state.firstFrame ?? byteCount
    }
  }

  fileprivate func mux(sound byteCount: Int) {
    state.withLock { $0.firstSound = $0.firstSound ?? byteCount }
  }

  fileprivate func write(_ byteCount: Int) {
    state.withLock { state in
      guard state.firstSampleEnd == nil else { return }
      state.bytes += byteCount
      // Headers are short: behind so many bytes is a sample, should a muxer change sizes after all.
      let headers = 65_536 + (state.firstFrame ?? 0) + (state.firstSound ?? 0)
      if byteCount == state.firstFrame || byteCount == state.firstSound || state.bytes > headers {
        state.firstSampleEnd = state.bytes
      }
    }
  }
}
