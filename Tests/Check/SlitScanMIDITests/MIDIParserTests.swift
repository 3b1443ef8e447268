// Tests of parsing MIDI bytes.

import SeededGenerator
import Testing

@testable import SlitScanMIDI

@Suite struct MIDIParserTests {
  @Test(
    arguments: [
      ([0x90, 60, 100], [MIDIMessage.noteOn(60, velocity: 100, channel: 1)]),
      ([0x9f, 60, 0], [.noteOff(60, channel: 16)]),
      ([0x80, 60, 64], [.noteOff(60, channel: 1)]),
      ([0xa2, 60, 64], [.keyPressure(60, 64, channel: 3)]),
      ([0xb0, 7, 127], [.controller(7, 127, channel: 1)]),
      ([0xc9, 5], [.program(5, channel: 10)]),
      ([0xd0, 99], [.pressure(99, channel: 1)]),
      ([0xe0, 0, 64], [.pitchBend(8192, channel: 1)]),
      ([0xe0, 127, 127], [.pitchBend(16383, channel: 1)]),
      ([0xf2, 4, 1], [.songPosition(132)]),
      ([0xf8, 0xfa, 0xfb, 0xfc], [.clock, .start, .resume, .stop]),
      // Running status, of two bytes and of one.
      ([0xb0, 1, 2, 3, 4], [.controller(1, 2, channel: 1), .controller(3, 4, channel: 1)]),
      ([0xc0, 1, 2], [.program(1, channel: 1), .program(2, channel: 1)]),
      // Real-time bytes come anywhere.
      (
        [0xb0, 0xf8, 1, 0xfe, 2, 0xff, 3, 0xf8, 4],
        [.clock, .controller(1, 2, channel: 1), .clock, .controller(3, 4, channel: 1)]
      ),
      // System-exclusive data, with a clock inside; with an end, and ended by another message.
      ([0xb0, 0xf0, 1, 2, 0xf8, 3, 0xf7, 4, 5], [.clock]),
      ([0xf0, 1, 2, 3, 0x90, 60, 1], [.noteOn(60, velocity: 1, channel: 1)]),
      // Messages of the system end running status.
      ([0xb0, 1, 2, 0xf3, 9, 3, 4, 0xf6, 5, 6], [.controller(1, 2, channel: 1)]),
      ([0xb0, 1, 2, 0xf1, 9, 3, 4], [.controller(1, 2, channel: 1)]),
      ([0xf2, 1, 2, 3, 4], [.songPosition(257)]),
      // Undefined bytes: two of them end what went on, two do not.
      ([0xb0, 1, 0xf4, 2, 3, 4, 0xf5, 5], []),
      ([0xb0, 0xf9, 1, 0xfd, 2], [.controller(1, 2, channel: 1)]),
      // Half a message, and data that belongs to nothing.
      ([0xb0, 1, 0x90, 2, 3], [.noteOn(2, velocity: 3, channel: 1)]),
      ([1, 2, 3, 0xf7, 4], []),
    ] as [([UInt8], [MIDIMessage])]) func bytesAreMessages(bytes: [UInt8], messages: [MIDIMessage])
  {
    var parser = MIDIParser()
    #expect(parser.parse(bytes) == messages)
  }

  @Test(arguments: 0..<20) func piecesOfAStreamAreParsedAsTheWhole(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<20_000).map { _ in
      // As often data as status, or hardly any message would be whole.
      UInt8.random(in: Bool.random(using: &random) ? 0...127 : 128...255, using: &random)
    }
    var whole = MIDIParser()
    let messages = whole.parse(bytes)
    #expect(messages.count > 1000)
    var pieces = MIDIParser()
    var found: [MIDIMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...9, using: &random)
      found += pieces.parse(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(found == messages)
    #expect(pieces == whole)
  }

  @Test func noiseMovesControlsOnlyWithinTheirReach() {
    var random = SeededGenerator(seed: 7)
    var decoder = MIDIDecoder(device: 1)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let deliveries = decoder.decode(noise, at: .now)
    #expect(deliveries.count > 10_000)
    for case .event(_, let event, _) in deliveries {
      #expect((0...event.control.top).contains(event.value))
      #expect((0...1).contains(event.place))
      #expect((1...16).contains(event.control.channel ?? 0))
    }
  }

  @Test func dataWithoutAnEndIsHeldNowhere() {
    var parser = MIDIParser()
    #expect(parser.parse([0xf0] + [UInt8](repeating: 1, count: 1_000_000)).isEmpty)
    #expect(MemoryLayout<MIDIParser>.size <= 8)
    #expect(parser.parse([0xb0, 1, 2]) == [.controller(1, 2, channel: 1)])
  }
}
