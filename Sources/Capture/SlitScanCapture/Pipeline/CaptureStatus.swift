// The capture status describes a capture at one moment: its source, format, previews and recordings.

import GStreamer

/// The status of a capture at one moment.
public struct CaptureStatus: Sendable, Hashable {
  /// The state of a capture.
  public enum State: Sendable, Hashable {
    /// Nothing is open.
    case stopped
    /// Frames flow.
    case running
    /// The source has given its last frame; another can follow.
    case ended
    /// The source broke off; another can follow.
    case failed(CaptureError)
  }

  /// A recording that goes on.
  public struct RecordingStatus: Sendable, Hashable {
    /// The file.
    public var path: String
    /// Frames that were lost because the encoder was too slow, or the recorder refused them.
    public var dropped: UInt64
  }

  /// A preview that is open.
  public struct PreviewStatus: Sendable, Hashable {
    /// Which one.
    public var id: PreviewID
    /// Frames that have appeared since it was opened, as its sink counts them.
    public var frames: Int
    /// Frames that appeared in the last second.
    public var frameRate: Double
    /// Frames that it did not show: newer ones replaced them, or its sink dropped them.
    public var dropped: UInt64
    /// The longest time without a new frame in the last ten seconds.
    public var longestGap: Duration
  }

  /// Its state.
  public var state = State.stopped
  /// The device that the effect runs on, or ran on last.
  public var device = EffectDevice.processor(because: nil)
  /// Frames that have left the effect.
  public var frames = 0
  /// The end of the last frame, counted from the first.
  public var time = ClockTime.zero
  /// The time from the newest frame to the one that follows; 0 where there is none yet.
  package var frameInterval = ClockTime.zero
  /// Frames that the effect holds.
  public var historyFrames = 0
  /// Bytes of memory that it takes for them.
  public var historyBytes = 0
  /// Bytes that it takes for them in `history-location`.
  public var diskBytes = 0
  /// The time that the effect takes for a frame, on average over the last ones.
  public var frameTime = ClockTime.zero
  /// Frames that were too late for the effect to draw them.
  public var late: UInt64 = 0
  /// Previews that are open.
  public var previews: [PreviewStatus] = []
  /// Recordings that go on.
  public var recordings: [RecordingStatus] = []

  /// Frames that were too late for the effect, and those that an open preview did not show.
  package var dropped: UInt64 { previews.reduce(late) { $0 &+ $1.dropped } }

  package init() {}
}

extension CapturePipeline {
  package var status: CaptureStatus {
    var status = CaptureStatus()
    status.state = state
    status.device = device
    status.frames = frameCount
    status.time = time
    status.frameInterval = frameInterval
    status.diskBytes = (try? stream?.scan.get("disk-bytes", as: Int.self)) ?? 0
    if let statistics = try? stream?.scan.get("stats", as: Structure.self) {
      status.historyFrames = statistics.get("history-frames") ?? 0
      status.historyBytes = statistics.get("history-bytes") ?? 0
      status.frameTime = statistics.get("average-time") ?? .zero
      status.late = (statistics.get("late") ?? 0) &+ (stream?.frames.dropped ?? 0)
    }
    status.previews = previews.sorted { $0.key.number < $1.key.number }.map { $1.status(as: $0) }
    status.recordings = recordings.filter { !$0.isOver }.map {
      CaptureStatus.RecordingStatus(path: $0.path, dropped: $0.dropped)
    }
    return status
  }
}
