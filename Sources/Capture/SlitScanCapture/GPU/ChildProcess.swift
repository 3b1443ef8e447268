// A child process runs a program and reads what that prints.

import CGStreamer
import GStreamer
import LibC

/// A program that runs, without input; what it prints as errors is dropped.
struct ChildProcess: Sendable {
  /// The end of a process.
  struct End: Sendable {
    /// The signal that has ended it; 0 for none.
    let signal: CInt
    let output: [UInt8]
  }

  private let identifier: GPid
  private let ends: AsyncStream<End>

  /// Starts a program.
  ///
  /// - Parameter command: Its path and its arguments.
  /// - Throws: Why it does not start.
  init(_ command: [String]) throws(GStreamerError) {
    var words = unsafe command.map { unsafe g_strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe g_free($0) } }
    var (identifier, output, error) = unsafe (GPid(0), CInt(-1), UnsafeMutablePointer<GError>?.none)
    let flags = GSpawnFlags(
      G_SPAWN_DO_NOT_REAP_CHILD.rawValue | G_SPAWN_STDERR_TO_DEV_NULL.rawValue)
    guard
      unsafe g_spawn_async_with_pipes(
        nil, &words, nil, flags, nil, nil, &identifier, nil, &output, nil, &error) != 0
    else { throw unsafe GStreamerError.taking(error, source: nil, debug: nil) }
    self.identifier = identifier
    let (ends, ending) = AsyncStream.makeStream(of: End.self)
    self.ends = ends
    startThread("child") { [identifier, output] in
      ending.yield(Self.wait(for: identifier, output))
      ending.finish()
    }
  }

  /// Waits until it ends; one that does not in time is ended.
  ///
  /// - Returns: Nil where it was ended.
  func end(within deadline: Deadline) async -> End? {
    let end = Shared<End?>(nil)
    await deadline.wait { for await next in ends { end.value = next } }
    if end.value == nil { kill(identifier, SIGKILL) }
    return end.value
  }

  private static func wait(for identifier: GPid, _ output: CInt) -> End {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(output, &block, block.count)
      if count > 0 { bytes += block.prefix(count) } else if count == 0 || errno != EINTR { break }
    }
    close(output)
    var status: CInt = 0
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    // WTERMSIG is a macro.
    return End(signal: status & 0x7f, output: bytes)
  }
}
