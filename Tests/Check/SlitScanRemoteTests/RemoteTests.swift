// Tests of phones that control a performance on an in-memory stage.

import Foundation
import GStreamer
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

/// A performance with a remote, for which time passes only where a test says so; it ends with its last reference.
struct Show {
  let performance: Performance
  let stage: InMemoryStage
  let clock = ManualClock()
  let remote: Remote
  let address: Remote.Address
  var port: UInt16 { address.port }

  /// Limits of news and frames that come as soon as they can.
  static var quick: Limits {
    var limits = Limits()
    limits.pace = .zero
    limits.frames = .zero
    return limits
  }

  init(
    _ limits: Limits = quick, feed: PreviewFeed? = nil, bind: String = "127.0.0.1",
    sources: [String] = [], maps: MapFolder? = nil
  ) async throws {
    stage = try InMemoryStage(sources: sources)
    performance = await Performance(on: stage, folder: "/nowhere", maps: maps)
    remote = Remote(performance, feed: feed, bind: bind, port: 0, limits, clock: clock)
    address = try await remote.start()
  }

  /// Has time pass whenever something waits for it, for no longer than a duration, while `body` runs.
  func letTimePass<Result>(
    in longest: Duration = .seconds(1_000_000), _ body: () async throws -> Result
  ) async rethrows -> Result {
    let passing = Task { [clock] in
      while !Task.isCancelled {
        let end = clock.now + longest
        await clock.sleepers { $0.contains { $0 <= end } }
        if let next = clock.deadlines.first, next <= end, !Task.isCancelled {
          clock.advance(to: next)
        }
      }
    }
    defer { passing.cancel() }
    return try await body()
  }
}

@Suite(.serialized) struct RemoteTests {
  private let show: Show

  init() async throws { show = try await Show() }

  @Test func allPhonesShowTheMovesOfEach() async throws {
    let (first, second) = (try await Phone(to: show.port), try await Phone(to: show.port))
    try await first.say("set depth 60")
    try await first.wait { $0.number("depth") == 60 }
    try await second.wait { $0.number("depth") == 60 }
    try await second.say("fade mix 0.25")
    try await first.wait { $0.number("mix") == 0.25 }
    #expect(await show.stage.log == ["depth=60", "mix=0.25"])
    // By another input.
    try await show.performance.perform(.set("map", .string("spiral")))
    for phone in [first, second] { try await phone.wait { $0.value("map") as? String == "spiral" } }
    try await first.say("blackout on")
    try await second.wait { $0.state["black"] as? Bool == true }
    try await first.say("record on")
    try await second.wait { $0.state["recording"] is [String: Any] }
    let path = try #require(await show.performance.state.recording)
    await show.performance.loseFrames(12, in: path)
    try await second.wait { $0.state["lost"] as? Double == 12 }
    try await second.say("record off")
    try await first.wait { $0.state["recording"] is NSNull && $0.state["lost"] as? Double == 0 }
    try await first.wait { $0.notes.contains { $0.hasPrefix("Recorded slitscan-") } }
    #expect(!first.notes.contains { $0.contains("/nowhere") })
    // A client that connects later gets the full state.
    let third = try await Phone(to: show.port)
    #expect(third.number("mix") == first.number("mix"))
    #expect(third.value("map") as? String == "spiral")
    #expect(third.state["black"] as? Bool == true)
    #expect(await show.remote.clientCount == 3)
  }

  @Test func aPhoneGetsEveryParameterButThoseOfTheMachine() async throws {
    let phone = try await Phone(to: show.port)
    let parameters = try #require(phone.surface["knobs"] as? [[String: Any]])
    let names = Set(parameters.compactMap { $0["name"] as? String })
    #expect(
      names
        == Set(show.performance.parameters.all.map(\.name)).subtracting([
          "history-location", "map-location", "max-disk", "max-memory", "reserve",
        ]))
    #expect(names == Set((phone.state["values"] as? [String: Any] ?? [:]).keys))
    #expect(phone.surface["presets"] as? [String] == show.performance.presets)
    let groups = try #require(phone.surface["groups"] as? [String])
    for parameter in parameters {
      #expect(groups.contains(parameter["group"] as? String ?? ""))
      for field in ["nick", "summary"] { #expect((parameter[field] as? String)?.isEmpty == false) }
      if parameter["kind"] as? String == "choice" {
        #expect((parameter["choices"] as? [String])?.isEmpty == false)
      }
    }
  }

