// The stopper ends a thread of an input that waits for bytes.

import LibC

/// Tells a thread to end, that time has passed, or that there is something to do, also where it sleeps.
package final class Stopper: Sendable {
  private let end: Bell
  private let time: Bell
  private let work: Bell

  /// Nil where the system has no more files.
  package init?() {
    guard let end = Bell(), let time = Bell(), let work = Bell() else { return nil }
    (self.end, self.time, self.work) = (end, time, work)
  }

  /// Ends the thread's wait, and each one after it.
  package func stop() { end.ring() }

  /// Ends the thread's wait, or the next one, because of the time.
  package func wake() { time.ring() }

  /// Ends the thread's wait, or the next one, because there is something to do.
  package func ring() { work.ring() }

  package enum Reason { case stopped, ready, time }

  /// Waits for a file to have something, or to be at its end, or for ``wake()``.
  ///
  /// - Parameter file: The file; nil for waiting for ``ring()``.
  package func wait(for file: CInt? = nil) -> Reason {
    var files = [end.descriptor, file ?? work.descriptor, time.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A signal may end it early.
    while unsafe poll(&files, nfds_t(files.count), -1) <= 0 {}
    if files[0].revents != 0 { return .stopped }
    if files[1].revents != 0 {
      if file == nil { work.clear() }
      return .ready
    }
    time.clear()
    return .time
  }
}

/// A pipe that ends a thread's wait.
private final class Bell: Sendable {
  let descriptor: CInt
  private let writing: CInt

  /// Nil where the system has no more files.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (descriptor, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // One that rings already rings on.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func ring() { _ = unsafe write(writing, [1], 1) }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
