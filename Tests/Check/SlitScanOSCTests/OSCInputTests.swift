// Tests of the whole OSC input, with datagrams through the system.

import GStreamer
import SeededGenerator
import Testing

@testable import SlitScanOSC
@testable import SlitScanStage

@Suite struct OSCInputTests {
  /// The performance, the input and the client of one test.
  private struct Set {
    let performance: Performance
    let clock: ManualClock
    let input: OSCInput
    let port: UInt16
    let client: OSCClient
  }

  private func play(on stage: any Stage, _ body: (Set) async throws -> Void) async throws {
    let clock = ManualClock()
    let performance = await Performance(on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
    let input = OSCInput(performance, port: 0)
    try await input.start()
    let port = try #require(await input.boundPort)
    let set = Set(
      performance: performance, clock: clock, input: input, port: port,
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
      set.client.send("/slitscan/gain", 2.5)
      set.client.send("/slitscan/depth", whole: 60)
      set.client.send("/slitscan/map", "radial")
      set.client.send("/slitscan/freeze", .flag(true))
      set.client.send("/slitscan/mix/fade", 0.25)
      set.client.send("/slitscan/{offset,turns}/fade", 1)
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
      set.client.send("/slitscan/preset", "Time Warp Scan")
      set.client.send("/slitscan/tempo", 100)
      set.client.send("/slitscan/angle/drive", "sine 4 0 360")
      set.client.send("/slitscan/blackout", whole: 1)
      set.client.send("/slitscan/quantize", 4)
      try await set.client.settle()
      var state = await set.performance.state
      #expect(state.tempo.beatsPerMinute == 100)
      #expect(state.drives["angle"] == .wave(.sine, beats: 4, from: 0, to: 360))
      #expect(state.isBlack)
      #expect(state.quantize == 4)
      set.client.send("/slitscan/quantize", 0)
      set.client.send("/slitscan/angle/release")
      set.client.send("/slitscan/blackout")
      set.client.send("/slitscan/preset/next", 1)
      set.client.send("/slitscan/preset/next", 0)
      try await set.client.settle()
      state = await set.performance.state
      #expect(state.drives.isEmpty)
      #expect(!state.isBlack)
      #expect(state.preset == next)
      #expect(state.values["gain"] == .double(5))
      set.client.send("/slitscan/move", "set gain 7")
      set.client.send("/slitscan/undo")
      set.client.send("/slitscan/undo")
      set.client.send("/slitscan/redo")
      try await set.client.settle()
      #expect(await set.performance.state.preset == next)
      #expect(await set.performance.state.values["gain"] == .double(5))
    }
  }

  @Test func aPresetThatWasSavedHasAnAddressAndANumber() async throws {
    let stage = try InMemoryStage()
    let last = Int32(stage.presets.count)
    try await play(on: stage) { set in
      set.client.send("/slitscan/gain", 3)
      set.client.send("/slitscan/save", "From afar")
      try await set.client.settle()
      for (address, number) in [
        ("/slitscan/preset/From-afar", Int32(1)), ("/slitscan/preset", last + 1),
      ] {
        set.client.send("/slitscan/reset")
        set.client.send(address, whole: number)
        try await set.client.settle()
        #expect(await set.performance.state.preset == "From afar")
        #expect(await set.performance.state.values["gain"] == .double(3))
      }
    }
  }

  @Test func stillsAndRecordingsAreWrittenInTheirOrder() async throws {
    try await play { set in
      var changes = set.performance.changes.makeAsyncIterator()
      set.client.send("/slitscan/snapshot", "a.png")
      set.client.send("/slitscan/record", .whole(1), .text("a.mkv"))
      set.client.send("/slitscan/record", whole: 0)
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
      set.client.send(
        [("/slitscan/center-x", 0.25), ("/slitscan/center-y", 0.75), ("/slitscan/gain", 3)],
        at: .immediately)
      try await set.client.settle()
      let values = await set.performance.state.values
      #expect(values["center-x"] == .double(0.25))
      #expect(values["center-y"] == .double(0.75))
      #expect(values["gain"] == .double(3))
      set.client.send("/slitscan/undo")
      try await set.client.settle()
      #expect(await set.performance.state.values == defaults)
    }
  }

  /// Time tags are those of the calendar, so these are far enough from now for a process that is held up.
  @Test func aBundleWaitsForItsMoment() async throws {
    try await play { set in
      var changes = set.performance.changes.makeAsyncIterator()
      let (start, now) = (set.clock.now, OSCTimeTag.now)
      set.client.send([("/slitscan/gain", 4)], at: now.advanced(by: .seconds(3000)))
      set.client.send([("/slitscan/gain", 3)], at: now.advanced(by: .seconds(2000)))
      set.client.send([("/slitscan/gain", 2)], at: now.advanced(by: .seconds(-5)))
      try await set.client.settle()
      for (seconds, gain) in [(0, 2.0), (2000, 3), (3000, 4)] {
        // What is due later is not done before.
        set.clock.advance(to: start + .seconds(seconds))
        #expect(await changes.next() == .property("gain", .double(gain)))
        set.clock.advance(to: start + .seconds(seconds + 500))
        try await set.client.settle()
        #expect(await set.performance.state.values["gain"] == .double(gain))
      }
    }
  }

  @Test func ofABundleWithMistakesTheRestIsDone() async throws {
    try await play { set in
      var changes = set.performance.changes.makeAsyncIterator()
      set.client.send([("/slitscan/nothing", 0), ("/slitscan/mix", 0.5)], at: .immediately)
      var heard = [await changes.next(), await changes.next()].compactMap(\.self)
      let place = try #require(heard.firstIndex(of: .property("mix", .double(0.5))))
      heard.remove(at: place)
      guard case .warning = heard.first else {
        Issue.record("\(heard)")
        return
      }
    }
  }

  // MARK: Answers

  @Test func questionsAreAnswered() async throws {
    try await play { set in
      set.client.send("/slitscan/gain", 2.5)
      set.client.send("/slitscan/get", "gain")
      #expect(try await set.client.next() == "/slitscan/gain f:2.5")
      set.client.send("/slitscan/center-x")
      #expect(try await set.client.next() == "/slitscan/center-x f:0.5")
      set.client.send("/slitscan/freeze")
      #expect(try await set.client.next() == "/slitscan/freeze i:0")
      set.client.send("/slitscan/get")
      for parameter in set.performance.parameters.all {
        #expect(try await set.client.next().hasPrefix("/slitscan/\(parameter.name) "))
      }
      set.client.send("/slitscan/list")
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
      other.send("/slitscan/subscribe")
      // It begins with how everything is.
      #expect(try await other.next("/slitscan/gain/fade") == "/slitscan/gain/fade f:0.5625")
      #expect(try await other.next("/slitscan/tempo") == "/slitscan/tempo f:120.0")
      set.client.send("/slitscan/gain", 8)
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
        try await other.next("/slitscan/snapshot/written") == "/slitscan/snapshot/written s:a.png")
      set.performance.tell(.notice("The camera is back."))
      #expect(try await other.next("/slitscan/notice") == "/slitscan/notice s:The camera is back.")
      other.send("/slitscan/unsubscribe")
      try await other.settle()
      #expect(await set.input.subscriberCount == 0)
      try await set.performance.perform(.set("gain", .int(1)))
      other.send("/slitscan/get", "depth")
      #expect(try await other.next().hasPrefix("/slitscan/depth "))
    }
  }

