// Tests of the meaning of OSC addresses.

import Foundation
import GStreamer
import Testing

@testable import SlitScanOSC
@testable import SlitScanStage

@Suite struct OSCDialectTests {
  private let dialect: OSCDialect
  private let here: OSCEndpoint
  private let elsewhere: OSCEndpoint

  init() throws {
    dialect = OSCDialect(
      parameters: try InMemoryStage().parameters, presets: ["Vortex", "Time Warp"])
    here = try #require(OSCEndpoint("127.0.0.1", port: 4000))
    elsewhere = try #require(OSCEndpoint("192.168.1.20", port: 4000))
  }

  private func moves(_ message: OSCMessage) throws -> [Move] {
    try dialect.requests(message, from: here).map { request in
      guard case .move(let move) = request else {
        throw StageError(.badMove, "\(request) is no move.")
      }
      return move
    }
  }

  @Test(arguments: [
    (OSCMessage("/slitscan/gain", .number(2.5)), Move.set("gain", .double(2.5))),
    (OSCMessage("/slitscan/gain", .whole(2)), .set("gain", .int(2))),
    (OSCMessage("/slitscan/freeze", .flag(true)), .set("freeze", .bool(true))),
    (OSCMessage("/slitscan/mode", .text("sweep")), .set("mode", .string("sweep"))),
    (OSCMessage("/slitscan/map-location", .nothing), .set("map-location", .none)),
    (
      OSCMessage(
        "/slitscan/set", .text("map"), .text("radial"), .text("gain"), .number(-1.5),
        .text("invert"), .flag(true), .text("map-location"), .text("my map.png")),
      .setAll([
        "map": .string("radial"), "gain": .double(-1.5), "invert": .string("true"),
        "map-location": .string("my map.png"),
      ])
    ),
    (
      OSCMessage("/slitscan/set", .text("map-location \"my map.png\" gain 2")),
      .setAll(["map-location": .string("my map.png"), "gain": .int(2)])
    ),
    (OSCMessage("/slitscan/set", .text("gain"), .whole(2)), .set("gain", .int(2))),
    (OSCMessage("/slitscan/gain/fade", .number(0.25)), .fade("gain", 0.25)),
    (OSCMessage("/slitscan/gain/fade", .whole(1)), .fade("gain", 1)),
    (OSCMessage("/slitscan/mode/step"), .step("mode", 1)),
    (OSCMessage("/slitscan/mode/step", .number(-2)), .step("mode", -2)),
    (OSCMessage("/slitscan/mode/step", .number(1e300)), .step("mode", 1_000_000)),
    (OSCMessage("/slitscan/freeze/toggle"), .toggle("freeze")),
    (OSCMessage("/slitscan/freeze/toggle", .number(1)), .toggle("freeze")),
    (OSCMessage("/slitscan/gain/reset", .impulse), .reset("gain")),
    (OSCMessage("/slitscan/gain/release"), .release("gain")),
    (
      OSCMessage("/slitscan/angle/drive", .text("sine"), .whole(4), .number(0), .whole(360)),
      .drive("angle", .wave(.sine, beats: 4, from: 0, to: 360))
    ),
    (
      OSCMessage("/slitscan/gain/drive", .text("band 20 200 0 1")),
      .drive("gain", .sound(20...200, from: 0, to: 1))
    ),
    (OSCMessage("/slitscan/preset", .text("Vortex")), .preset("Vortex", beats: nil)),
    (OSCMessage("/slitscan/preset", .whole(2), .number(4)), .preset("Time Warp", beats: 4)),
    (OSCMessage("/slitscan/preset", .number(1)), .preset("Vortex", beats: nil)),
    (OSCMessage("/slitscan/preset/Time-Warp", .whole(1)), .preset("Time Warp", beats: nil)),
    (OSCMessage("/slitscan/preset/1"), .preset("Vortex", beats: nil)),
    (OSCMessage("/slitscan/preset/next"), .nextPreset(1)),
    (OSCMessage("/slitscan/preset/previous", .number(1)), .nextPreset(-1)),
    (OSCMessage("/slitscan/source", .whole(2)), .source(2, beats: nil)),
    (OSCMessage("/slitscan/source", .number(2), .number(4)), .source(2, beats: 4)),
    (OSCMessage("/slitscan/map-source", .whole(1)), .mapSource(1)),
    (OSCMessage("/slitscan/snapshot"), .snapshot(nil)),
    (OSCMessage("/slitscan/snapshot", .number(1)), .snapshot(nil)),
    (OSCMessage("/slitscan/snapshot", .text("a.png")), .snapshot("a.png")),
    (OSCMessage("/slitscan/record"), .record(.toggle, nil)),
    (OSCMessage("/slitscan/record", .whole(1), .text("a.mkv")), .record(.on, "a.mkv")),
    (OSCMessage("/slitscan/record", .number(0)), .record(.off, nil)),
    (OSCMessage("/slitscan/record", .text("toggle")), .record(.toggle, nil)),
    (OSCMessage("/slitscan/blackout", .flag(false)), .blackout(.off)),
    (OSCMessage("/slitscan/blackout"), .blackout(.toggle)),
    (OSCMessage("/slitscan/output", .whole(1)), .reopenOutput(1, display: nil)),
    (
      OSCMessage("/slitscan/output", .whole(1), .text("reopen"), .whole(2)),
      .reopenOutput(1, display: "2")
    ),
    (OSCMessage("/slitscan/tap", .whole(127)), .tap),
    (OSCMessage("/slitscan/tempo", .whole(128)), .tempo(128)),
    (OSCMessage("/slitscan/quantize", .number(4)), .quantize(4)),
    (OSCMessage("/slitscan/undo"), .undo),
    (OSCMessage("/slitscan/redo"), .redo),
    (OSCMessage("/slitscan/reset"), .reset(nil)),
    (OSCMessage("/slitscan/move", .text("step mode -1")), .step("mode", -1)),
    (OSCMessage("/slit*/gain", .whole(1)), .set("gain", .int(1))),
  ]) func anAddressIsAMove(message: OSCMessage, move: Move) throws {
    #expect(try moves(message) == [move])
  }

