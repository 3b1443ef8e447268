// The stopper ends a thread of an input that waits for bytes.

import LibC

/// Tells a thread to end, or that time has passed, also where it sleeps.
package final class Stopper: Sendable {
  private let end: Bell
  private let time: Bell

  /// Nil where the system has no more files.
  package init?() {
    guard let end = Bell(), let time = Bell() else { return nil }
    (self.end, self.time) = (end, time)
  }

  /// Ends the thread's wait, and each one after it.
  package func stop() { end.ring() }

  /// Ends the thread's wait, or the next one, because of the time.
  package func wake() { time.ring() }

  package enum Reason { case stopped, ready, time }

  /// Waits for a file to have something, or to be at its end, or for ``wake()``.
  ///
  /// - Parameter file: The file; nil for waiting for time alone.
  package func wait(for file: CInt? = nil) -> Reason {
    // poll leaves out files below 0.
    var files = [end.descriptor, file ?? -1, time.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // A signal may end it early.
    while unsafe poll(&files, nfds_t(files.count), -1) <= 0 {}
    if files[0].revents != 0 { return .stopped }
    if files[1].revents != 0 { return .ready }
    time.clear()
    return .time
  }
}

/// Wakes a thread that waits by a ``Stopper``, as often as there is something to do.
package final class Bell: Sendable {
  /// The file to wait for.
  package let descriptor: CInt
  private let writing: CInt

  /// Nil where the system has no more files.
  package init?() {
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

  /// Ends the thread's wait.
  package func ring() { _ = unsafe write(writing, [1], 1) }

  /// Rings no more.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
