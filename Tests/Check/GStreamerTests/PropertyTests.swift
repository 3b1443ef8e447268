// Tests of properties and signals: every basic type, and every mismatch.

import Testing

@testable import GStreamer

@Suite struct PropertyTests {
  @Test func propertiesOfEveryBasicTypeAreReadAsTheyWereSet() throws {
    let source = try Element("videotestsrc")
    try source.set("num-buffers", to: 12)
    #expect(try source.get("num-buffers") == 12)
    try source.set("is-live", to: true)
    #expect(try source.get("is-live") == true)
    try source.set("horizontal-speed", to: -5)
    #expect(try source.get("horizontal-speed") == -5)
    try source.set("timestamp-offset", to: Int64.max)
    #expect(try source.get("timestamp-offset") == Int64.max)
    try source.set("foreground-color", to: UInt32.max)
    #expect(try source.get("foreground-color") == UInt32.max)
    try source.set("pattern", to: "ball")
    #expect(try source.get("pattern") == "ball")
    try source.set("pattern", to: 0)
    #expect(try source.get("pattern") == "smpte")

    let filter = try Element("capsfilter")
    let caps = try Caps("video/x-raw,format=GRAY8,framerate=30/1")
    try filter.set("caps", to: caps)
    #expect(try filter.get("caps") == caps)

    let queue = try Element("queue")
    try queue.set("max-size-time", to: ClockTime.seconds(2.5))
    #expect(try queue.get("max-size-time") == ClockTime(nanoseconds: 2_500_000_000))

    let volume = try Element("volume")
    try volume.set("volume", to: 0.25)
    #expect(try volume.get("volume") == 0.25)
    try volume.set("volume", to: 2)
    #expect(try volume.get("volume") == 2.0)

    let file = try Element("filesrc")
    try file.set("location", to: "/nowhere")
    #expect(try file.get("location") == "/nowhere")
    #expect(try Element("identity").get("last-message", as: Value.self) == .none)
  }

  @Test func fractionsStructuresFlagsAndObjectsAreValuesToo() throws {
    let rate = try Element("videorate")
    try rate.set("max-rate", to: 25)
    let encoder = try Element("capssetter")
    try encoder.set("caps", to: "video/x-raw, pixel-aspect-ratio=(fraction)64/45")
    let caps: Caps = try encoder.get("caps")
    #expect(caps.structures.first?.get("pixel-aspect-ratio") == Fraction(64, 45))
    let pipeline = try Pipeline("playbin name=player")
    let player = pipeline.element
    try player.set("flags", to: "video+audio")
    let flags: String = try player.get("flags")
    #expect(flags == "video+audio")
    let sink = try Element("fakesink")
    try player.set("video-sink", to: sink)
    #expect(try player.get("video-sink") == sink)
  }

  @Test func mismatchesAreErrorsThatSaySo() throws {
    let source = try Element("videotestsrc", name: "bars")
    func code(_ body: () throws -> Void) -> GStreamerError.Code? {
      do {
        try body()
        return nil
      } catch let error as GStreamerError {
        #expect(error.source == "bars")
        #expect(!error.message.isEmpty)
        return error.code
      } catch { return nil }
    }
    #expect(code { try source.set("no-such", to: 1) } == .noSuchProperty)
    #expect(code { _ = try source.get("no-such", as: Int.self) } == .noSuchProperty)
    #expect(code { try source.set("", to: 1) } == .noSuchProperty)
    #expect(code { try source.set("num-buffers", to: "many") } == .wrongType)
    #expect(code { try source.set("num-buffers", to: true) } == .wrongType)
    #expect(code { try source.set("num-buffers", to: 1.5) } == .wrongType)
    #expect(code { try source.set("num-buffers", to: Value.none) } == .wrongType)
    #expect(code { try source.set("num-buffers", to: Int64.max) } == .outOfRange)
    #expect(code { try source.set("num-buffers", to: -2) } == .outOfRange)
    #expect(code { try source.set("pattern", to: "no-such") } == .outOfRange)
    #expect(code { try source.set("pattern", to: 1000) } == .outOfRange)
    #expect(code { try source.set("is-live", to: source) } == .wrongType)
    #expect(code { _ = try source.get("pattern", as: Int.self) } == .wrongType)
    #expect(code { try source.connect("no-such") { _ in nil } } == .noSuchSignal)
    #expect(code { try source.emit("no-such") } == .noSuchSignal)
    #expect(code { try source.emit("pad-added") } == .noSuchSignal)
    #expect(code { _ = try source.pad("no-such") } == .noSuchPad)
    #expect(code { _ = try source.requestPad("src_%u") } == .noSuchPad)
    #expect(code { _ = try source.element(named: "inside") } == .noSuchElement)
  }