  @Test(arguments: [
    "/slitscan/tap", "/slitscan/undo", "/slitscan/snapshot", "/slitscan/preset/next",
    "/slitscan/preset/1", "/slitscan/preset", "/slitscan/freeze/toggle", "/slitscan/gain/reset",
    "/slitscan/mode/step",
  ]) func aButtonThatIsLetGoDoesNothing(address: String) throws {
    #expect(try moves(OSCMessage(address, .whole(0))).isEmpty)
    #expect(try moves(OSCMessage(address, .number(0))).isEmpty)
  }

  @Test(arguments: [
    "/other/gain", "/1/fader1", "/slitscanner/gain", "slitscan/gain", "", "/", "gain",
    "/slitscan/trouble", "/slitscan/notice", "/slitscan/snapshot/written",
  ]) func otherAddressesAreIgnored(address: String) throws {
    #expect(try dialect.requests(OSCMessage(address, .text("x")), from: here).isEmpty)
  }

  @Test(arguments: [
    OSCMessage("/slitscan"), OSCMessage("/slitscan/"), OSCMessage("/slitscan/nothing"),
    OSCMessage("/slitscan/gain/nothing", .whole(1)), OSCMessage("/slitscan/gain/fade/more"),
    OSCMessage("/slitscan/zz*", .whole(1)), OSCMessage("/slitscan/gain", .whole(1), .whole(2)),
    OSCMessage("/slitscan/gain", .impulse), OSCMessage("/slitscan/gain", .other("b")),
    OSCMessage("/slitscan/gain/fade"), OSCMessage("/slitscan/gain/fade", .number(.nan)),
    OSCMessage("/slitscan/gain/fade", .text("much")), OSCMessage("/slitscan/gain/drive"),
    OSCMessage("/slitscan/gain/drive", .text("sine"), .whole(-1), .whole(0), .whole(1)),
    OSCMessage("/slitscan/preset", .whole(3)), OSCMessage("/slitscan/preset", .whole(-1)),
    OSCMessage("/slitscan/preset", .number(1.5)), OSCMessage("/slitscan/preset", .number(1e300)),
    OSCMessage("/slitscan/preset", .whole(1), .whole(-4)), OSCMessage("/slitscan/preset/nothing"),
    OSCMessage("/slitscan/set"), OSCMessage("/slitscan/set", .text("gain")),
    OSCMessage("/slitscan/set", .text("gain"), .impulse), OSCMessage("/slitscan/set", .whole(1)),
    OSCMessage("/slitscan/tempo"), OSCMessage("/slitscan/tempo", .number(.infinity)),
    OSCMessage("/slitscan/quantize", .whole(-1)), OSCMessage("/slitscan/record", .whole(7)),
    OSCMessage("/slitscan/move", .text("jump")), OSCMessage("/slitscan/move"),
    OSCMessage("/slitscan/get", .text("nothing")), OSCMessage("/slitscan/subscribe", .whole(0)),
    OSCMessage("/slitscan/subscribe", .whole(70_000)),
    OSCMessage("/slitscan/subscribe", .text("example.org:9000")),
    OSCMessage("/slitscan/[", .whole(1)), OSCMessage("/slitscan/[]", .whole(1)),
    OSCMessage("/slitscan/[!", .whole(1)), OSCMessage("/slitscan/{gain", .whole(1)),
    OSCMessage("/slitscan/{{gain}}", .whole(1)), OSCMessage("/slitscan/gain]*", .whole(1)),
    OSCMessage("/slitscan/*a*b*", .whole(1)),
    OSCMessage("/slitscan/map-location", .text(String(repeating: "x", count: 5000))),
  ]) func invalidMessagesAreErrorsThatSayWhatWouldBeValid(message: OSCMessage) {
    let error = #expect(throws: StageError.self) { try dialect.requests(message, from: here) }
    #expect(error?.message.isEmpty == false)
  }