  @Test func theCrossfaderMovesOnAllPhonesAndALateOneSeesWhereItIs() async throws {
    let phone = try await Phone(to: show.port)
    #expect(phone.state["decks"] == nil)
    #expect(phone.state["crossfade"] as? Double == 0)
    try await phone.say("crossfade 0.5")
    try await phone.wait { $0.notes.contains { $0.contains("deck a") } }
    try await phone.say("deck a Clockwork")
    try await phone.say("deck b Tunnel")
    for place in 0...1000 { try await phone.say("crossfade \(Double(place) / 1000)") }
    try await phone.wait {
      $0.state["crossfade"] as? Double == 1 && $0.number("depth") == 75
        && $0.value("map") as? String == "radial"
    }
    let late = try await Phone(to: show.port)
    #expect(late.state["decks"] as? [String: String] == ["a": "Clockwork", "b": "Tunnel"])
    #expect(late.state["crossfade"] as? Double == 1)
  }

  @Test func aPhoneDrawsAndAllHearWhetherThatIsTheMap() async throws {
    let (phone, other) = (try await Phone(to: show.port), try await Phone(to: show.port))
    func isMap(_ phone: Phone) -> Bool? {
      (phone.state["drawing"] as? [String: Any])?["map"] as? Bool
    }
    #expect(isMap(phone) == false)
    try await phone.say("draw 1 0.2 0.5 none 0.5 0.5")
    try await phone.say("draw-fade 30")
    try await other.wait {
      isMap($0) == true && ($0.state["drawing"] as? [String: Any])?["fade"] as? Double == 30
    }
    #expect(await show.stage.mapImage != nil)
    #expect(isMap(try await Phone(to: show.port)) == true)
  }

  /// The most costly strokes there are, as fast as they go.
  @Test func aFloodOfStrokesDelaysNoOtherClient() async throws {
    let (flood, other) = (try await Phone(to: show.port), try await Phone(to: show.port))
    let corners = String(repeating: " 0 0 1 1", count: 16)
    async let isFlooded: Void = {
      for number in 1...24 {
        try await flood.say("draw 1 1 1 xy\(corners)")
        if number.isMultiple(of: 3) { try await flood.say("draw 1 1 1 z\(corners)") }
        if number.isMultiple(of: 7) { try await flood.say("draw-fade 1e300") }
        if number.isMultiple(of: 11) { try await flood.say("draw nan 1 1 xy\(corners)") }
      }
    }()
    for depth in 7..<12 {
      try await other.say("set depth \(depth)")
      try await other.wait { $0.number("depth") == Double(depth) }
    }
    try await isFlooded
    try await other.wait { ($0.state["drawing"] as? [String: Any])?["fade"] as? Double == 3600 }
    // And it goes on.
    try await other.say("draw-clear")
    try await other.say("set depth 30")
    try await other.wait { $0.number("depth") == 30 }
  }

  @Test func aFloodOfFaderMovesEndsAndDelaysNoOtherClient() async throws {
    var limits = Limits()
    // Time passes as fast as the moves come, and the one that only listens answers pings, which libsoup sends by the
    // system's clock.
    limits.silence = .seconds(1_000_000)
    let show = try await Show(limits)
    let start = show.clock.now
    try await show.letTimePass(in: limits.pace) {
      let (flood, other) = (try await Phone(to: show.port), try await Phone(to: show.port))
      async let isFlooded: Void = {
        for number in 1...5_000 {
          try await flood.say("fade mix \(Double(number) / 5_000)")
        }
      }()
      try await other.say("set depth 7")
      try await other.wait { $0.number("depth") == 7 }
      try await isFlooded
      try await other.wait { $0.number("mix") == 1 }
      #expect(Double(other.updates - 1) <= (show.clock.now - start) / limits.pace)
    }
  }

