// The error type of this module: what happened and what to do about it.

import GStreamer
import LibC

/// An error of a performance: what kind, and a sentence that says what happened and what to do.
///
/// None of them stops the show.
public struct StageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Sendable, Hashable, RawRepresentable {
    /// The text in logs and for other programs.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such property.
    public static let noSuchProperty = Code(rawValue: "stage.no-such-property")
    /// The property cannot have this value.
    public static let badValue = Code(rawValue: "stage.bad-value")
    /// There is no such preset.
    public static let noSuchPreset = Code(rawValue: "stage.no-such-preset")
    /// A line is no move.
    public static let badMove = Code(rawValue: "stage.bad-move")
    /// There is nothing to undo, or to do again.
    public static let nothingToUndo = Code(rawValue: "stage.nothing-to-undo")
    /// A still or a recording cannot be written.
    public static let notWritten = Code(rawValue: "stage.not-written")
    /// The frames broke off, or do not begin.
    public static let noVideo = Code(rawValue: "stage.no-video")
    /// Not everything could be closed in time, as where the window system does not answer.
    public static let stuck = Code(rawValue: "stage.stuck")
    /// An input cannot be opened: a port that is in use, a device that is not there.
    public static let inputFailed = Code(rawValue: "stage.input-failed")
    /// A file cannot be read or written.
    public static let badFile = Code(rawValue: "stage.bad-file")
    /// The task was cancelled, and nothing else.
    public static let cancelled = Code(rawValue: "stage.cancelled")
  }

  /// The kind.
  public let code: Code
  /// The message: what happened, and what to do.
  public let message: String

  /// An error of a kind.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// The message of the last error of a system call.
package func systemReason() -> String { unsafe String(cString: strerror(errno)) }
