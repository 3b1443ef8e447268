// An output file is a file under recording: locked against other writers, with what it replaces kept.

import GStreamer
import LibC
import StreamingThread

/// The file of one recording, from its creation until the recording ends.
///
/// An advisory lock on the open file keeps other recordings away from it, under whatever name and in
/// whatever process; the system drops it with the process. A file that was at the path before is put
/// aside until ``keep()``, so ``discard()`` can bring it back.
///
/// Devices and pipes are written as they are, without a lock; a pipe must have a reader.
package final class OutputFile: Sendable {
  private struct State {
    /// Nil once it is closed.
    var file: OpenFile?
    /// Whether it is a device or a pipe.
    var isStream = false
    /// The path without links.
    var place = ""
    /// The path of the previous file; nil where there was none, or it cannot be moved.
    var aside: String?
    /// Whether there was nothing at the path.
    var isNew = false
  }

  private let path: String
  private let state: Lock<State>

  /// Creates an empty file.
  ///
  /// - Throws: ``CaptureError/Code/fileBusy``, ``CaptureError/Code/notWritable``.
  package init(_ path: String) throws(CaptureError) {
    self.path = path
    state = Lock(try Self.create(path))
  }

  /// Bytes in the file; nil where it is no regular file, or closed.
  package var byteCount: Int? {
    state.withLock { state in
      var status = stat()
      guard let file = state.file, !state.isStream, unsafe fstat(file.descriptor, &status) == 0
      else { return nil }
      return Int(status.st_size)
    }
  }

  /// The device or pipe, for what writes to it, which may end after the recording; nil for a file.
  var stream: OpenFile? { state.withLock { $0.isStream ? $0.file : nil } }

  /// Has an element write the file: a `filesink`, or for a stream an `fdsink`.
  func settle(_ sink: Element) throws(GStreamerError) {
    try sink.write(to: path, or: stream?.descriptor)
  }

  /// Releases the previous file.
  package func keep() {
    state.withLock { state in
      if let aside = state.aside { _ = unsafe unlink(aside) }
      state.aside = nil
      state.isNew = false
    }
  }

  /// Brings back what was there before, and closes the file; does nothing after ``keep()``.
  package func discard() {
    state.withLock { state in
      // Unless another file is there meanwhile.
      if state.file?.isAt(state.place) == true {
        if let aside = state.aside {
          _ = unsafe rename(aside, state.place)
        } else if state.isNew {
          _ = unsafe unlink(state.place)
        }
      }
      state.aside = nil
      state.isNew = false
    }
    close()
  }

  /// Lets others write the file.
  package func close() { state.withLock { $0.file = nil } }

  /// Moves a complete file to its place, unless that is being recorded.
  ///
  /// - Parameters:
  ///   - path: What the user calls the place.
  ///   - replaces: Whether it may replace what is there.
  static func install(
    _ complete: String, at place: String, calledBy path: String, replaces: Bool
  ) throws(CaptureError) {
    guard replaces else {
      guard try installNew(complete, at: place) else { throw appeared(path) }
      return
    }
    try requireFree(place)
    guard unsafe rename(complete, place) == 0 else {
      throw CaptureError(.notWritable, "\(place) cannot be replaced.")
    }
  }

  /// The error where a file is there that may not be replaced, and was not there before.
  static func appeared(_ path: String) -> CaptureError {
    CaptureError(
      .fileExists, "\(path) exists already: it was written meanwhile, and was not overwritten.")
  }

  /// Moves a complete file to a path where nothing is.
  ///
  /// - Returns: Whether nothing was there; otherwise the file is where it was.
  static func installNew(_ complete: String, at path: String) throws(CaptureError) -> Bool {
    // An empty file takes the path, as not all file systems have links or renameat2; recordings find it locked.
    guard let place = OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL) else {
      if errno == EEXIST { return false }
      throw CaptureError(.notWritable, "\(path) cannot be written.")
    }
    _ = place.lock()
    defer { withExtendedLifetime(place) {} }
    guard unsafe rename(complete, path) == 0 else {
      _ = unsafe unlink(path)
      throw CaptureError(.notWritable, "\(path) cannot be written.")
    }
    return true
  }

  /// Makes sure that no recording writes into a file, and that it is one that can be replaced.
  static func requireFree(_ path: String) throws(CaptureError) {
    if let present = FileIdentity(path), !present.isFile {
      throw CaptureError(
        .notWritable, "\(path) is there already and is no file. Choose another name.")
    }
    guard let file = OpenFile.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return }
    if !file.lock(LOCK_SH) { throw busy(path) }
  }

  // MARK: Creation

  private static func create(_ path: String) throws(CaptureError) -> State {
    while true {
      let present = FileIdentity(path)
      guard present?.isFile != false else {
        guard let stream = OpenFile.openStream(path) else {
          throw CaptureError(
            .notWritable,
            errno == ENXIO
              ? "\(path) is a pipe that has no reader yet. Start the reader first."
              : "\(path) cannot be written. Check what it is.")
        }
        return State(file: stream, isStream: true)
      }
      let isThere = present?.kind == S_IFREG
      let file = try locked(path, O_CREAT, path)
      var status = stat()
      // Another recording may have put it aside meanwhile.
      guard let place = resolved(path), file.isAt(place),
        unsafe fstat(file.descriptor, &status) == 0
      else { continue }
      guard isThere, status.st_size > 0 else {
        return State(file: file, place: place, isNew: !isThere)
      }
      let aside = "\(place).\(UInt32.random(in: 0 ... .max)).before"
      guard unsafe rename(place, aside) == 0 else {
        // The folder cannot be written: the file is overwritten.
        return State(file: file, place: place)
      }
      defer { withExtendedLifetime(file) {} }
      do throws(CaptureError) {
        let replacement = try locked(place, O_CREAT | O_EXCL, path)
        _ = fchmod(replacement.descriptor, status.st_mode & 0o777)
        return State(file: replacement, place: place, aside: aside)
      } catch {
        // Not over what another recording has created since.
        if unsafe link(aside, place) == 0 { _ = unsafe unlink(aside) }
        throw error
      }
    }
  }

  /// Opens a file that no other recording writes.
  private static func locked(
    _ place: String, _ flags: CInt, _ path: String
  ) throws(CaptureError) -> OpenFile {
    guard let file = OpenFile.open(place, O_RDWR | O_NOCTTY | flags) else {
      throw errno == EEXIST ? busy(path) : .notCreated(path)
    }
    guard file.lock() else { throw busy(path) }
    return file
  }

  private static func busy(_ path: String) -> CaptureError {
    CaptureError(
      .fileBusy,
      "\(path) is being recorded already. Finish that recording first, or choose another name.")
  }

  /// The path without links, also of a link to a file that is yet to be made; nil where there is no file.
  static func resolved(_ path: String) -> String? {
    if let resolved = unsafe realpath(path, nil) {
      defer { unsafe free(resolved) }
      return unsafe String(cString: resolved)
    }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe readlink(path, &target, Int(PATH_MAX)) > 0,
      let place = String(validating: target.prefix { $0 != 0 }, as: UTF8.self)
    else { return nil }
    guard !place.hasPrefix("/"), let folder = path.lastIndex(of: "/") else { return place }
    return path[...folder] + place
  }
}
