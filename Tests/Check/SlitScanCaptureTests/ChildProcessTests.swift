// Tests of child processes: what they print, and how they end.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct ChildProcessTests {
  private static func run(
    _ script: String, within limit: Duration = .seconds(100)
  ) async throws -> ChildProcess.End? {
    try await ChildProcess(["/bin/sh", "-c", script]).end(within: Deadline(in: limit))
  }

  @Test func whatItPrintsIsReadAsAWhole() async throws {
    let end = try #require(try await Self.run("seq 100000; cat; echo no >&2; exit 3"))
    let numbers = (1...100_000).map { "\($0)\n" }.joined()
    #expect(end.signal == 0)
    #expect(String(decoding: end.output, as: UTF8.self) == numbers)
  }

  @Test func aCrashIsTold() async throws {
    let end = try #require(try await Self.run("printf half; kill -SEGV $$"))
    #expect(end.signal == 11)
    #expect(end.output == Array("half".utf8))
  }

  @Test func oneThatDoesNotEndIsEnded() async throws {
    #expect(try await Self.run("exec sleep 1000", within: .milliseconds(20)) == nil)
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    let error = #expect(throws: GStreamerError.self) { _ = try ChildProcess(["/no/program"]) }
    #expect(error?.message.contains("/no/program") == true, "\(error?.message ?? "")")
  }
}
