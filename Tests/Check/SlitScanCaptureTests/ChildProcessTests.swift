// Tests of child processes: what they print, and how they end.

import GStreamer
import Testing

@testable import SlitScanCapture

@Suite struct ChildProcessTests {
  /// Runs a script without a limit of time: the clock stands.
  private static func run(_ script: String) async throws -> ChildProcess.End? {
    let limit = Deadline(in: .seconds(10), on: ManualClock())
    return try await ChildProcess(["/bin/sh", "-c", script]).end(within: limit)
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
    let clock = ManualClock()
    let child = try ChildProcess(["/bin/sh", "-c", "exec sleep 1000"])
    async let end = child.end(within: Deadline(in: .seconds(10), on: clock))
    for _ in 0..<10 { await clock.crank() }
    #expect(await end == nil)
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    let error = #expect(throws: GStreamerError.self) { _ = try ChildProcess(["/no/program"]) }
    #expect(error?.message.contains("/no/program") == true, "\(error?.message ?? "")")
  }
}
