// Tests of shows that are played by MIDI, logged, and replayed.

import Foundation
import GStreamer
import LibC
import SlitScanStage
import StageUnderTest
import Testing

@testable import SlitScanMIDI

@Suite struct MIDILogTests {
  @Test func movesByMIDIAreLoggedAndPlayAgain() async throws {
    let show = try await LoggedShow()
    let fifo = show.folder.path + "/box"
    try #require(mkfifo(fifo, 0o600) == 0)
    try MIDIMap(
      """
      channel 1 cc 7 = fader gain jump
      channel 1 note 60 = momentary freeze on
      """
    ).write(MIDIMap.path(for: "box", in: show.folder.path))
    let midi = MIDIInput(show.performance, sources: [.stream(path: fifo)], folder: show.folder.path)
    try await midi.start()
    let writer = try #require(FileHandle(forWritingAtPath: fifo))
    var changes = show.performance.changes.makeAsyncIterator()
    try writer.write(contentsOf: Data([0xb0, 7, 127]))
    while await changes.next() != .property("gain", .double(8)) {}
    // A clock of 24 ticks a beat.
    try writer.write(contentsOf: Data([0xfa]))
    for tick in 0..<48 {
      // A fader that has moved says that the tick before it was heard.
      try writer.write(contentsOf: Data([0xf8, 0xb0, 7, tick.isMultiple(of: 2) ? 0 : 127]))
      while let change = await changes.next() { if case .property("gain", _) = change { break } }
      show.clock.advance(by: .milliseconds(15))
    }
    await midi.stop()
    let script = try await show.end()
    #expect(script.entries.first?.move == .fade("gain", 1))
    #expect(
      script.entries.contains { if case .tempo = $0.move { true } else { false } }, "No tempo.")
    #expect(try await show.differences(from: script) == [])
  }
}
