// The pipeline of one recording, and what has passed it.

import GStreamer
import StreamingThread

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
    let written = Written()
    self.written = written
    for (track, name) in [(plan.video, "video-out"), (plan.audio, "audio-out")] where track != nil {
      let isVideo = name == "video-out"
      try pipeline.element(named: name).pad("src").addProbe(.buffer) { item in
        if case .buffer(let buffer) = item { written.count(buffer, isVideo: isVideo) }
        return .pass
      }
    }
  }
}

/// What has reached the muxer.
final class Written: Sendable {
  private let extents = Lock((video: Extent(), audio: Extent()))

  /// How many encoded frames.
  var frames: Int { extents.withLock { $0.video.count } }

  /// The longer of both streams.
  var duration: ClockTime { extents.withLock { max($0.video.duration, $0.audio.duration) } }

  /// On a streaming thread.
  func count(_ buffer: Buffer, isVideo: Bool) {
    guard let time = buffer.presentationTime else { return }
    let end = time + (buffer.duration ?? .zero)
    extents.withLock { extents in
      if isVideo {
        extents.video.extend(from: time, to: end)
      } else {
        extents.audio.extend(from: time, to: end)
      }
    }
  }
}

/// From the first to the last time of one stream; encoders may count from any time on.
private struct Extent {
  private(set) var count = 0
  private var span: (start: ClockTime, end: ClockTime)?

  var duration: ClockTime { span.map { $0.end - $0.start } ?? .zero }

  mutating func extend(from start: ClockTime, to end: ClockTime) {
    count += 1
    span = (min(span?.start ?? start, start), max(span?.end ?? end, end))
  }
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
