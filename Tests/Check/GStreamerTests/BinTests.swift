// Tests of bins that elements come into and go out of while they play.

import GStreamer
import Testing

@Suite struct BinTests {
  @Test func anElementComesIntoABinAndGoesOutOfIt() async throws {
    let bin = try Element(
      binOf: "identity name=in ! compositor name=mix ! identity name=out",
      showing: [("picture", "out", "src")])
    #expect(bin.pads.map(\.name) == ["picture"])
    let pipeline = try Pipeline("fakesink name=sink")
    try await pipeline.add(bin)
    try bin.pad("picture").link(to: pipeline.element(named: "sink").pad("sink"))
    let source = try Element("videotestsrc")
    try bin.add(source)
    try source.link(to: bin.element(named: "in"))
    #expect(source.parent == bin)
    try await pipeline.play()
    await pipeline.remove(source)
    #expect(source.parent == nil)
    #expect(source.state == .null)
    await pipeline.stop()
  }

  @Test func aPadHasPropertiesOfItsOwn() throws {
    let pad = try Element("compositor").requestPad("sink_%u")
    try pad.set("alpha", to: 0.5)
    try pad.set("zorder", to: 7)
    #expect(
      #expect(throws: GStreamerError.self) { try pad.set("alpha", to: 2.0) }?.code == .outOfRange)
    #expect(
      #expect(throws: GStreamerError.self) { try pad.set("nothing", to: 1) }?.code
        == .noSuchProperty)
  }

  @Test func onlyABinTakesElements() throws {
    let identity = try Element("identity")
    let error = #expect(throws: GStreamerError.self) { try identity.add(try Element("queue")) }
    #expect(error?.code == .refused)
    let missing = #expect(throws: GStreamerError.self) {
      try Element(binOf: "identity name=in", showing: [("src", "in", "nothing")])
    }
    #expect(missing?.code == .noSuchPad)
  }
}
