// Tests/CaptureProgram, which lies beside the tests.

import AwaitedProcess
import Foundation

enum CaptureProgram {
  static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "CaptureProgram").path

  /// The lines that a command prints.
  static func run(
    _ command: [String], _ environment: [String: String] = [:]
  ) async throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let data = try await process.runToEnd(writing: output)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