  @Test func patternsMatchPropertiesAndNothingElse() throws {
    func names(_ pattern: String) throws -> Set<String> {
      Set(
        try moves(OSCMessage("/slitscan/\(pattern)/fade", .whole(1))).map { move in
          guard case .fade(let name, _) = move else { return "?" }
          return name
        })
    }
    #expect(try names("{gain,offset}") == ["gain", "offset"])
    #expect(try names("center-*") == ["center-x", "center-y"])
    #expect(try names("center-?") == ["center-x", "center-y"])
    #expect(try names("center-[xy]") == ["center-x", "center-y"])
    #expect(try names("center-[!x]") == ["center-y"])
    #expect(try names("center-[w-x]") == ["center-x"])
    #expect(try names("center-[!a-x]") == ["center-y"])
    #expect(try names("{center,line,map}-{x,width}") == ["center-x", "line-width"])
    #expect(try names("**c*t*r*-*[-x]") == ["center-x"])
    #expect(try names("*-*") == Set(dialect.parameters.all.map(\.name).filter { $0.contains("-") }))
    #expect(try names("*") == Set(dialect.parameters.all.map(\.name)))
    #expect(throws: StageError.self) { try names("un?o") }
  }

  @Test func aPatternWithManyWaysIsMatchedAtOnce() throws {
    // Each letter of a property in so many ways that trying them one after the other would take years.
    let letters = "motion-threshol".map {
      "{\(Array(repeating: "\($0)", count: 7).joined(separator: ","))}"
    }
    let message = OSCMessage("/slitscan/\(letters.joined())x/fade", .whole(1))
    #expect(throws: StageError.self) { try moves(message) }
    let stars = OSCMessage("/slitscan/\(String(repeating: "*", count: 255))x/fade", .whole(1))
    #expect(try moves(stars) == moves(OSCMessage("/slitscan/*x/fade", .whole(1))))
  }

