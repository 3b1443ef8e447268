// Tests of the whole OSC input, with datagrams through the system.

import AwaitedProgram
import Foundation
import GStreamer
import SeededGenerator
import Testing

@testable import SlitScanStage

@Suite(.timeLimit(.minutes(10))) struct OSCInputTests {
  /// The performance, the input and the client of one test.
  private struct Set {
    let performance: Performance
    let input: OSCInput
    let port: UInt16
    let client: OSCClient
  }

  private func play(
    on stage: any Stage, _ body: (Set) async throws -> Void
  ) async throws {
    let performance = await Performance(on: stage)
    let input = OSCInput(performance, port: 0)
    try await input.start()
    let port = try #require(await input.boundPort)
    let set = Set(
      performance: performance, input: input, port: port,
      client: try OSCClient(to: port))
    do {
      try await body(set)
    } catch {
      await input.stop()
      throw error
    }
    await input.stop()
  }

  private func play(_ body: (Set) async throws -> Void) async throws {
    try await play(on: try InMemoryStage(), body)
  }

  @Test func messagesAreMoves() async throws {
    try await play { set in
      await set.client.send("/slitscan/gain", 2.5)
      await set.client.send("/slitscan/depth", whole: 60)
      await set.client.send("/slitscan/map", "radial")
      await set.client.send("/slitscan/freeze", .flag(true))
      await set.client.send("/slitscan/mix/fade", 0.25)
      await set.client.send("/slitscan/{offset,turns}/fade", 1)
      try await set.client.settle()
      let values = await set.performance.state.values
      #expect(values["gain"] == .double(2.5))
      #expect(values["depth"] == .uint(60))
      #expect(values["map"] == .nick("radial"))
      #expect(values["freeze"] == .bool(true))
      #expect(values["mix"] == .double(0.25))
      #expect(values["offset"] == .double(1))
      #expect(values["turns"] == .double(8))
    }
  }

  @Test func everythingThatCanBeDoneCanBeSent() async throws {
    let stage = try InMemoryStage()
    // A parameter that was moved by hand is no preset, after which the first one comes.
    let next = stage.presets[0]
    await stage.save(PresetContent(values: ["gain": .double(5)], drives: nil), as: next)
    try await play(on: stage) { set in
      await set.client.send("/slitscan/preset", "Time Warp Scan")
      await set.client.send("/slitscan/tempo", 100)
      await set.client.send("/slitscan/angle/drive", "sine 4 0 360")
      await set.client.send("/slitscan/blackout", whole: 1)
      await set.client.send("/slitscan/quantize", 4)
      try await set.client.settle()
      var state = await set.performance.state
      #expect(state.tempo.beatsPerMinute == 100)
      #expect(state.drives["angle"] == .wave(.sine, beats: 4, from: 0, to: 360))
      #expect(state.isBlack)
      #expect(state.quantize == 4)
      await set.client.send("/slitscan/quantize", 0)
      await set.client.send("/slitscan/angle/release")
      await set.client.send("/slitscan/blackout")
      await set.client.send("/slitscan/preset/next", 1)
      await set.client.send("/slitscan/preset/next", 0)
      try await set.client.settle()
      state = await set.performance.state
      #expect(state.drives.isEmpty)
      #expect(!state.isBlack)
      #expect(state.preset == next)
      #expect(state.values["gain"] == .double(5))
      await set.client.send("/slitscan/move", "set gain 7")
      await set.client.send("/slitscan/undo")
      await set.client.send("/slitscan/undo")
      await set.client.send("/slitscan/redo")
      try await set.client.settle()
      #expect(await set.performance.state.preset == next)
      #expect(await set.performance.state.values["gain"] == .double(5))
    }
  }

  @Test func aPresetThatWasSavedHasAnAddressAndANumber() async throws {
    let stage = try InMemoryStage()
    let last = Int32(stage.presets.count)
    try await play(on: stage) { set in
      await set.client.send("/slitscan/gain", 3)
      await set.client.send("/slitscan/save", "From afar")
      try await set.client.settle()
      for (address, number) in [
        ("/slitscan/preset/From-afar", Int32(1)), ("/slitscan/preset", last + 1),
      ] {
        await set.client.send("/slitscan/reset")
        await set.client.send(address, whole: number)
        try await set.client.settle()
        #expect(await set.performance.state.preset == "From afar")
        #expect(await set.performance.state.values["gain"] == .double(3))
      }
    }
  }

  @Test func stillsAndRecordingsAreWrittenInTheirOrder() async throws {
    try await play { set in
      var changes = set.performance.changes.makeAsyncIterator()
      await set.client.send("/slitscan/snapshot", "a.png")
      await set.client.send("/slitscan/record", .whole(1), .text("a.mkv"))
      await set.client.send("/slitscan/record", whole: 0)
      var heard: [Change] = []
      for _ in 0..<4 { if let change = await changes.next() { heard.append(change) } }
      #expect(
        heard == [
          .snapshot("a.png"), .recording("a.mkv"), .recording(nil), .recorded("a.mkv"),
        ])
    }
  }

  // MARK: Bundles

  @Test func aBundleIsOneChange() async throws {
    try await play { set in
      let defaults = await set.performance.state.values
      await set.client.send(
        [("/slitscan/center-x", 0.25), ("/slitscan/center-y", 0.75), ("/slitscan/gain", 3)],
        at: .immediately)
      try await set.client.settle()
      let values = await set.performance.state.values
      #expect(values["center-x"] == .double(0.25))
      #expect(values["center-y"] == .double(0.75))
      #expect(values["gain"] == .double(3))
      await set.client.send("/slitscan/undo")
      try await set.client.settle()
      #expect(await set.performance.state.values == defaults)
    }
  }

  @Test func aBundleWaitsForItsMoment() async throws {
    var delay = Duration.milliseconds(300)
    var isInTime = false
    // On a machine that is so busy that the moment has passed when the bundle comes, there is no waiting
    // to be seen.
    while !isInTime {
      try await play { set in
        var changes = set.performance.changes.makeAsyncIterator()
        let now = OSCTimeTag.now
        await set.client.send([("/slitscan/gain", 4)], at: now.advanced(by: delay * 2))
        await set.client.send([("/slitscan/gain", 3)], at: now.advanced(by: delay))
        await set.client.send([("/slitscan/gain", 2)], at: now.advanced(by: .seconds(-5)))
        try await set.client.settle()
        isInTime = OSCTimeTag.now.since(now) < delay
        delay *= 2
        guard isInTime else { return }
        for value in [2.0, 3, 4] {
          #expect(await changes.next() == .property("gain", .double(value)))
        }
        #expect(OSCTimeTag.now.since(now) >= delay)
      }
    }
  }

  @Test func ofABundleWithMistakesTheRestIsDone() async throws {
    try await play { set in
      var changes = set.performance.changes.makeAsyncIterator()
      await set.client.send(
        [("/slitscan/nothing", 0), ("/slitscan/mix", 0.5)],
        at: .immediately)
      var heard = [await changes.next(), await changes.next()].compactMap(\.self)
      let place = try #require(heard.firstIndex(of: .property("mix", .double(0.5))))
      heard.remove(at: place)
      guard case .trouble = heard.first else {
        Issue.record("\(heard)")
        return
      }
    }
  }

  // MARK: Answers

  @Test func questionsAreAnswered() async throws {
    try await play { set in
      await set.client.send("/slitscan/gain", 2.5)
      await set.client.send("/slitscan/get", "gain")
      #expect(try await set.client.next() == "/slitscan/gain f:2.5")
      await set.client.send("/slitscan/center-x")
      #expect(try await set.client.next() == "/slitscan/center-x f:0.5")
      await set.client.send("/slitscan/freeze")
      #expect(try await set.client.next() == "/slitscan/freeze i:0")
      await set.client.send("/slitscan/get")
      for parameter in set.performance.parameters.all {
        #expect(try await set.client.next().hasPrefix("/slitscan/\(parameter.name) "))
      }
      await set.client.send("/slitscan/list")
      for parameter in set.performance.parameters.all {
        let line = try await set.client.next()
        #expect(line.hasPrefix("/slitscan/list s:\(parameter.name) s:\(parameter.description)"))
        #expect(line.contains(" f:") == (parameter.reach != nil))
      }
    }
  }

  @Test func subscribersFollowEverybody() async throws {
    try await play { set in
      let other = try OSCClient(to: set.port)
      await other.send("/slitscan/subscribe")
      // It begins with how everything is.
      #expect(try await other.next("/slitscan/gain/fade") == "/slitscan/gain/fade f:0.5625")
      #expect(try await other.next("/slitscan/tempo") == "/slitscan/tempo f:120.0")
      await set.client.send("/slitscan/gain", 8)
      #expect(try await other.next("/slitscan/gain") == "/slitscan/gain f:8.0")
      #expect(try await other.next("/slitscan/gain/fade") == "/slitscan/gain/fade f:1.0")
      try await set.performance.perform(.set("mode", .string("sweep")))
      #expect(try await other.next("/slitscan/mode") == "/slitscan/mode s:sweep")
      try await set.performance.perform(.drive("angle", .ramp(beats: 1000, to: 90)))
      #expect(
        try await other.next("/slitscan/angle/drive")
          == "/slitscan/angle/drive s:ramp f:1000.0 f:90.0")
      try await set.performance.perform(.release("angle"))
      #expect(try await other.next("/slitscan/angle/release") == "/slitscan/angle/release")
      try await set.performance.perform(.snapshot("a.png"))
      #expect(
        try await other.next("/slitscan/snapshot/written")
          == "/slitscan/snapshot/written s:a.png")
      set.performance.tell(.notice("The camera is back."))
      #expect(
        try await other.next("/slitscan/notice") == "/slitscan/notice s:The camera is back.")
      await other.send("/slitscan/unsubscribe")
      try await other.settle()
      #expect(await set.input.subscriberCount == 0)
      try await set.performance.perform(.set("gain", .int(1)))
      await other.send("/slitscan/get", "depth")
      #expect(try await other.next().hasPrefix("/slitscan/depth "))
    }
  }

  @Test func subscriptionsMayNameAnotherPort() async throws {
    try await play { set in
      let other = try OSCClient(to: set.port)
      await set.client.send("/slitscan/subscribe", whole: Int32(other.port))
      #expect(try await other.next("/slitscan/gain") == "/slitscan/gain f:1.0")
    }
  }

  @Test func aClampedValueIsReportedAsItIs() async throws {
    try await play { set in
      await set.client.send("/slitscan/subscribe")
      try await set.client.settle()
      try await set.client.settle()
      await set.client.send("/slitscan/gain", 1e6)
      #expect(try await set.client.next("/slitscan/gain") == "/slitscan/gain f:10.0")
    }
  }

  // MARK: Bad input

  @Test func nonsenseIsReportedAndTheShowGoesOn() async throws {
    try await play { set in
      for (path, text) in [
        ("/slitscan/nothing", "/slitscan/nothing"), ("/slitscan/gain", "gain"),
        ("/slitscan/preset", "much"),
      ] {
        // Sentences are far apart, so each has an input of its own.
        let input = OSCInput(set.performance, port: 0)
        try await input.start()
        let client = try OSCClient(to: try #require(await input.boundPort))
        var changes = set.performance.changes.makeAsyncIterator()
        await client.send(path, "much")
        let change = await changes.next()
        guard case .trouble(let sentence) = change else {
          Issue.record("\(path): \(String(describing: change))")
          continue
        }
        #expect(sentence.contains(text))
        await input.stop()
      }
      await set.client.send("/slitscan/gain", 3)
      try await set.client.settle()
      #expect(await set.performance.state.values["gain"] == .double(3))
    }
  }

  @Test func noiseChangesNothingAboutPlaying() async throws {
    try await play { set in
      let seed = UInt64.random(in: 0...UInt64.max)
      print("OSC, noise through the system: seed \(seed)")
      var random = SeededGenerator(seed: seed)
      let socket = try OSCSocket(bind: "127.0.0.1", port: 0)
      let target = try #require(OSCEndpoint("127.0.0.1", port: set.port))
      _ = socket.send([], to: target)
      _ = socket.send(
        (0..<65_507).map { _ in UInt8.random(in: 0...255, using: &random) }, to: target)
      _ = socket.send(Array(repeating: 0, count: 65_507), to: target)
      _ = socket.send(Array("/slitscan/gain\0\0,f\0\0".utf8), to: target)
      for number in 0..<4000 {
        _ = socket.send(Noise.datagram(&random), to: target)
        if number % 100 == 99 { try await set.client.settle() }
      }
      try await set.client.settle()
      #expect(await set.input.counts.malformed > 100)
      await set.client.send("/slitscan/move", "quantize 0")
      await set.client.send("/slitscan/gain", 3)
      try await set.client.settle()
      #expect(await set.performance.state.values["gain"] == .double(3))
    }
  }

  @Test func manyFadersAtOnceAllArrive() async throws {
    try await play { set in
      let names = set.performance.parameters.all.filter { $0.property.kind == .number(0...1) }
        .map(\.name).prefix(10)
      let others = set.performance.parameters.all.filter {
        $0.reach != nil && !names.contains($0.name)
      }
      .map(\.name).prefix(10 - names.count)
      let faders = Array(names) + Array(others)
      #expect(faders.count == 10)
      for round in 0..<100 {
        for name in faders { await set.client.send("/slitscan/\(name)/fade", Float(round) / 100) }
        try await Task.sleep(for: .milliseconds(10))
      }
      let places = faders.map { set.performance.parameters[$0]?.value(at: 0.99) }
      // Of the last, the system may have lost some.
      var isThere = false
      while !isThere {
        for name in faders { await set.client.send("/slitscan/\(name)/fade", 0.99) }
        try await set.client.settle()
        let values = await set.performance.state.values
        isThere = faders.map { values[$0] } == places
      }
      let counts = await set.input.counts
      #expect(counts.dropped == 0)
      #expect(counts.mostWaiting <= 20)
    }
  }

  @Test func ofFiftyThousandAtOnceTheLastCounts() async throws {
    try await play { set in
      await set.client.send("/slitscan/subscribe")
      for number in 0..<50_000 {
        await set.client.send("/slitscan/mix", Float(number % 1000) / 1000)
      }
      for _ in 0..<50_000 { await set.client.send("/slitscan/nothing", 1) }
      var isThere = false
      while !isThere {
        await set.client.send("/slitscan/mix", 0.125)
        try await set.client.settle()
        isThere = await set.performance.state.values["mix"] == .double(0.125)
      }
      let counts = await set.input.counts
      #expect(counts.datagrams > 1000)
      #expect(counts.mostWaiting <= 20)
    }
  }

  // MARK: The port

  /// Starts; what another test has just spawned holds all ports for a moment, until it is a program of
  /// its own.
  private func startSoon(_ input: OSCInput) async throws {
    while (try? await input.start()) == nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func aPortThatIsInUseIsAnErrorThatSaysWhatToDo() async throws {
    try await play { set in
      let second = OSCInput(set.performance, port: set.port)
      let error = await #expect(throws: StageError.self) { try await second.start() }
      #expect(error?.code == .inputFailed)
      #expect(error?.message.contains("\(set.port)") == true)
      #expect(error?.message.contains("another port") == true)
      #expect(await second.address == nil)
      // When the first is closed, it can be opened; as often as anybody likes.
      await set.input.stop()
      for _ in 0..<20 {
        try await startSoon(second)
        #expect(await second.address == "127.0.0.1:\(set.port)")
        await second.stop()
      }
      await second.stop()
    }
  }

  @Test(arguments: ["example.org", "", "8.8.8.8", "not an address"])
  func anAddressThatIsNotHereIsAnError(host: String) async throws {
    let performance = await Performance(on: try InMemoryStage())
    let input = OSCInput(performance, port: 0, bind: host)
    let error = await #expect(throws: StageError.self) { try await input.start() }
    #expect(error?.code == .inputFailed)
    #expect(error?.message.contains("127.0.0.1") == true)
  }

  @Test func otherAddressesOfTheMachineAreOnlyOpenWhereTheyAreAsked() async throws {
    let performance = await Performance(on: try InMemoryStage())
    // 127.0.0.2 is this machine by another address, as one in the network would be.
    for (host, isOpen) in [("127.0.0.1", false), ("0.0.0.0", true), ("::", true)] {
      let input = OSCInput(performance, port: 0, bind: host)
      do { try await input.start() } catch {
        // Not every machine has IPv6.
        #expect(host == "::")
        continue
      }
      let port = try #require(await input.boundPort)
      let near = try OSCClient(to: port)
      let socket = try OSCSocket(bind: "127.0.0.2", port: 0)
      let far = try #require(OSCEndpoint("127.0.0.2", port: port))
      try await performance.perform(.set("gain", .int(1)))
      for _ in 0..<5 { _ = socket.send(OSCMessage("/slitscan/gain", .number(2)).bytes, to: far) }
      // Of datagrams from two ports, the later one may come first.
      while isOpen, await performance.state.values["gain"] != .double(2) {
        try await Task.sleep(for: .milliseconds(5))
      }
      try await near.settle()
      #expect((await performance.state.values["gain"] == .double(2)) == isOpen, "\(host)")
      await input.stop()
    }
  }

  @Test func anInputThatIsNeverStoppedReleasesItsPort() async throws {
    let performance = await Performance(on: try InMemoryStage())
    var input: OSCInput? = OSCInput(performance, port: 0)
    try await input?.start()
    let port = try #require(await input?.boundPort)
    weak let gone = input
    input = nil
    while gone != nil { try await Task.sleep(for: .milliseconds(5)) }
    while true {
      if let socket = try? OSCSocket(bind: "127.0.0.1", port: port) {
        #expect(socket.endpoint.port == port)
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  // MARK: Other programs

  private func run(_ command: String...) async throws {
    #expect(try await AwaitedProgram(command).end().status == 0)
  }

  @Test func programsOfOthersSendAndHear() async throws {
    try await play { set in
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
        // It does not say when it listens.
        while !Task.isCancelled {
          await set.client.send("/slitscan/subscribe", whole: Int32(free))
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      defer { asking.cancel() }
      try await run("oscsend", "127.0.0.1", "\(set.port)", "/slitscan/gain", "f", "2.5")
      try await run("oscsend", "127.0.0.1", "\(set.port)", "/slitscan/center-*/fade", "f", "0.25")
      try await run("oscsend", "127.0.0.1", "\(set.port)", "/slitscan/mode", "s", "sweep")
      try await run("oscsend", "127.0.0.1", "\(set.port)", "/slitscan/freeze", "T")
      try await set.client.settle()
      let values = await set.performance.state.values
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
