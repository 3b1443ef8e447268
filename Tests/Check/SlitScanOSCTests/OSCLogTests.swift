// Tests of shows that are played by OSC, logged, and replayed.

import GStreamer
import SlitScanStage
import StageUnderTest
import Testing

@testable import SlitScanOSC

@Suite struct OSCLogTests {
  @Test func movesByOSCAreLoggedAndPlayAgain() async throws {
    let show = try await LoggedShow()
    let osc = OSCInput(show.performance, port: 0)
    try await osc.start()
    let client = try OSCClient(to: try #require(await osc.boundPort))
    let messages: [@Sendable () -> Void] = [
      { client.send("/slitscan/gain", 2.5) },
      { client.send("/slitscan/map", "radial") },
      { client.send("/slitscan/freeze", .flag(true)) },
      { client.send("/slitscan/mix/fade", 0.25) },
      { client.send("/slitscan/move", "set depth 50") },
      { client.send("/slitscan/{rows,columns}/fade", 0.5) },
      {
        client.send(
          [("/slitscan/center-x", 0.25), ("/slitscan/center-y", 0.75)], at: .immediately)
      },
      { client.send("/slitscan/map-location", "of \"two\"\nlines \u{301}") },
      { client.send("/slitscan/map-location", "007") },
      { client.send("/slitscan/tempo", 97) },
      { client.send("/slitscan/angle/drive", "sine 4 0 360") },
      { client.send("/slitscan/undo") },
      { client.send("/slitscan/blackout", whole: 1) },
    ]
    for send in messages {
      send()
      try await client.settle()
    }
    await osc.stop()
    let script = try await show.end()
    #expect(script.entries.count == messages.count)
    #expect(await show.performance.state.values["gain"] == .double(2.5))
    #expect(try await show.differences(from: script) == [])
  }
}
