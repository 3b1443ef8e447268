// Writes a show down while it is played.

import Foundation

/// The moves of a performance as lines of a file, each written when it is done: a show that breaks off
/// is there until then.
public struct MoveLog: Sendable {
  private let file: FileHandle
  private let performed: AsyncStream<MoveScript.Entry>

  /// A file for the moves from now on.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public init(of performance: Performance, to path: String) throws(StageError) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw StageError(.badFile, "\(path) cannot be written.") }
    self.file = file
    performed = performance.performed
  }

  /// Writes, until the performance is over or the task cancelled.
  ///
  /// - Throws: ``StageError/Code/badFile`` where the disk is full.
  public func run() async throws(StageError) {
    for await entry in performed {
      do {
        try file.write(contentsOf: Data((entry.line + "\n").utf8))
      } catch {
        throw StageError(.badFile, "The moves cannot be written: \(error.localizedDescription)")
      }
    }
  }
}
