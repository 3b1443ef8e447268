// The frame report describes the state of the effect after a frame.

/// The state of the effect after a frame.
public struct FrameReport: Sendable, Equatable {
  /// p of a sweep, 0…1; 0 in the other modes.
  public var progress: Double = 0
  /// Frames that history holds.
  public var historyFrames = 0
  /// Bytes of memory that history and canvases take.
  public var historyBytes = 0
  /// Bytes of the disk that history takes.
  public var diskBytes = 0
  /// The use of the disk since the history began there.
  public var disk = DiskUse()
  /// The failure, if history could not be kept on the disk; it goes on in memory.
  public var diskFailure: DiskFailure?
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
  /// The reason for ``limitedHistory`` and ``limitedDepth``.
  public var historyLimit = HistoryLimit.maxMemory

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

extension FrameReport {
  /// The limits that make a history shorter than asked for.
  public enum HistoryLimit: Sendable, Equatable {
    /// ``ScanSettings/maxMemory``.
    case maxMemory
    /// The memory that the system has left.
    case memory
    /// ``ScanSettings/maxDisk``.
    case maxDisk
    /// The free space of the disk.
    case disk
  }

  /// Counts of what a history on disk has read and written.
  public struct DiskUse: Sendable, Equatable {
    /// Bytes read.
    public var bytesRead: UInt64 = 0
    /// Bytes written.
    public var bytesWritten: UInt64 = 0
    /// Frames that waited for the disk.
    public var lateFrames: UInt64 = 0
    /// The time that they waited for, in nanoseconds.
    public var waitingTime: UInt64 = 0

    /// Nothing yet.
    public init() {}
  }

  /// An error of the system that ended a history on disk.
  public struct DiskFailure: Sendable, Equatable {
    /// The operation that failed.
    public enum Action: Sendable, Equatable {
      /// A file was made in the folder.
      case open
      /// History was written.
      case write
      /// History was read; frames are lost.
      case read
    }
    /// The operation that failed.
    public var action: Action
    /// The error, an `errno`.
    public var code: Int32
  }
}
