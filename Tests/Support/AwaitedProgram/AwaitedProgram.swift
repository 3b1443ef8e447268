// Runs a program and waits for its end.

import CGStreamer
import Foundation

/// A program, to be run until it ends.
///
/// It reads nothing. What it writes to its standard output goes to a file, not through a pipe, which others
/// whom it has started could hold open.
package struct AwaitedProgram: Sendable {
  /// Its name, to be found in PATH, and its arguments.
  package var command: [String]
  /// Where it runs; nil where this process does.
  package var folder: String?
  /// Variables that it gets besides those there are.
  package var environment: [String: String]
  /// Whether what it writes to its standard error is part of its output; else it is lost.
  package var keepsErrors: Bool

  package init(
    _ command: [String], in folder: String? = nil, environment: [String: String] = [:],
    keepsErrors: Bool = false
  ) {
    self.command = command
    self.folder = folder
    self.environment = environment
    self.keepsErrors = keepsErrors
  }

  /// The result of a program.
  package struct End: Sendable {
    /// Its exit status, or the signal that ended it.
    package var status: Int32
    /// Its standard output.
    package var output: Data
  }

  /// It could not be run, or has failed.
  package struct LaunchFailure: Error { package var reason: String }

  /// Threads of their own for waiting, which blocks them: Swift has no more threads than there are
  /// processors.
  private static let waiting = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    return queue
  }()

  /// Returns when the program has ended; waits while too many others run.
  package func end() async throws -> End {
    try await withCheckedThrowingContinuation { end in
      Self.waiting.addOperation { end.resume(with: Result { try self.run() }) }
    }
  }

  /// Runs a line of shell, which has to succeed, and blocks the thread until its end.
  ///
  /// - Returns: What it wrote to its standard output.
  @discardableResult
  package static func shell(_ line: String, in folder: String? = nil) throws -> [UInt8] {
    let end = try AwaitedProgram(["sh", "-c", line], in: folder).run()
    guard end.status == 0 else { throw LaunchFailure(reason: "\(line) ended with \(end.status).") }
    return Array(end.output)
  }

  /// Returns when the program has ended, and blocks the thread until then.
  package func run() throws -> End {
    guard let file = unsafe tmpfile() else {
      throw LaunchFailure(reason: "There is no temporary file.")
    }
    defer { unsafe fclose(file) }
    let output = FileHandle(fileDescriptor: unsafe fileno(file), closeOnDealloc: false)
    let pid = try start(writing: output.fileDescriptor)
    var status: CInt = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    try output.seek(toOffset: 0)
    // As WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros.
    let signal = status & 0x7f
    return End(
      status: signal == 0 ? status >> 8 & 0xff : signal,
      output: try output.readToEnd() ?? Data())
  }

  private func start(writing output: CInt) throws(LaunchFailure) -> GPid {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var pid: GPid = 0
    // Threads that wait may block signals; a program would not hear them either.
    var none = sigset_t()
    var blocked = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
    let error = unsafe Self.withStrings(command) { arguments in
      unsafe Self.withStrings(variables.map { "\($0)=\($1)" }) { assignments in
        var error: UnsafeMutablePointer<GError>?
        unsafe g_spawn_async_with_fds(
          folder, arguments, assignments,
          GSpawnFlags(
            G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue
              | (keepsErrors ? 0 : G_SPAWN_STDERR_TO_DEV_NULL.rawValue)),
          nil, nil, &pid, -1, output, keepsErrors ? output : -1, &error)
        return unsafe error
      }
    }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    if let error = unsafe error {
      defer { unsafe g_error_free(error) }
      throw LaunchFailure(reason: unsafe String(cString: error.pointee.message))
    }
    return pid
  }

  /// Gives `body` strings as C wants them: with NULL after the last.
  private static func withStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe g_strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe g_free($0) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { list in
      // There is one at least.
      unsafe body(list.baseAddress.unsafelyUnwrapped)
    }
  }
}