  @Test func questionsAreUnderstood() throws {
    func requests(_ message: OSCMessage) throws -> [OSCRequest] {
      try dialect.requests(message, from: here)
    }
    let all = dialect.parameters.all.map(\.name)
    #expect(try requests(OSCMessage("/slitscan/get")) == [.get(all)])
    #expect(try requests(OSCMessage("/slitscan/get", .text("gain"))) == [.get(["gain"])])
    #expect(
      try requests(OSCMessage("/slitscan/get", .text("center-*"))) == [
        .get(["center-x", "center-y"])
      ])
    #expect(try requests(OSCMessage("/slitscan/gain")) == [.get(["gain"])])
    #expect(try requests(OSCMessage("/slitscan/list")) == [.list])
    #expect(try requests(OSCMessage("/slitscan/subscribe")) == [.subscribe(here)])
    for argument in [
      OSCArgument.whole(9001), .number(9001), .text("9001"), .text("127.0.0.1:9001"),
      .text("osc.udp://127.0.0.1:9001/"), .text("localhost:9001"),
    ] {
      #expect(
        try requests(OSCMessage("/slitscan/subscribe", argument)) == [
          .subscribe(here.at(port: 9001))
        ])
    }
    let six = try #require(OSCEndpoint("::1", port: 9001))
    #expect(
      try requests(OSCMessage("/slitscan/subscribe", .text("[::1]:9001"))) == [.subscribe(six)])
    #expect(try requests(OSCMessage("/slitscan/unsubscribe")) == [.unsubscribe(nil)])
    #expect(
      try requests(OSCMessage("/slitscan/unsubscribe", .whole(9001))) == [
        .unsubscribe(here.at(port: 9001))
      ])
  }

  @Test func anotherHostCanOnlySubscribeItself() throws {
    let message = OSCMessage("/slitscan/subscribe", .text("192.168.1.99:53"))
    #expect(try dialect.requests(message, from: here).count == 1)
    #expect(throws: StageError.self) { try dialect.requests(message, from: elsewhere) }
    for message in [
      OSCMessage("/slitscan/subscribe", .whole(9001)),
      OSCMessage("/slitscan/subscribe", .text("192.168.1.20:9001")),
    ] { #expect(try dialect.requests(message, from: elsewhere).count == 1) }
  }

  @Test func everyPropertyAndEveryMoveIsInTheList() {
    let list = OSCAddresses.list(dialect.parameters, presets: dialect.presets)
    let addresses = list.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    let wanted =
      dialect.parameters.all.map { "/slitscan/\($0.name)" }
      + Move.table.map { "/slitscan/\($0.isPart ? "PROPERTY/" : "")\($0.name)" }
    for address in wanted { #expect(addresses.contains { $0 == address }, "\(address)") }
  }

  @Test func noPropertyHasTheNameOfSomethingElse() {
    for verb in OSCDialect.verbs { #expect(dialect.parameters[verb.address] == nil) }
    #expect(dialect.parameters.all.allSatisfy { OSCDialect.part($0.name) == $0.name })
  }

  @Test func theMessageOfAChangeWouldMakeIt() throws {
    let state = PerformanceState(values: [:])
    for (change, move) in [
      (Change.property("gain", .double(2.5)), Move.set("gain", .double(2.5))),
      (.property("depth", .uint(60)), .set("depth", .int(60))),
      (.property("mode", .nick("sweep")), .set("mode", .string("sweep"))),
      (.property("freeze", .bool(true)), .set("freeze", .int(1))),
      (
        .driven("angle", .wave(.sine, beats: 4, from: 0, to: 360)),
        .drive("angle", .wave(.sine, beats: 4, from: 0, to: 360))
      ),
      (
        .driven("gain", .sound(20...200, from: 0, to: 1)),
        .drive("gain", .sound(20...200, from: 0, to: 1))
      ),
      (.driven("gain", nil), .release("gain")),
      (.preset("Vortex"), .preset("Vortex", beats: nil)),
      (.tempo(Tempo(128)), .tempo(128)),
      (.quantize(4), .quantize(4)),
      (.recording("a.mkv"), .record(.on, nil)),
      (.recording(nil), .record(.off, nil)),
      (.blackout(true), .blackout(.on)),
    ] {
      var feedback = OSCFeedback(state, dialect.parameters)
      let addresses = feedback.note(change)
      let address = try #require(addresses.first)
      let message = try #require(feedback[address])
      let received = try #require(OSCMessage(message.bytes[...]))
      #expect(try moves(received) == [move])
      #expect(addresses.first == move.address)
    }
    var feedback = OSCFeedback(state, dialect.parameters)
    #expect(
      feedback.note(.property("mix", .double(0.25))) == ["/slitscan/mix", "/slitscan/mix/fade"])
    #expect(feedback["/slitscan/mix/fade"]?.arguments == [.number(0.25)])
    // Nothing that mirrors what it hears starts anything anew.
    let preset = try #require(feedback["/slitscan/preset"])
    #expect(try moves(preset).isEmpty)
    for change in [
      Change.warning("x"), .notice("x"), .snapshot("a.png"), .recorded("a.mkv"),
    ] {
      let event = try #require(OSCFeedback.event(change))
      #expect(try dialect.requests(event, from: here).isEmpty)
      #expect(feedback.note(change).isEmpty)
    }
  }

  // MARK: Lists

  @Test func theListHasEverything() {
    let list = OSCAddresses.list(dialect.parameters, presets: dialect.presets)
    let addresses = Set(list.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    for parameter in dialect.parameters.all {
      #expect(addresses.contains("/slitscan/\(parameter.name)"))
    }
    for verb in ["preset", "snapshot", "record", "get", "subscribe", "preset/Time-Warp"] {
      #expect(addresses.contains("/slitscan/\(verb)"))
    }
  }

  @Test func everyAddressInTheSessionIsUnderstood() throws {
    let text = OSCAddresses.openStageControlSession(dialect.parameters, presets: dialect.presets)
    let session = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(session["type"] as? String == "session")
    var widgets = [try #require(session["content"] as? [String: Any])]
    var addresses: Set<String> = []
    var ids: Set<String> = []
    while let widget = widgets.popLast() {
      widgets += widget["tabs"] as? [[String: Any]] ?? []
      widgets += widget["widgets"] as? [[String: Any]] ?? []
      #expect(ids.insert(try #require(widget["id"] as? String)).inserted)
      guard let address = widget["address"] as? String else { continue }
      addresses.insert(address)
      let value: [OSCArgument] =
        switch widget["type"] as? String {
        case "fader": [.number(0.5)]
        case "switch": [.text(try #require((widget["values"] as? [String])?.last))]
        default: widget["mode"] as? String == "momentary" ? [] : [.whole(1)]
        }
      #expect(try moves(OSCMessage(address, value)).count == 1, "\(address)")
    }
    for parameter in dialect.parameters.all where parameter.value(at: 0) != nil {
      let address = OSCDialect.address(parameter.name)
      #expect(addresses.contains(address) || addresses.contains(address + "/fade"))
    }
  }

  @Test(arguments: [
    (
      OSCMessage(
        "/slitscan/draw", .whole(1), .number(0.2), .number(0.5), .text("xy"), .number(0.25),
        .whole(1)), "draw 1 0.2 0.5 xy 0.25 1"
    ),
    (OSCMessage("/slitscan/draw", .text("1"), .whole(1), .whole(1), .text("z")), nil),
    (OSCMessage("/slitscan/draw-fade", .number(10)), "draw-fade 10"),
    (OSCMessage("/slitscan/draw-clear", .impulse), "draw-clear"),
    (OSCMessage("/slitscan/map-source", .text("draw")), "map-source draw"),
  ]) func oscDraws(message: OSCMessage, line: String?) throws {
    let dialect = OSCDialect(parameters: try InMemoryStage().parameters, presets: [])
    let sender = try #require(OSCEndpoint("192.168.1.20", port: 4000))
    guard let line else {
      _ = #expect(throws: StageError.self) { try dialect.requests(message, from: sender) }
      return
    }
    #expect(try dialect.requests(message, from: sender) == [.move(Move(line))])
  }
}
