// The pipeline of one recording, and what has passed it.

import GStreamer
import Synchronization

/// The way from samples to a file.
struct RecordingStreams: Sendable {
  let pipeline: Pipeline
  let video: AppSrc?
  let audio: AppSrc?
  let written: Written

  /// Makes the pipeline; the file is not touched before it is prepared.
  init(_ plan: RecordingPlan, _ path: String) throws(GStreamerError) {
    let pipeline = try Pipeline(plan.launchLine)
    try pipeline.element(named: "file").set("location", to: path)
    self.pipeline = pipeline
    video = try plan.video.map { (_) throws(GStreamerError) in
      try AppSrc(pipeline.element(named: "video-in"))
    }
    audio = try plan.audio.map { (_) throws(GStreamerError) in
      // Blocks of sound are short; half a second of them may wait.
      try AppSrc(pipeline.element(named: "audio-in"), queue: 32)
    }
    for name in ["video-out", "audio-out"] {
      guard let queue = try? pipeline.element(named: name) else { continue }
      // An encoder that begins anew, as for pictures of another kind, asks the muxer for its wishes.
      // It has none, but answers only after what is in the queue, for which it may wait for sound.
      try queue.pad("sink").addProbe(.queryDownstream) { item in
        if case .query(isSerialized: true) = item { .drop } else { .pass }
      }
    }
    let written = Written()
    self.written = written
    guard plan.video != nil else { return }
    try pipeline.element(named: "video-out").pad("src").addProbe(.buffer) { _ in
      written.countFrame()
      return .pass
    }
  }
}

/// What has reached the muxer.
final class Written: Sendable {
  private let count = Atomic<Int>(0)

  /// How many encoded frames.
  var frames: Int { count.load(ordering: .relaxed) }

  /// On the streaming thread.
  func countFrame() { count.add(1, ordering: .relaxed) }
}

extension CaptureError {
  /// What an element of a recording says, as what it means for the recording.
  init(recording error: GStreamerError, _ path: String) {
    switch error.code {
    case .resourceOpenWrite, .resourceNotFound:
      self.init(
        .notWritable, "\(path) cannot be created. Is the folder there, and may you write to it?",
        underlying: error)
    case .noSpaceLeft:
      self.init(
        .diskFull, "The disk is full. What has been recorded until then is in \(path).",
        underlying: error)
    case .resourceWrite:
      self.init(
        .writeFailed, "\(path) cannot be written any more. What is in it can be played.",
        underlying: error)
    case .noSuchElement, .missingPlugin:
      self.init(.missingElement, "A part of GStreamer is not installed.", underlying: error)
    default:
      self.init(
        .encoderFailed, "The recording broke off. What is in \(path) can be played.",
        underlying: error)
    }
  }
}
