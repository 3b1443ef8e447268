// An output file is a file under recording: locked against other writers, with what it replaces kept.

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
    /// -1 once it is closed, and for what is no regular file.
    var descriptor: CInt = -1
    /// An open device or pipe; nil for a file, and once it is closed.
    var stream: Stream?
    /// The path without links.
    var place = ""
    /// The path of the previous file; nil where there was none, or it cannot be moved.
    var aside: String?
    /// Whether there was nothing at the path.
    var isNew = false
  }

  /// A device or pipe that is open without blocking, so that a reader that reads nothing does not hold up the recording; as long as it is
  /// held: what writes to it may end after the recording.
  final class Stream: Sendable {
    let descriptor: CInt

    fileprivate init(_ path: String) throws(CaptureError) {
      descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard descriptor < 0 else { return }
      throw CaptureError(
        .notWritable,
        errno == ENXIO
          ? "\(path) is a pipe that has no reader yet. Start the reader first."
          : "\(path) cannot be written. Check what it is.")
    }

    deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }
  }

  private let state: Lock<State>

  /// Creates an empty file.
  ///
  /// - Throws: ``CaptureError/Code/fileBusy``, ``CaptureError/Code/notWritable``.
  package init(_ path: String) throws(CaptureError) {
    state = Lock(try Self.create(path))
  }

  deinit { close() }

  /// Bytes in the file; nil where it is no regular file, or closed.
  package var byteCount: Int? {
    state.withLock { state in
      var status = stat()
      guard state.descriptor >= 0, unsafe fstat(state.descriptor, &status) == 0 else { return nil }
      return Int(status.st_size)
    }
  }

  /// The device or pipe; nil for a file.
  var stream: Stream? { state.withLock { $0.stream } }

  /// Lets go of the previous file.
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
      // Unless somebody has put something else there meanwhile.
      if state.descriptor >= 0, Self.names(state.place, state.descriptor) {
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
  package func close() {
    state.withLock { state in
      if state.descriptor >= 0 { _ = Glibc.close(state.descriptor) }
      state.descriptor = -1
      state.stream = nil
    }
  }

  /// Moves a complete file to its path, unless that is being recorded.
  ///
  /// - Throws: ``CaptureError/Code/fileBusy``, ``CaptureError/Code/notWritable``.
  package static func install(_ complete: String, at path: String) throws(CaptureError) {
    try requireFree(path)
    guard unsafe rename(complete, path) == 0 else {
      throw CaptureError(.notWritable, "\(path) cannot be replaced.")
    }
  }

  /// Moves a complete file to a path where nothing is.
  ///
  /// - Returns: Whether nothing was there; otherwise the file is where it was.
  /// - Throws: ``CaptureError/Code/notWritable``.
  package static func installNew(_ complete: String, at path: String) throws(CaptureError) -> Bool {
    // An empty file takes the path, as not all file systems have links or renameat2; recordings find it locked.
    let place = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard place >= 0 else {
      if errno == EEXIST { return false }
      throw CaptureError(.notWritable, "\(path) cannot be written.")
    }
    defer { _ = Glibc.close(place) }
    _ = flock(place, LOCK_EX | LOCK_NB)
    guard unsafe rename(complete, path) == 0 else {
      _ = unsafe unlink(path)
      throw CaptureError(.notWritable, "\(path) cannot be written.")
    }
    return true
  }

  /// Makes sure that no recording writes into a file, and that it is one that can be replaced.
  ///
  /// - Throws: ``CaptureError/Code/fileBusy``, ``CaptureError/Code/notWritable``.
  package static func requireFree(_ path: String) throws(CaptureError) {
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw CaptureError(
        .notWritable, "\(path) is there already and is no file. Choose another name.")
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { _ = Glibc.close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { throw busy(path) }
  }

  // MARK: Creation

  private static func create(_ path: String) throws(CaptureError) -> State {
    while true {
      var status = stat()
      let isThere = unsafe stat(path, &status) == 0
      if isThere, status.st_mode & S_IFMT != S_IFREG {
        return State(stream: try Stream(path))
      }
      let descriptor = try locked(path, O_CREAT, path)
      // Another recording may have put it aside meanwhile.
      guard let place = resolved(path), names(place, descriptor),
        unsafe fstat(descriptor, &status) == 0
      else {
        _ = Glibc.close(descriptor)
        continue
      }
      guard isThere, status.st_size > 0 else {
        return State(descriptor: descriptor, place: place, isNew: !isThere)
      }
      let aside = "\(place).\(UInt32.random(in: 0 ... .max)).before"
      guard unsafe rename(place, aside) == 0 else {
        // The folder cannot be written: the file is overwritten.
        return State(descriptor: descriptor, place: place)
      }
      defer { _ = Glibc.close(descriptor) }
      do throws(CaptureError) {
        let replacement = try locked(place, O_CREAT | O_EXCL, path)
        _ = fchmod(replacement, status.st_mode & 0o777)
        return State(descriptor: replacement, place: place, aside: aside)
      } catch {
        // Not over what another recording has created since.
        if unsafe link(aside, place) == 0 { _ = unsafe unlink(aside) }
        throw error
      }
    }
  }

  /// Opens a file that nobody records into.
  private static func locked(
    _ place: String, _ flags: CInt, _ path: String
  ) throws(CaptureError) -> CInt {
    let descriptor = unsafe open(place, O_RDWR | O_CLOEXEC | O_NOCTTY | flags, 0o666)
    guard descriptor >= 0 else {
      throw errno == EEXIST
        ? busy(path)
        : CaptureError(
          .notWritable, "\(path) cannot be created. Check that the folder exists and is writable.")
    }
    // Some file systems have no locks; there, nothing is refused.
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return descriptor }
    _ = Glibc.close(descriptor)
    throw busy(path)
  }

  private static func busy(_ path: String) -> CaptureError {
    CaptureError(
      .fileBusy,
      "\(path) is being recorded already. Finish that recording first, or choose another name.")
  }

  /// Whether a path leads to an open file.
  private static func names(_ place: String, _ descriptor: CInt) -> Bool {
    var (named, opened) = (stat(), stat())
    return unsafe stat(place, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }

  /// The path without links, also of a link to a file that is yet to be made; nil where there is no file.
  package static func resolved(_ path: String) -> String? {
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
