// Tests with a JACK server without a sound card, and a device on it.
//
// Live: they run programs of others, and it is not certain when those are ready, nor that no server runs.

import Foundation
import GStreamer
import Testing

@testable import SlitScanMIDI
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

  /// - Parameter output: Where what it says goes; nil for nowhere.
  init(_ name: String, _ arguments: String..., output: FileHandle? = nil) throws {
    let (exits, exit) = AsyncStream.makeStream(of: Never.self)
    self.exits = exits
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
    process.arguments = arguments
    process.standardOutput = output ?? FileHandle.nullDevice
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

@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: canServe, "There is no jackd, or one runs already."))
struct MIDIJackTests {
  /// A server of our own; returns when it runs.
  private func serve() async throws -> Program {
    let server = try Program("jackd", "--no-realtime", "-d", "dummy")
    // A client that comes while the server begins may never get an answer.
    while try await Program("timeout", "-s", "KILL", "2", "jack_lsp").wait() != 0 {}
    return server
  }

  @Test func aDeviceIsHeardGoesAndComesBackAndSoDoesTheServer() async throws {
    let performance = await Performance(on: try InMemoryStage())
    let midi = MIDIInput(
      performance, sources: [.jack("box")], folder: "/nowhere",
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
      while let change = await changes.next(), change != .warning("MIDI: box:out was disconnected.")
      {}
      try await performance.perform(.set("freeze", .bool(false)))
      guard !isUnplugged else { continue }
      await device.end(by: SIGKILL)
      server = try await serve()
    }
    await midi.stop()
    await server.end(by: SIGTERM)
  }

  @Test func aDeviceShowsWhatIsSoAndSoDoesTheNextOne() async throws {
    let folder = URL.temporaryDirectory.appending(path: "slitscan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let performance = await Performance(on: try InMemoryStage())
    let midi = MIDIInput(
      performance, sources: [.jack("box")], folder: folder.path,
      map: MIDIMap("channel 1 cc 7 = fader mix\nchannel 1 note 36 = do toggle freeze\n"))
    let server = try await serve()
    var changes = performance.changes.makeAsyncIterator()
    try await midi.start()
    for number in 1...2 {
      // The two ports of a device, as JACK's bridge to ALSA names them.
      let path = folder.path + "/told-\(number)"
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
      let told = try #require(FileHandle(forWritingAtPath: path))
      let monitor = try Program("stdbuf", "-oL", "jack_midi_dump", "box_playback", output: told)
      let device = try Program("jack_midiseq", "box_capture", "480000", "0", "100", "1000")
      func isTold(_ bytes: String) throws -> Bool {
        try String(contentsOfFile: path, encoding: .utf8).contains(bytes)
      }
      func wait(for bytes: String) async throws {
        while try !isTold(bytes) { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await wait(for: "b0 07 7f")
      try await performance.perform(Move("set mix 0 freeze on"))
      try await wait(for: "b0 07 00")
      try await wait(for: "90 24 7f")
      try await performance.perform(Move("set mix 1 freeze off"))
      try await wait(for: "90 24 00")
      await device.end(by: SIGKILL)
      await monitor.end(by: SIGKILL)
      // One that is back before it was missed is taken for the same.
      while let change = await changes.next(),
        change != .warning("MIDI: box_capture:out was disconnected.")
      {}
    }
    // Neither a server that is gone nor one that hangs holds up the end of the show.
    await server.end(by: SIGTERM)
    for index in 0..<50 { try await performance.perform(.fade("mix", Double(index % 2))) }
    await midi.stop()
  }
}
