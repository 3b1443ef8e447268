// The error type of this module: what happened, where, and what to do about it.

import GStreamer

/// An error of capture or recording: what kind, what happened, and what GStreamer said of it.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// More may come; treat an unknown one as a failure.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name that stands for the kind, as `capture.disk-full`.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// The kind.
  public let code: Code
  /// One or two sentences for a person: what happened, and what to do.
  public let message: String
  /// The error of GStreamer that caused this one, nil if there is none.
  public let underlying: GStreamerError?

  /// An error, for sources of one's own.
  public init(_ code: Code, _ message: String, underlying: GStreamerError? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// The message, and what GStreamer said.
  public var description: String {
    guard let underlying, underlying.message != message else { return message }
    return "\(message) (\(underlying))"
  }
}

extension CaptureError {
  /// The meaning of an error of work with a pipeline: GStreamer's is explained; cancellations and stops are told apart.
  ///
  /// - Parameter what: What a cancellation or a stop has ended, as a clause: "the file was complete".
  package static func of(
    _ error: any Error, before what: String, _ explain: (GStreamerError) -> CaptureError
  ) -> CaptureError {
    switch error {
    case let error as CaptureError: error
    case let error as GStreamerError where ![.cancelled, .stopped].contains(error.code):
      explain(error)
    default: .ended(before: what)
    }
  }

  /// The error of work that a cancellation or a stop has ended.
  static func ended(before what: String) -> CaptureError {
    Task.isCancelled ? .cancelled(before: what) : .stopped(before: what)
  }

  /// The error of a task that was cancelled.
  package static func cancelled(before what: String) -> CaptureError {
    CaptureError(.cancelled, "The task was cancelled before \(what).")
  }

  static func stopped(before what: String) -> CaptureError {
    CaptureError(.stopped, "A stop came before \(what).")
  }
}

extension CaptureError.Code {
  // MARK: Sources

  /// There is no camera, or not the one that was asked for.
  public static let noCamera = Self(rawValue: "capture.no-camera")
  /// Another program uses the camera.
  public static let cameraBusy = Self(rawValue: "capture.camera-busy")
  /// The file is not there or cannot be read.
  public static let noSuchFile = Self(rawValue: "capture.no-such-file")
  /// There is no microphone, or it may not be used.
  public static let noMicrophone = Self(rawValue: "capture.no-microphone")
  /// The source broke off, or gives nothing.
  public static let sourceFailed = Self(rawValue: "capture.source-failed")

  // MARK: Scanning and showing

  /// The effect has no such property, value or preset.
  public static let badScan = Self(rawValue: "capture.bad-scan")
  /// An image for the map is missing, cannot be read, or has an impossible size or not as many pixels as that.
  public static let badMapImage = Self(rawValue: "capture.bad-map-image")
  /// The effect cannot do what was asked for: memory for less than was wanted.
  public static let scanFailed = Self(rawValue: "capture.scan-failed")
  /// History cannot be kept on the disk of `history-location`, or frames wait for that disk.
  public static let historyFailed = Self(rawValue: "capture.history-failed")
  /// The effect cannot run on the GPU: there is none, its driver is too old, or history is to be kept on a disk.
  public static let noGPU = Self(rawValue: "capture.no-gpu")
  /// Frames cannot be shown: there is no display, or its window was closed or destroyed.
  public static let previewFailed = Self(rawValue: "capture.preview-failed")
  /// A configuration contradicts itself, or asks for frames of an impossible size or rate.
  public static let badConfiguration = Self(rawValue: "capture.bad-configuration")

  /// A lossless reader of frames is slower than a live source.
  public static let slowReader = Self(rawValue: "capture.slow-reader")

  // MARK: Recording

  /// The end of the path is none that says which kind of file it is to be.
  public static let unknownContainer = Self(rawValue: "capture.unknown-container")
  /// No encoder for the codec is installed; the message names the Debian packages that have one.
  public static let missingEncoder = Self(rawValue: "capture.missing-encoder")
  /// Another part of GStreamer is not installed; the message names its Debian package.
  public static let missingElement = Self(rawValue: "capture.missing-element")
  /// The container does not take the codec, or the recorder not the samples.
  public static let unsupportedFormat = Self(rawValue: "capture.unsupported-format")
  /// A sample does not say when it is to be shown.
  public static let noTime = Self(rawValue: "capture.no-time")
  /// The file cannot be created.
  public static let notWritable = Self(rawValue: "capture.not-writable")
  /// Another recording, of any process, writes the file at the moment.
  public static let fileBusy = Self(rawValue: "capture.file-busy")
  /// The disk is full, or the file as large as it may be.
  public static let diskFull = Self(rawValue: "capture.disk-full")
  /// Writing failed for another reason.
  public static let writeFailed = Self(rawValue: "capture.write-failed")
  /// The encoder, or what is between it and the file, broke off.
  public static let encoderFailed = Self(rawValue: "capture.encoder-failed")
  /// Encoded video came without a key frame for too long.
  public static let noKeyFrame = Self(rawValue: "capture.no-key-frame")
  /// Nothing came that could be written.
  public static let nothingRecorded = Self(rawValue: "capture.nothing-recorded")
  /// The recorder is not in a state for this.
  public static let wrongState = Self(rawValue: "capture.wrong-state")
  /// `stop()`, or `cancel()` of a recording, came before it was done.
  public static let stopped = Self(rawValue: "capture.stopped")
  /// The task was cancelled, and nothing else.
  ///
  /// It stands for `CancellationError` in what throws a ``CaptureError``. An asynchronous sequence ends instead.
  public static let cancelled = Self(rawValue: "capture.cancelled")

  // MARK: Rendering

  /// There is a file already, and it was not said that it may be replaced.
  public static let fileExists = Self(rawValue: "render.file-exists")
  /// The request contradicts itself, or cannot be fulfilled.
  public static let badRequest = Self(rawValue: "render.bad-request")
}
