// Signal handling: SIGINT, SIGTERM and SIGHUP end or cancel a command, SIGTSTP and SIGCONT suspend and resume a show.

import ArgumentParser
import CLinux
import Dispatch
import GStreamer
import LibC
import StreamingThread

enum ExitStatus {
  /// The output was written, without what could not be read of a damaged input.
  static let incomplete = ExitCode(2)

  /// The paragraph on exit codes in a command's help.
  static let help = """
    Exit codes: 0 success; 1 failure, explained by the last line; 64 invalid command line; 130 \
    interrupted by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP. Unless it is 0, no output was written.
    """

  /// The same for commands that read films.
  static let helpWithFilms = """
    Exit codes: 0 success; 1 failure, explained by the last line; 2 an input is damaged, and the output \
    contains only what could be read of it (0 with --allow-damaged); 64 invalid command line; 130 \
    interrupted by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP. Unless it is 0 or 2, no output was written.
    """
}

/// Runs what takes its time until it is done, or until the process is asked to stop.
///
/// - Throws: What `body` throws; `ExitCode` 130, 143 or 129 where a signal came.
///
/// Where it does not end within ten seconds of a signal, the process does.
func untilInterrupted<Result: Sendable>(
  on clock: any SteadyClock = ContinuousClock(),
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await body() }
  // The signal that came, and what ends the process where nothing else does.
  let caught = Lock<(number: Int32?, patience: [Task<Void, any Error>])>((nil, []))
  let signals = Signals { number in
    let patience = Task {
      try await Deadline(in: .seconds(10), on: clock).wait()
      complain("Interrupted. The command did not end by itself.")
      _exit(128 + number)
    }
    caught.withLock { caught in
      caught.number = number
      caught.patience.append(patience)
    }
    task.cancel()
  }
  defer {
    signals.stop()
    for patience in caught.withLock({ $0.patience }) { patience.cancel() }
  }
  do {
    return try await task.value
  } catch {
    if let number = caught.withLock({ $0.number }) { throw ExitCode(128 + number) }
    throw error
  }
}

/// Calls a handler when the program is asked to end.
struct Signals {
  private static let actions = Lock<[Int32: @Sendable () -> Void]>([:])
  /// Made once and kept: libdispatch does not notice that a signal is ignored again before it has released the source
  /// that was cancelled.
  private static let sources = Lock<[Int32: any DispatchSourceSignal]>([:])
  private static let queue = DispatchQueue(label: "slitscan-signals")
  /// Whether the terminal may go, as under nohup.
  private static let isHangupIgnored = linux_ignores_signal(SIGHUP) != 0

  /// - Parameters:
  ///   - pauses: What stops the program on control-Z, and what is to be done when it goes on; nil to
  ///     leave both to the system.
  ///   - end: Gets the number of the signal that asks for the end.
  init(
    pauses: (suspend: @Sendable () -> Void, resume: @Sendable () -> Void)? = nil,
    end: @escaping @Sendable (Int32) -> Void
  ) {
    for number in [SIGINT, SIGTERM] + (Self.isHangupIgnored ? [] : [SIGHUP]) {
      Self.listen(to: number) { end(number) }
    }
    if let pauses {
      Self.listen(to: SIGTSTP, pauses.suspend)
      Self.listen(to: SIGCONT, pauses.resume)
    }
    // Writing to a closed pipe or socket gives an error instead.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func listen(to number: Int32, _ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0[number] = action }
    sources.withLock { sources in
      guard sources[number] == nil else { return }
      // Until libdispatch listens, the signal ends the process: it is not lost.
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if let action = actions.withLock({ $0[number] }) { return action() }
        _ = signal(number, SIG_DFL)
        _ = kill(getpid(), number)
      }
      source.activate()
      sources[number] = source
    }
  }

  /// Lets signals end the program again.
  func stop() { Self.actions.withLock { $0 = [:] } }
}
