// Programs that are awaited.

import Foundation

/// Threads of their own for those who wait for programs: waiting blocks them, and Swift has no more
/// threads than there are processors.
private let waiting = {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
  return queue
}()

extension Process {
  /// Runs, and returns when the program has ended; waits while too many others run.
  ///
  /// - Parameter output: Where the program writes.
  /// - Returns: All that it has written.
  package func runToEnd(writing output: Pipe) async throws -> Data {
    try await withCheckedThrowingContinuation { end in
      waiting.addOperation {
        end.resume(
          with: Result {
            try self.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            self.waitUntilExit()
            return data
          })
      }
    }
  }
}
