// The frame report describes the state of the effect after a frame.

/// The state of the effect after a frame.
public struct FrameReport: Sendable, Equatable {
  /// p of a sweep, 0…1; 0 in the other modes.
  public var progress: Double = 0
  /// Frames that history holds.
  public var historyFrames = 0
  /// Bytes of memory that history and canvases take.
  public var historyBytes = 0
  /// Whether a sweep or a canvas has become complete with this frame.
  public var completes = false
  /// The frames of history there can be, if the longest delay asks for more.
  public var limitedDepth: Int?
  /// The frames of history there can be, if the longest delay or the reserve asks for more.
  public var limitedHistory: Int?
  /// The lines of a strip's canvas that there can be, if the canvas has more; those before them are empty.
  public var limitedLines: Int?
  /// Whether ``limitedLines`` are what the system has memory for, rather than what
  /// ``ScanSettings/maxMemory`` allows.
  public var areLinesRefused = false
  /// Whether ``limitedHistory`` is what the system has memory for, rather than what
  /// ``ScanSettings/maxMemory`` allows.
  public var isMemoryRefused = false

  /// The average delay of the output, in nanoseconds.
  ///
  /// 0 where nothing is delayed: for sweeps, strips, and frames that leave as they came.
  public var meanDelay: UInt64 = 0
  /// As ``meanDelay``, of the few pixels around the centre of the frame.
  public var centerDelay: UInt64 = 0

  /// The frames of history that the longest delay asks for.
  public var wantedDepth = 0
  /// The frames of history that the longest delay and the reserve ask for.
  public var wantedHistory = 0
  /// The lines of a strip's canvas; 0 in the other modes.
  public var wantedLines = 0
  /// Whether all that is to be seen is the newest frame, after it has come often enough.
  public var hasCaughtUp = false

  /// The report before any frame.
  public init() {}
}
