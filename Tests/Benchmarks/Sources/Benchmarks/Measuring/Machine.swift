// A description of the machine that is measured.

import Foundation

/// The facts about the machine for a reader of the numbers.
struct Machine: Codable {
  /// The processor's name.
  var processor: String
  /// Logical processors that are on.
  var cores: Int
  /// Bytes of memory.
  var memoryBytes: Int

  /// This machine.
  static let current = Machine(
    processor: processorName, cores: ProcessInfo.processInfo.activeProcessorCount,
    memoryBytes: Int(clamping: ProcessInfo.processInfo.physicalMemory))

  /// In one line.
  var summary: String { "\(processor), \(cores) \(cores == 1 ? "core" : "cores")" }

  /// Refuses what takes more than half of the memory.
  ///
  /// - Throws: ``BenchmarkError``.
  static func check(byteCount: Int, for purpose: String) throws {
    guard byteCount > current.memoryBytes / 2 else { return }
    throw BenchmarkError(
      "The \(purpose) take \(byteCount / 1_000_000) MB, more than half of this machine's memory. "
        + "Ask for less.")
  }

  private static var processorName: String {
    let lines = TextFile.read("/proc/cpuinfo")?.split(separator: "\n") ?? []
    let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return name.map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init) ?? "unknown"
  }
}
