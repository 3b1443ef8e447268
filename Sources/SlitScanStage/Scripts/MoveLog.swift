// The move log writes the moves of a show to a file while it is played.

import Foundation
import Glibc

/// The moves of a performance as lines of a file, each written when it is done: a show that breaks off
/// is there until then.
public struct MoveLog: Sendable {
  private let file: FileHandle
  private let performed: AsyncStream<MoveScript.Entry>

  /// A file for the moves from now on.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public init(of performance: Performance, to path: String) throws(StageError) {
    // Whatever is there is written to, a pipe or a device too, and never replaced by a file.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw StageError(.badFile, "\(path) cannot be written: \(systemReason()).")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
