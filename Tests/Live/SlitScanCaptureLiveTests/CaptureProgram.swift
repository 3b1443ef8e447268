// Runs Tests/Support/CaptureProgram, which is built beside the tests.

import AwaitedProgram
import Foundation

enum CaptureProgram {
  static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "CaptureProgram").path

  /// The lines that a command prints.
  static func run(
    _ command: [String], _ environment: [String: String] = [:]
  ) async throws -> [String] {
    let data = try await AwaitedProgram(command, environment: environment).end().output
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
