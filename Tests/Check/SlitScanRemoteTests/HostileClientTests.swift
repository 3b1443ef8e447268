// Tests of clients that vanish, send malformed messages, flood or block: the show goes on.

import Foundation
import GStreamer
import SeededGenerator
import Testing

@testable import SlitScanRemote
@testable import SlitScanStage

@Suite(.serialized) struct HostileClientTests {
  private let show: Show

  init() async throws { show = try await Show() }

  /// Expects that a well-behaved client is still served.
  private func expectGoesOn(_ show: Show, cookie: String? = nil) async throws {
    let phone = try await Phone(to: show.port, cookie: cookie)
    try await phone.say("step depth 1")
    try await phone.wait { $0.updates > 1 }
    phone.wire.close()
  }

  /// The answer to a client that connects and sends this.
  private func answer(to text: String, from show: Show) async throws -> Wire.Answer {
    let wire = try await Wire(to: show.port)
    defer { wire.close() }
    // The answer may come before all of it is said.
    try? await wire.send(text)
    return Wire.Answer(text: await wire.readAll())
  }

  // MARK: The door

  @Test func onlyThePageIsServed() async throws {
    let page = try await Wire.ask("/", of: show.port)
    #expect(page.status == 200)
    #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    let policy = try #require(page.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
    let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-(\w+)'/)?.1)
    #expect(page.body.contains("<script nonce=\"\(nonce)\">"))
    #expect(!page.body.contains("{{"))
    // Nothing is loaded from anywhere.
    #expect(page.body.matches(of: /(?:src|href)="(?!data:|#)/).isEmpty)
    #expect(!page.body.contains("https://"))
    #expect(try await Wire.ask("/", of: show.port).field("Content-Security-Policy") != policy)
    for path in ["/x", "/../../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/page.js"] {
      #expect(try await Wire.ask(path, of: show.port).status == 404)
    }
    for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"] {
      #expect(try await Wire.ask("\(method) /", of: show.port).status == 405)
    }
  }

  @Test func foreignOriginsGetNoWebSocket() async throws {
    let good = Phone.fields(port: show.port)
    let lies: [(String, String?, Int)] = [
      ("Origin", "http://evil.example", 403), ("Origin", "null", 403), ("Origin", nil, 403),
      ("Origin", "http://localhost:\(show.port)", 403), ("Origin", "http://127.0.0.1:1", 403),
      ("Host", "evil.example:\(show.port)", 403), ("Upgrade", nil, 400),
      ("Connection", "close", 400), ("Sec-WebSocket-Key", nil, 400),
      ("Sec-WebSocket-Key", "short", 400), ("Sec-WebSocket-Version", "8", 400),
    ]
    for (name, value, status) in lies {
      var fields = good
      fields[name] = value
      #expect(
        try await Wire.ask("/live", fields, of: show.port).status == status,
        "\(name): \(value ?? "")")
    }
    // DNS rebinding: another name for this machine.
    #expect(try await Wire.ask("/", ["Host": "evil.example"], of: show.port).status == 403)
    try await expectGoesOn(show)
  }

  @Test func inANetworkACodeIsNeeded() async throws {
    let show = try await Show(bind: "0.0.0.0")
    let code = try #require(show.address.code)
    let origin = ["Origin": "http://127.0.0.1:\(show.port)"]
    #expect(try await Wire.ask("/session", of: show.port).status == 401)
    let live = Phone.fields(port: show.port)
    #expect(try await Wire.ask("/live", live, of: show.port).status == 401)
    #expect(try await Wire.ask("POST /pair", body: code, of: show.port).status == 403)
    let paired = try await Wire.ask("POST /pair", origin, body: code, of: show.port)
    #expect(paired.status == 204)
    let cookie = try #require(paired.field("Set-Cookie"))
    #expect(cookie.contains("; HttpOnly"))
    #expect(cookie.contains("; SameSite=Strict"))
    let token = String(cookie.prefix { $0 != ";" })
    #expect(try await Wire.ask("/session", ["Cookie": token], of: show.port).status == 204)
    try await expectGoesOn(show, cookie: token)
    // Another token is none.
    for lie in ["\(token.dropLast())g", "\(token.dropLast())", "\(token.prefix { $0 != "=" })="] {
      let fields = Phone.fields(port: show.port, cookie: lie)
      #expect(try await Wire.ask("/live", fields, of: show.port).status == 401)
    }
    // Nor is another code; and after some of them, none is looked at.
    let wrong = code == "000000" ? "000001" : "000000"
    for _ in 0..<Pairing.freeAttempts {
      #expect(try await Wire.ask("POST /pair", origin, body: wrong, of: show.port).status == 403)
    }
    #expect(try await Wire.ask("POST /pair", origin, body: wrong, of: show.port).status == 429)
    let late = try await Wire.ask("POST /pair", origin, body: code, of: show.port)
    #expect(late.status == 429)
    #expect(late.field("Retry-After") != nil)
    // A client that is paired already is not affected.
    try await expectGoesOn(show, cookie: token)
  }

  @Test func requestsThatAreNoneAreAnsweredAsFarAsTheyGo() async throws {
    for text in [
      "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 10_000))", "GET / HTTP/1.1\r\n", "",
      "POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12",
    ] {
      let end = try await show.letTimePass { try await answer(to: text, from: show) }
      #expect(end.status == 408, "\(text.prefix(60))")
    }
    let cases: [(String, Int)] = [
      ("nonsense\r\n\r\n", 400),
      ("POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65\r\n\r\n", 413),
      ("POST /pair HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("GET / HTTP/3.0\r\n\r\n", 505), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n: localhost\r\nno colon\r\nHo st: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 403),
      ("GET http://localhost/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
    ]
    for (text, status) in cases {
      #expect(try await answer(to: text, from: show).status == status, "\(text.prefix(60))")
    }
  }

  @Test func lengthsThatAreNoneAreRefused() async throws {
    let lengths = [
      ("-1", 400), ("1e3", 400), ("٣", 400), ("65", 413), ("99999999999", 413),
      ("99999999999999999999", 400),
      // None, as libsoup reads it; and the origin is missing.
      ("", 403),
    ]
    for (length, status) in lengths {
      let fields = ["Content-Length": length]
      #expect(try await Wire.ask("POST /pair", fields, of: show.port).status == status, "\(length)")
    }
    // As much as a head may have at all; a server that takes more has an end of its patience, too.
    let head = "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1_000_000)
    let end = try await show.letTimePass { try await answer(to: head, from: show) }
    #expect(end.status != 200)
    try await expectGoesOn(show)
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func randomBytesAreNoRequest(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await show.letTimePass {
      for _ in 0..<20 {
        let wire = try await Wire(to: show.port)
        let count = Int.random(in: 0...3000, using: &random)
        var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        if Bool.random(using: &random) { bytes = Array("GET /live HTTP/1.1\r\n".utf8) + bytes }
        try? await wire.send(bytes)
        if Bool.random(using: &random) { _ = await wire.readAll() }
        wire.close()
      }
    }
    try await expectGoesOn(show)
  }

  // MARK: Frames

  @Test func aMalformedMessageClosesTheConnectionWithAReason() async throws {
    let cases: [([UInt8], Int)] = [
      ([0x81, 0x01, 0x41], 1002), (Phone.frame(2, [1]), 1003), (Phone.frame(3, []), 1002),
      (Phone.frame(1, [0xC3, 0x28]), 1007), (Phone.frame(0, [0x41]), 1002),
      (Phone.frame(1, Array(repeating: 0x41, count: LiveClient.messageLimit + 1)), 1009),
      ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
      ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
      ([0x81, 0xFE, 0x10, 0x01], 1009),
      (Phone.frame(9, Array(repeating: 0, count: 126)), 1002), (Phone.frame(8, []), 1000),
      (Phone.frame(0x41, []), 1002), (Phone.frame(9, [], final: false), 1002),
      (Phone.frame(1, [], final: false) + Phone.frame(1, []), 1002),
      (
        Phone.frame(1, Array(repeating: 0x41, count: LiveClient.messageLimit), final: false)
          + Phone.frame(0, [], final: false) + Phone.frame(9, []) + Phone.frame(0, [0x41]), 1009
      ),
    ]
    for (bytes, code) in cases {
      let phone = try await Phone(to: show.port)
      try await phone.wire.send(bytes)
      #expect(await phone.waitForClose() == code, "\(bytes.prefix(10))")
      phone.wire.close()
    }
    let phone = try await Phone(to: show.port)
    for _ in 0..<Limits().nonsense { try await phone.say("nonsense") }
    #expect(await phone.waitForClose() == 1008)
    try await expectGoesOn(show)
  }

  @Test(arguments: [1, 9] as [UInt8])
  func aFloodingClientIsDisconnected(opcode: UInt8) async throws {
    let flood = try await Phone(to: show.port)
    // As long as it may be, which is too much in a second, however slowly it is read.
    let text = Array(#"{"here":true}"#.utf8)
    let length = opcode == 9 ? 125 : LiveClient.messageLimit
    let frame = Phone.frame(opcode, text + Array(repeating: 0x20, count: length - text.count))
    let frames = Array(repeatElement(frame, count: 100).joined())
    // Takes no answers meanwhile.
    for _ in 0..<1000 { guard (try? await flood.wire.send(frames)) != nil else { break } }
    // What was said last is lost where more has come than was read.
    #expect([1006, 1008].contains(await flood.waitForClose()))
    flood.wire.close()
    try await expectGoesOn(show)
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1000])
  func messagesComeWholeHoweverTheyAreCut(size: Int) async throws {
    let phone = try await Phone(to: show.port)
    let bytes =
      Phone.frame(1, Array("set depth 7".utf8)) + Phone.frame(1, Array("set ".utf8), final: false)
      + Phone.frame(9, [1, 2]) + Phone.frame(0, Array("depth ".utf8), final: false)
      + Phone.frame(0, Array("8".utf8)) + Phone.frame(10, [])
      + Phone.frame(1, Array("set depth 9\(String(repeating: " ", count: 300))".utf8))
    for start in stride(from: 0, to: bytes.count, by: size) {
      try await phone.wire.send(bytes[start...].prefix(size))
    }
    try await phone.wait { $0.number("depth") == 9 }
    #expect(phone.notes.isEmpty)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func randomFramesDisturbNoOtherClient(seed: UInt64) async throws {
    let witness = try await Phone(to: show.port)
    var random = SeededGenerator(seed: seed)
    let lines = [
      "set depth 5", "fade mix 0.5", "preset Vortex 1", "undo", "redo", "tap", "reset",
      #"{"look":true}"#, #"{"seen":true}"#, #"{"here":true}"#, "{", "drive mix sine 1 0 1",
      "quantize 1", "step map 1", "blackout toggle", "next-preset 1",
    ]
    for _ in 0..<30 {
      let phone = try await Phone(to: show.port)
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        let line = Array(lines[Int.random(in: 0..<lines.count, using: &random)].utf8)
        var bytes = Phone.frame(1, line)
        // Most are true.
        if Int.random(in: 0..<8, using: &random) == 0 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
        }
        guard (try? await phone.wire.send(bytes)) != nil else { break }
      }
      phone.wire.close()
    }
    // Moves of clients that are gone may still be done, between these or after them.
    await show.remote.wait(forVisits: 1)
    while witness.number("depth") != 77 {
      for line in ["quantize 0", "release depth"] { try await witness.say(line) }
      try await witness.sayAndWait("set depth 77")
    }
  }

  // MARK: Too many clients, and vanished ones

  @Test func connectionsBeyondTheLimitAreRefusedAndTheOthersGoOn() async throws {
    var limits = Show.quick
    limits.connections = 12
    limits.clients = 3
    let show = try await Show(limits)
    let phone = try await Phone(to: show.port)
    let more = [try await Phone(to: show.port), try await Phone(to: show.port)]
    // No more phones than there is room for.
    let fields = Phone.fields(port: show.port)
    #expect(try await Wire.ask("/live", fields, of: show.port).status == 503)
    // Far more than there is room for stand in the door and say nothing.
    var crowd: [Wire] = []
    var refused = 0
    for _ in 0..<20 {
      let next = try await withThrowingTaskGroup { group in
        for _ in 0..<100 { group.addTask { try? await Wire(to: show.port) } }
        return try await group.reduce(into: [Wire]()) { $0 += [$1].compactMap { $0 } }
      }
      try await phone.say("step depth 1")
      let updates = phone.updates
      try await phone.wait { $0.updates > updates }
      // Earlier connections have had to make room for these.
      for wire in crowd {
        if Wire.Answer(text: await wire.readAll()).status == 503 { refused += 1 }
        wire.close()
      }
      crowd = next
    }
    for wire in crowd { wire.close() }
    #expect(refused > 1000)
    for phone in more { phone.wire.close() }
    await show.remote.wait(forVisits: 1)
    try await expectGoesOn(show)
  }

  @Test(arguments: [1, 40, 120]) func wrongCodesLockOutNoOtherClient(addresses: Int) async throws {
    let show = try await Show(bind: "0.0.0.0")
    let code = try #require(show.address.code)
    let origin = ["Origin": "http://127.0.0.1:\(show.port)"]
    let paired = try await Wire.ask("POST /pair", origin, body: code, of: show.port)
    let cookie = paired.field("Set-Cookie")?.prefix { $0 != ";" }.description
    let phone = try await Phone(to: show.port, cookie: cookie)
    // Wrong codes, until each address has to wait.
    for number in 1...addresses {
      var status = 403
      while status == 403 {
        status = try await Wire.ask(
          "POST /pair", origin, body: "nothing", of: show.port, from: "127.0.1.\(number)"
        ).status
      }
      #expect(status == 429)
    }
    // More requests than there is room for, which never come to their end.
    var crowd: [Wire] = []
    for number in 0..<240 {
      let wire = try await Wire(to: show.port, from: "127.0.1.\(1 + number % addresses)")
      try? await wire.send("GET / HTTP/1.1\r\n")
      crowd.append(wire)
    }
    let again = try await Phone(to: show.port, cookie: cookie)
    try await phone.say("set depth 7")
    try await again.wait { $0.number("depth") == 7 }
    let other = try await Wire.ask(
      "POST /pair", origin, body: code, of: show.port, from: "127.0.2.1")
    #expect(other.status == 204, "\(other.text)")
    for wire in crowd { wire.close() }
  }

  @Test func vanishedPhonesAreForgottenAndOthersAreNot() async throws {
    let (gone, there) = (try await Phone(to: show.port), try await Phone(to: show.port))
    // One speaks all the time, the other never does, and its connection stays open. libsoup pings by its own clock.
    gone.answers = false
    for turn in 1...10 {
      #expect(await show.remote.clientCount == 2)
      try await there.say("set depth \(turn + 2)")
      try await there.wait { $0.number("depth") == Double(turn + 2) }
      let look = show.clock.now + Limits().silence / 10
      await show.clock.sleepers { $0.filter { $0 == look }.count == 2 }
      // However long the process stands still, that is one turn.
      show.clock.advance(to: turn == 5 ? look + .seconds(100) : look)
    }
    _ = await gone.waitForClose()
    await show.remote.wait(forVisits: 1)
    #expect(await show.remote.clientCount == 1)
    try await there.say("set depth 60")
    try await there.wait { $0.number("depth") == 60 }
  }

  @Test func aPingIsAnswered() async throws {
    let phone = try await Phone(to: show.port)
    try await phone.say(#"{"here":true}"#)
    try await phone.wait { $0.wasHere == 1 }
    let wire = try await Wire(to: show.port)
    let fields = Phone.fields(port: show.port).map { "\($0.key): \($0.value)\r\n" }.joined()
    // With the request, before there is an answer.
    try await wire.send(
      Array("GET /live HTTP/1.1\r\n\(fields)\r\n".utf8) + Phone.frame(9, [7, 8, 9]))
    var bytes: [UInt8] = []
    while !bytes.contains([0x8A, 3, 7, 8, 9]) {
      let more = await wire.read()
      try #require(!more.isEmpty)
      bytes += more
    }
  }
}
