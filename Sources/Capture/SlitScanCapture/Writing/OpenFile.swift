// Files, pipes and devices that are open, and which file is at a path.

import GStreamer
import LibC

/// A file, pipe or device that is open as long as it is held.
package final class OpenFile: Sendable {
  package let descriptor: CInt

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    // A process that is just being started has the descriptor, too, and with it the lock.
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
  }

  /// Opens a file; nil where that fails, and `errno` says why.
  package static func open(_ path: String, _ flags: CInt) -> OpenFile? {
    let descriptor = unsafe LibC.open(path, flags | O_CLOEXEC, 0o666)
    return descriptor < 0 ? nil : OpenFile(descriptor)
  }

  /// Opens a pipe or a device so that a reader that reads nothing does not hold up what writes; a pipe must have
  /// a reader.
  static func openStream(_ path: String) -> OpenFile? {
    open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  }

  /// Locks the file without waiting.
  ///
  /// - Returns: False where another holds a lock; some file systems have none, and there nothing is refused.
  package func lock(_ kind: CInt = LOCK_EX) -> Bool {
    flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether a path leads to it.
  func isAt(_ path: String) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, let named = FileIdentity(path) else {
      return false
    }
    return named == FileIdentity(status)
  }
}

/// Which file is at a path, whatever it is called there.
struct FileIdentity: Hashable {
  private let device: UInt
  private let number: UInt
  /// One of `S_IFMT`; `S_IFLNK` for a link that leads nowhere.
  let kind: mode_t
  let isLink: Bool

  init?(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    // A link that leads nowhere is itself what would be replaced.
    _ = unsafe stat(path, &status)
    self.init(status, isLink: isLink)
  }

  init(_ status: stat, isLink: Bool = false) {
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    kind = status.st_mode & S_IFMT
    self.isLink = isLink
  }

  static func == (left: Self, right: Self) -> Bool {
    (left.device, left.number) == (right.device, right.number)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }

  /// Whether it is a file, or a link to one that is yet to be made.
  var isFile: Bool { kind == S_IFREG || kind == S_IFLNK }
  /// Whether it is written as it is.
  var isStream: Bool { [S_IFIFO, S_IFCHR, S_IFBLK].contains(kind) }
  /// Whether something is lost where it is written.
  var hasContent: Bool { ![S_IFIFO, S_IFCHR].contains(kind) }
}

extension Element {
  /// Has a sink write to something that is open, as an `fdsink`, or to a path, as a `filesink`.
  func write(to path: String, or descriptor: CInt?) throws(GStreamerError) {
    if let descriptor {
      try set("fd", to: Int64(descriptor))
    } else {
      try set("location", to: path)
    }
  }
}

extension CaptureError {
  static func notCreated(_ path: String, _ error: GStreamerError? = nil) -> CaptureError {
    CaptureError(
      .notWritable, "\(path) cannot be created. Check that the folder exists and is writable.",
      underlying: error)
  }

  /// The meaning of an error of a pipeline that writes a file; nil where it is not about the file.
  ///
  /// - Parameter rest: What there is in the file, in a sentence; nil where there is no file.
  package init?(writing error: GStreamerError, _ path: String, rest: String? = nil) {
    let addition = rest.map { " \($0)" } ?? ""
    switch error.code {
    case .resourceOpenWrite, .resourceNotFound: self = .notCreated(path, error)
    case .noSpaceLeft:
      let full =
        rest == nil
        ? "The disk is full: \(path) was not written. Free some space, or write elsewhere."
        : "The disk is full.\(addition)"
      self.init(.diskFull, full, underlying: error)
    case .resourceWrite:
      self.init(.writeFailed, "\(path) can no longer be written.\(addition)", underlying: error)
    case .noSuchElement, .missingPlugin:
      self.init(.missingElement, "A part of GStreamer is not installed.", underlying: error)
    default: return nil
    }
  }
}