  @Test(arguments: [
    "snapshot /tmp/x.png", "snapshot x.png", "record on /tmp/x.mkv", "record toggle x.mkv",
    "set map-location /etc/passwd", "reset map-location", "set max-memory 1", "fade max-memory 1",
    "set reserve 0", "set history-location /tmp", "set max-disk 1", "fade max-disk 1",
  ]) func aRemoteNamesNoFilesAndTakesNoMemory(line: String) async throws {
    let phone = try await Phone(to: show.port)
    try await phone.say(line)
    try await phone.wait { !$0.notes.isEmpty }
    // And goes on.
    try await phone.say("set depth 7")
    try await phone.wait { $0.number("depth") == 7 }
    #expect(await show.stage.log == ["depth=7"])
  }

  @Test func errorsAreReportedOnlyToTheirClient() async throws {
    let (one, other) = (try await Phone(to: show.port), try await Phone(to: show.port))
    for line in ["set depth deep", "set nothing 1", "preset none", "undo", "jump", "{}"] {
      let count = one.notes.count
      try await one.say(line)
      try await one.wait { $0.notes.count > count }
    }
    try await one.say("set depth 7")
    try await other.wait { $0.number("depth") == 7 }
    #expect(other.notes.isEmpty)
  }

  @Test func aMoveThatTakesItsTimeHoldsUpNoOther() async throws {
    let (end, opener) = AsyncStream.makeStream(of: Void.self)
    let opening = Task { for await _ in end {} }
    let (asked, asks) = AsyncStream.makeStream(of: String.self)
    await show.stage.setWhenAsked { line in
      guard line.hasPrefix("clip") else { return }
      asks.yield(line)
      await opening.value
    }
    var clips = asked.makeAsyncIterator()
    let phone = try await Phone(to: show.port)
    try await phone.say("next-clip")
    try await phone.say("previous-clip")
    try await phone.say("blackout on")
    try await phone.wait { $0.state["black"] as? Bool == true }
    try await phone.say("set depth 7")
    try await phone.wait { $0.number("depth") == 7 }
    // Slow ones go one after the other, and not without end.
    let isFirst = await clips.next() == "clip 1 of 0"
    #expect(isFirst)
    #expect(await show.stage.log.filter { $0.hasPrefix("clip") }.count == 1)
    for _ in 0..<Inbox.limit { try await phone.say("next-clip") }
    try await phone.wait { $0.notes.contains { $0.hasPrefix("Too many moves") } }
    // All that waited are done before another one is taken for sure.
    opener.finish()
    for number in 0..<Inbox.limit {
      let clip = await clips.next()
      #expect(clip == (number == 0 ? "clip -1 of 0" : "clip 1 of 0"))
    }
    try await phone.say("previous-clip")
    let isLast = await clips.next() == "clip -1 of 0"
    #expect(isLast)
  }

  @Test func filesOfRemotesAreSomeTimeApart() async throws {
    let phone = try await Phone(to: show.port)
    func stills() async -> Int { await show.stage.log.filter { $0.hasPrefix("snapshot") }.count }
    for count in 1...3 {
      for _ in 0..<2 { try await phone.say("snapshot") }
      try await phone.wait { phone in
        ["too fast", "Saved"].allSatisfy { word in
          phone.notes.filter { $0.contains(word) }.count == count
        }
      }
      #expect(await stills() == count)
      show.clock.advance(by: Limits().files)
    }
  }

