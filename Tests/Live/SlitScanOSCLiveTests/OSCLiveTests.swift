// Tests of the OSC input with programs of others, floods of datagrams, and a port that is opened again.

import AwaitedProgram
import Foundation
import GStreamer
import Testing

@testable import SlitScanOSC
@testable import SlitScanStage

@Suite(.timeLimit(.minutes(10))) struct OSCLiveTests {
  private let performance: Performance
  private let socket: OSCSocket

  init() async throws {
    performance = await Performance(on: try InMemoryStage())
    socket = try OSCSocket(bind: "127.0.0.1", port: 0)
  }

  private func play(_ body: (OSCInput, OSCEndpoint) async throws -> Void) async throws {
    let input = OSCInput(performance, port: 0)
    try await input.start()
    let port = try #require(await input.boundPort)
    do {
      try await body(input, try #require(OSCEndpoint("127.0.0.1", port: port)))
    } catch {
      await input.stop()
      throw error
    }
    await input.stop()
  }

  /// Live: how many of so many datagrams the system takes, and when, is not certain.
  @Test func ofFiftyThousandAtOnceTheLastCounts() async throws {
    try await play { input, target in
      let changes = performance.changes
      let send = { (path: String, value: Double) in
        _ = socket.send(OSCMessage(path, .number(value)).bytes, to: target)
      }
      _ = socket.send(OSCMessage("/slitscan/subscribe").bytes, to: target)
      for number in 0..<50_000 { send("/slitscan/mix", Double(number % 1000) / 1000) }
      for _ in 0..<50_000 { send("/slitscan/nothing", 1) }
      let last = Task {
        while !Task.isCancelled {
          send("/slitscan/mix", 0.0625)
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      defer { last.cancel() }
      for await change in changes where change == .property("mix", .double(0.0625)) { break }
      let counts = await input.counts
      #expect(counts.datagrams > 1000)
      #expect(counts.mostWaiting <= 20)
    }
  }

  /// Opens a port that was just given back.
  ///
  /// Live: a program that another test has just spawned holds all ports until it is a program of its own, and
  /// another program may take the port meanwhile.
  private func soon<Result>(_ open: () async throws -> Result) async throws -> Result {
    while true {
      if let result = try? await open() { return result }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func aPortThatIsInUseIsAnErrorThatSaysWhatToDo() async throws {
    try await play { input, target in
      let second = OSCInput(performance, port: target.port)
      await #expect(throws: StageError.self) { try await second.start() }
      // When the first is closed, it can be opened, any number of times.
      await input.stop()
      for _ in 0..<20 {
        try await soon { try await second.start() }
        #expect(await second.address == "127.0.0.1:\(target.port)")
        await second.stop()
      }
      await second.stop()
    }
  }

  @Test func anInputThatIsNeverStoppedReleasesItsPort() async throws {
    var input: OSCInput? = OSCInput(performance, port: 0)
    try await input?.start()
    let port = try #require(await input?.boundPort)
    input = nil
    let socket = try await soon { try OSCSocket(bind: "127.0.0.1", port: port) }
    #expect(socket.endpoint.port == port)
  }

  /// Live: programs of others do not say when they listen.
  @Test func programsOfOthersSendAndHear() async throws {
    try await play { _, target in
      let dump = Process()
      let output = Pipe()
      // A port that is free, for a program that cannot choose one.
      let free = try OSCSocket(bind: "127.0.0.1", port: 0).endpoint.port
      dump.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      dump.arguments = ["stdbuf", "-oL", "oscdump", "\(free)"]
      dump.standardOutput = output
      dump.standardError = FileHandle.nullDevice
      try dump.run()
      // It may have been given a signal mask in which SIGTERM is blocked.
      defer { kill(dump.processIdentifier, SIGKILL) }
      let asking = Task {
        let subscription = OSCMessage("/slitscan/subscribe", .whole(Int64(free))).bytes
        while !Task.isCancelled {
          _ = socket.send(subscription, to: target)
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      defer { asking.cancel() }
      let changes = performance.changes
      for arguments in [
        ["/slitscan/gain", "f", "2.5"], ["/slitscan/center-*/fade", "f", "0.25"],
        ["/slitscan/mode", "s", "sweep"], ["/slitscan/freeze", "T"],
      ] {
        let command = ["oscsend", "127.0.0.1", "\(target.port)"] + arguments
        #expect(try await AwaitedProgram(command).end().status == 0)
      }
      for await change in changes where change == .property("freeze", .bool(true)) { break }
      let values = await performance.state.values
      #expect(values["gain"] == .double(2.5))
      #expect(values["center-x"] == .double(-0.25))
      #expect(values["center-y"] == .double(-0.25))
      #expect(values["mode"] == .nick("sweep"))
      #expect(values["freeze"] == .bool(true))
      var wanted: [String] = [
        "/slitscan/center-y f -0.250000", "/slitscan/gain f 2.500000", "/slitscan/mode s \"sweep\"",
      ]
      let (pieces, pen) = AsyncStream.makeStream(of: Data.self)
      output.fileHandleForReading.readabilityHandler = { pen.yield($0.availableData) }
      defer { output.fileHandleForReading.readabilityHandler = nil }
      var rest = ""
      for await piece in pieces {
        var lines = (rest + String(decoding: piece, as: UTF8.self)).split(
          separator: "\n", omittingEmptySubsequences: false)
        rest = String(lines.popLast() ?? "")
        wanted.removeAll { end in lines.contains { $0.hasSuffix(end) } }
        if wanted.isEmpty || piece.isEmpty { break }
      }
      #expect(wanted.isEmpty)
    }
  }
}
