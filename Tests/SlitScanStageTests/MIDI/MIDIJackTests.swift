// Tests with a JACK server without a sound card, and a device on it.

import Foundation
import GStreamer
import Testing

@testable import SlitScanStage

/// The programs of Debian's `jackd2`; the default server must be free.
private let canServe =
  ["jackd", "jack_lsp", "jack_midiseq"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  } && JackServer() == nil

/// Another program.
///
/// Clients of JACK in this process would go down with the server, and take it along.
private final class Program {
  private let process = Process()
  private let exits: AsyncStream<Never>

  init(_ name: String, _ arguments: String...) throws {
    let (exits, exit) = AsyncStream.makeStream(of: Never.self)
    self.exits = exits
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { _ in exit.finish() }
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Returns when it has ended, and how.
  @discardableResult func wait() async -> CInt {
    for await _ in exits {}
    return process.terminationStatus
  }

  /// Ends it; `jack_midiseq` would not go by itself.
  func end(by signal: CInt) async {
    kill(process.processIdentifier, signal)
    await wait()
  }
}

@Suite(.timeLimit(.minutes(10)), .enabled(if: canServe, "There is no jackd, or one runs already."))
struct MIDIJackTests {
  /// A server of our own; returns when it runs.
  private func serve() async throws -> Program {
    let server = try Program("jackd", "--no-realtime", "-d", "dummy")
    // A client that comes while the server begins may never get an answer.
    while try await Program("timeout", "-s", "KILL", "2", "jack_lsp").wait() != 0 {}
    return server
  }

  @Test func aDeviceIsHeardGoesAndComesBackAndSoDoesTheServer() async throws {
    let folder = try TemporaryFolder()
    let performance = await Performance(on: try InMemoryStage())
    let midi = MIDIInput(
      performance, sources: [.jack("box")], folder: folder.path,
      map: MIDIMap("note 60 = do toggle freeze\n"))
    var changes = performance.changes.makeAsyncIterator()
    let error = await #expect(throws: StageError.self) { try await midi.start() }
    #expect(error?.code == .inputFailed)
    await midi.stop()

    var server = try await serve()
    try await midi.start()
    // It is unplugged; then its server ends; then it is there to the end.
    for isUnplugged in [true, false, true] {
      // A note again and again.
      let device = try Program("jack_midiseq", "box", "24000", "0", "60", "12000")
      var heard: [Change] = []
      while heard.last != .property("freeze", .bool(true)), let change = await changes.next() {
        heard.append(change)
      }
      #expect(heard.contains(.notice("MIDI: box:out is connected.")))
      await isUnplugged ? device.end(by: SIGKILL) : server.end(by: SIGTERM)
      while let change = await changes.next(), change != .trouble("MIDI: box:out was disconnected.")
      {}
      try await performance.perform(.set("freeze", .bool(false)))
      guard !isUnplugged else { continue }
      await device.end(by: SIGKILL)
      server = try await serve()
    }
    await midi.stop()
    await server.end(by: SIGTERM)
  }
}
