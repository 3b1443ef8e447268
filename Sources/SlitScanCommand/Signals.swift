// Signal handling: SIGINT and SIGTERM end or cancel a command, SIGTSTP and SIGCONT suspend and resume a show.

import ArgumentParser
import Dispatch
import LibC
import StreamingThread

/// The exit codes of a command.
enum ExitStatus {
  /// The output was written, without what could not be read of a damaged input.
  static let incomplete = ExitCode(2)

  /// The paragraph on exit codes in a command's help.
  static let help = """
    Exit codes: 0 success; 1 failure, explained by the last line; 64 invalid command line; 130 \
    interrupted by Ctrl-C, 143 by SIGTERM. Unless it is 0, no output was written.
    """

  /// The same for commands that read films.
  static let helpWithFilms = """
    Exit codes: 0 success; 1 failure, explained by the last line; 2 an input is damaged, and the output \
    contains only what could be read of it (0 with --allow-damaged); 64 invalid command line; 130 \
    interrupted by Ctrl-C, 143 by SIGTERM. Unless it is 0 or 2, no output was written.
    """
}

/// Runs what takes its time until it is done, or until the process is asked to stop.
///
/// - Throws: What `body` throws; `ExitCode` 130 or 143 where a signal came.
func untilInterrupted<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await body() }
  let caught = CaughtSignal()
  let watchers = [SIGINT, SIGTERM].map { number in
    // Or the process would end at once.
    _ = signal(number, SIG_IGN)
    let watcher = DispatchSource.makeSignalSource(signal: number, queue: .global())
    watcher.setEventHandler {
      caught.number = number
      task.cancel()
    }
    watcher.activate()
    return watcher
  }
  defer { for watcher in watchers { watcher.cancel() } }
  do {
    return try await task.value
  } catch {
    if let number = caught.number { throw ExitCode(128 + number) }
    throw error
  }
}

/// The signal that came.
private final class CaughtSignal: Sendable {
  private let value = Lock<Int32?>(nil)

  var number: Int32? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// Calls somebody when the program is asked to end.
struct Signals {
  private let numbers: [Int32]
  private let sources: [any DispatchSourceSignal]

  /// - Parameter pauses: What stops the program on control-Z, and what is to be done when it goes on; nil to
  ///   leave both to the system.
  init(
    pauses: (suspend: @Sendable () -> Void, resume: @Sendable () -> Void)? = nil,
    end: @escaping @Sendable () -> Void
  ) {
    var actions: [(number: Int32, action: @Sendable () -> Void)] = [SIGINT, SIGTERM, SIGHUP].map {
      (number: $0, action: end)
    }
    if let pauses {
      actions.append((number: SIGTSTP, action: pauses.suspend))
      actions.append((number: SIGCONT, action: pauses.resume))
    }
    numbers = actions.map(\.number)
    // Writing to a closed pipe or socket gives an error instead.
    _ = signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "slitscan-signals")
    sources = actions.map { number, action in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { action() }
      source.activate()
      return source
    }
  }

  /// Lets signals end the program again.
  func stop() {
    for source in sources { source.cancel() }
    for number in numbers { _ = signal(number, SIG_DFL) }
  }
}