  @Test func subscriptionsMayNameAnotherPort() async throws {
    try await play { set in
      let other = try OSCClient(to: set.port)
      set.client.send("/slitscan/subscribe", whole: Int32(other.port))
      #expect(try await other.next("/slitscan/gain") == "/slitscan/gain f:1.0")
    }
  }

  @Test func aClampedValueIsReportedAsItIs() async throws {
    try await play { set in
      let other = try OSCClient(to: set.port)
      for client in [set.client, other] {
        client.send("/slitscan/subscribe")
        #expect(try await client.next("/slitscan/gain") == "/slitscan/gain f:1.0")
      }
      set.client.send("/slitscan/gain", 1e6)
      // It is told at once to those that have not moved it.
      #expect(try await other.next("/slitscan/gain") == "/slitscan/gain f:10.0")
      set.clock.advance(by: OSCSubscribers.hold)
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
        client.send(path, "much")
        let change = await changes.next()
        guard case .warning(let sentence) = change else {
          Issue.record("\(path): \(String(describing: change))")
          continue
        }
        #expect(sentence.contains(text))
        await input.stop()
      }
      set.client.send("/slitscan/gain", 3)
      try await set.client.settle()
      #expect(await set.performance.state.values["gain"] == .double(3))
    }
  }

  @Test func noiseChangesNothingAboutPlaying() async throws {
    try await play { set in
      var random = SeededGenerator(for: "OSC, noise through the system")
      let socket = try OSCSocket(bind: "127.0.0.1", port: 0)
      let target = try #require(OSCEndpoint("127.0.0.1", port: set.port))
      _ = socket.send([], to: target)
      let longest = (0..<65_507).map { _ in UInt8.random(in: 0...255, using: &random) }
      for bytes in [longest, Array(repeating: 0, count: longest.count)] {
        _ = socket.send(bytes, to: target)
        try await set.client.settle()
      }
      _ = socket.send(Array("/slitscan/gain\0\0,f\0\0".utf8), to: target)
      for number in 0..<4000 {
        _ = socket.send(RandomDatagrams.datagram(&random), to: target)
        if number % 100 == 99 { try await set.client.settle() }
      }
      try await set.client.settle()
      #expect(await set.input.counts.malformed > 100)
      set.client.send("/slitscan/move", "quantize 0")
      set.client.send("/slitscan/gain", 3)
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
        for name in faders { set.client.send("/slitscan/\(name)/fade", Float(round) / 100) }
        try await set.client.settle()
      }
      let values = await set.performance.state.values
      for name in faders {
        #expect(values[name] == set.performance.parameters[name]?.value(at: 0.99), "\(name)")
      }
      let counts = await set.input.counts
      #expect(counts.dropped == 0)
      #expect(counts.mostWaiting <= 20)
    }
  }

  // MARK: The port

  @Test func aPortThatIsInUseIsAnErrorThatSaysWhatToDo() async throws {
    try await play { set in
      let second = OSCInput(set.performance, port: set.port)
      let error = await #expect(throws: StageError.self) { try await second.start() }
      #expect(error?.code == .inputFailed)
      #expect(error?.message.contains("\(set.port)") == true)
      #expect(error?.message.contains("another port") == true)
      #expect(await second.address == nil)
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
      let changes = performance.changes
      for _ in 0..<5 { _ = socket.send(OSCMessage("/slitscan/gain", .number(2)).bytes, to: far) }
      // Of datagrams from two ports, the later one may come first.
      if isOpen { for await _ in changes { break } }
      try await near.settle()
      #expect((await performance.state.values["gain"] == .double(2)) == isOpen, "\(host)")
      await input.stop()
    }
  }
}