  @Test(arguments: [
    "quantize 1e300", "drive angle ramp 1e300 5", "tempo 1e300",
    "tempo -1e300", "step depth 9223372036854775807", "step mode -9223372036854775808",
    "next-preset -9223372036854775808", "set seed 1e300", "set depth 9223372036854775807",
    "drive angle sine 1e-300 0 1", "drive mix band 0 1e300 0 1", "fade depth 1e300",
    "fade seed -1e300",
  ]) func noNumberEndsTheShow(line: String) async throws {
    let phone = try await Phone(to: show.port)
    for line in [line, "set mode sweep", "tap", "tap", "undo", "quantize 0", "set gain 2"] {
      try await phone.say(line)
    }
    try await phone.wait { $0.number("gain") == 2 }
  }

  // MARK: Begin and end

  @Test func aPortThatIsInUseIsAnErrorThatSaysSo() async throws {
    let second = Remote(show.performance, port: show.port)
    let error = await #expect(throws: StageError.self) { try await second.start() }
    #expect(error?.code == .inputFailed)
    #expect(error?.message.contains("\(show.port)") == true)
    // The first one goes on; and once it stops, the port is free.
    _ = try await Phone(to: show.port)
    await show.remote.stop()
    #expect(try await second.start().port == show.port)
    await second.stop()
  }

  @Test(arguments: ["somewhere", "300.1.1.1", "", "192.0.2.1", "127.0.0.1:80"])
  func anAddressThatIsNotOursIsAnErrorThatSaysSo(address: String) async throws {
    let performance = await Performance(on: try InMemoryStage())
    let remote = Remote(performance, bind: address, port: 0)
    let error = await #expect(throws: StageError.self) { try await remote.start() }
    #expect(error?.code == .inputFailed)
    #expect(error?.message.isEmpty == false)
  }

  @Test func phonesHearOfAStopAndItCanBeginAnew() async throws {
    let phone = try await Phone(to: show.port)
    #expect(try await show.remote.start() == show.address)
    // This one does not say farewell.
    let rude = try await Phone(to: show.port)
    rude.answers = false
    let stopping = Task { await show.remote.stop() }
    #expect(await phone.waitForClose() == 1001)
    #expect(await rude.waitForClose() == 1001)
    await show.letTimePass { await stopping.value }
    #expect(await show.remote.clientCount == 0)
    await #expect(throws: (any Error).self) { _ = try await Wire(to: show.port) }
    let again = try await show.remote.start()
    _ = try await Phone(to: again.port)
  }

  @Test func aReleasedRemoteClosesItsConnections() async throws {
    let performance = await Performance(on: try InMemoryStage())
    var remote: Remote? = Remote(performance, port: 0)
    weak let weakRemote = remote
    let port = try #require(try await remote?.start().port)
    let phone = try await Phone(to: port)
    remote = nil
    _ = await phone.waitForClose()
    #expect(weakRemote == nil)
    await #expect(throws: (any Error).self) { _ = try await Wire(to: port) }
  }

  @Test func aThousandConnectionsLeaveNoDescriptorOpen() async throws {
    let before = try openSockets(of: show.port)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for number in 0..<125 {
            if number.isMultiple(of: 5) {
              let phone = try await Phone(to: show.port)
              phone.wire.close()
            } else {
              #expect(try await Wire.ask("/session", of: show.port).status == 204)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await show.remote.wait(forVisits: 0)
    #expect(await show.remote.clientCount == 0)
    #expect(try openSockets(of: show.port) == before)
  }

  /// The number of sockets of this process at a port of 127.0.0.1; other tests have other ports there.
  private func openSockets(of port: UInt16) throws -> Int {
    let digits = String(port, radix: 16, uppercase: true)
    let address = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    // Of proc(5): local and remote address are the second and third, the inode is the tenth.
    let table = try String(contentsOf: URL(filePath: "/proc/self/net/tcp"), encoding: .utf8)
    let inodes = table.split(separator: "\n").dropFirst().compactMap { line -> Substring? in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[1...2].contains(Substring(address)) else { return nil }
      return fields[9]
    }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { number in
      let path = "/proc/self/fd/\(number)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return inodes.contains { target == "socket:[\($0)]" }
    }.count
  }
}
