// A capture event reports what happens to a capture by itself: the source ends, a recording fails, a sweep completes.

import GStreamer

/// Something that was not asked for, or that took its time.
public enum CaptureEvent: Sendable, Hashable {
  /// The first frame has left the effect, at a running time.
  case firstFrame(ClockTime)
  /// The source has given its last frame.
  case sourceEnded
  /// The source broke off; previews stay open and recordings whole.
  case sourceFailed(CaptureError)
  /// Sound broke off; the video goes on.
  case soundFailed(CaptureError)
  /// The GPU failed, or `history-location` was set; the effect goes on on the processor, with the same settings and an
  /// empty history.
  case gpuLost(CaptureError)
  /// A preview can show no more, as its window was closed.
  case previewFailed(PreviewID, CaptureError)
  /// A recording broke off; what has been written can be played.
  case recordingFailed(path: String, CaptureError)
  /// The encoder of a recording is too slow: frames or sound are missing in it. Told once a recording;
  /// ``CaptureStatus/RecordingStatus/dropped`` and ``RecordedFile/droppedFrames`` count.
  case recordingLate(path: String)
  /// A sweep or a canvas is complete, at a running time.
  case completed(ClockTime)
  /// The frames that reach the effect are of this size and rate, which is 0 where it varies, and take so many
  /// bytes each.
  case formatChanged(width: Int, height: Int, frameRate: Fraction, byteCount: Int)
  /// The image of the map is missing or cannot be read; the map stays what it was.
  case mapImageFailed(CaptureError)
  /// History cannot be kept in `history-location` and goes on in memory, or frames wait for the disk.
  case historyFailed(CaptureError)
  /// Memory or the disk allows fewer frames of history than are asked for.
  case depthLimited(depth: Int, wanted: Int)
  /// Memory allows fewer lines of a strip's canvas than it has: those before the newest are empty.
  case canvasLimited(lines: Int, wanted: Int)
  /// A lossless reader of frames has held up a source that can wait, and everything with it, for so long: it
  /// reads too slowly, or was left without ``ScannedFrames/stop()``.
  case readerStalled(for: Duration)
}