  @Test func aPropertyThatCanOnlyBeReadIsNotWritten() throws {
    let sink = try Element("fakesink")
    #expect { try sink.set("stats", to: Structure("stats")) } throws: {
      ($0 as? GStreamerError)?.code == .notAccessible
    }
    let statistics: Structure = try sink.get("stats")
    #expect(statistics.get("rendered", as: UInt64.self) == 0)
  }

  @Test func anElementThatIsNotInstalledIsAnErrorThatNamesIt() {
    #expect { try Element("nosuchelement") } throws: { error in
      (error as? GStreamerError)?.code == .noSuchElement
        && (error as? GStreamerError)?.message.contains("nosuchelement") == true
    }
    #expect(!Element.isInstalled("nosuchelement"))
    #expect(Element.isInstalled("fakesink"))
  }

  @Test func aSignalReachesItsHandlerWithItsArgumentsUntilItIsDisconnected() throws {
    let element = try Element("tee")
    let heard = Shared<[String]>([])
    let connection = try element.connect("pad-added") { arguments in
      if case .pad(let pad)? = arguments.first { heard.withLock { $0.append(pad.name) } }
      return nil
    }
    _ = try element.requestPad("src_%u")
    connection.disconnect()
    connection.disconnect()
    _ = try element.requestPad("src_%u")
    #expect(heard.value == ["src_0"])
  }

  @Test func anActionSignalAnswersAndRefusesArgumentsThatDoNotFit() throws {
    let sink = try Element("appsink")
    #expect(try sink.emit("try-pull-sample", .int(0)) == .none)
    #expect { try sink.emit("try-pull-sample") } throws: {
      ($0 as? GStreamerError)?.code == .wrongType
    }
    #expect { try sink.emit("try-pull-sample", .string("soon")) } throws: {
      ($0 as? GStreamerError)?.code == .wrongType
    }
  }

  @Test func capsSayWhatIsWrongWithThem() throws {
    #expect { try Caps("video/x-raw,,") } throws: {
      ($0 as? GStreamerError)?.code == .invalidDescription
    }
    #expect { try Caps(Structure("no name!")) } throws: {
      ($0 as? GStreamerError)?.code == .invalidDescription
    }
    let caps = try Caps(Structure("video/x-raw", ["width": .int(3), "format": .string("RGB")]))
    #expect(try caps == Caps("video/x-raw,format=RGB,width=3"))
    #expect(try caps.isSubset(of: Caps("video/x-raw,width=[1,4]")))
    #expect(try !caps.intersects(Caps("video/x-raw,width=4")))
  }

  @Test func timesStopAtTheEndsOfTheirRange() {
    let longest = ClockTime(nanoseconds: .max)
    #expect(longest + longest == longest)
    #expect(ClockTime.zero - longest == .zero)
    #expect(ClockTime.seconds(-1) == .zero)
    #expect(ClockTime.seconds(.infinity) == longest)
    #expect(ClockTime.seconds(.nan) == .zero)
    #expect(ClockTime.milliseconds(.max) == longest)
    #expect(ClockTime(gstClockTime: .max) == nil)
    #expect(ClockTime.seconds(3661.5).description == "1:01:01.500000000")
  }
}
