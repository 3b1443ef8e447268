// Tests of values that come in several messages.

import Testing

@testable import SlitScanMIDI

@Suite struct MIDIAssemblerTests {
  /// The values of one kind that some controllers of channel 1 make.
  private func values(_ kind: MIDIControl.Kind, _ controllers: [(UInt8, UInt8)]) -> [Int] {
    var assembler = MIDIAssembler()
    return controllers.flatMap { number, value in
      assembler.events(of: .controller(number, value, channel: 1))
    }
    .filter { $0.control == MIDIControl(kind, channel: 1) }.map(\.value)
  }

  @Test func twoControllersAreOneOf14Bits() {
    #expect(values(.pair(7), [(7, 1), (39, 2), (7, 127), (39, 127)]).last == 16383)
    #expect(values(.pair(7), [(7, 1), (39, 2)]) == [130])
    // What is fine is nothing without what is coarse.
    #expect(values(.pair(7), [(39, 2), (8, 1), (39, 2)]).isEmpty)
    // And both are heard by themselves.
    #expect(values(.controller(39), [(7, 1), (39, 2)]) == [2])
  }

  @Test func aSlowFaderNeverGoesBackAndForth() {
    for way in [Array(0...400), Array((0...400).reversed())] {
      let controllers = way.flatMap { [(UInt8(1), UInt8($0 >> 7)), (UInt8(33), UInt8($0 & 127))] }
      let heard = values(.pair(1), controllers)
      #expect(heard.first == way.first)
      #expect(heard.last == way.last)
      #expect(heard == (way[0] == 0 ? heard.sorted() : heard.sorted(by: >)))
    }
  }

  @Test func parametersAreChosenAndMoved() {
    let choice: [(UInt8, UInt8)] = [(99, 2), (98, 44)]
    #expect(values(.parameter(300), choice + [(6, 64), (38, 3), (38, 4)]).last == 64 << 7 | 4)
    // Without the fine half, the coarse one goes all the way.
    #expect(values(.parameter(300), choice + [(6, 0), (6, 127)]) == [0, 16383])
    #expect(values(.registered(0), [(101, 0), (100, 0), (6, 12)]) == [12 << 7 | 12])
    // None is chosen, or not wholly.
    #expect(values(.parameter(16383), [(99, 127), (98, 127), (6, 1)]).isEmpty)
    #expect(values(.parameter(300), [(99, 2), (6, 64)]).isEmpty)
    #expect(values(.parameter(300), [(99, 2), (100, 44), (6, 64)]).isEmpty)
  }

  @Test func placesGoFromEndToEndAndHaveAMiddle() {
    for kind in [MIDIControl.Kind.controller(1), .pair(1), .pitchBend] {
      let control = MIDIControl(kind, channel: 1)
      let places = (0...control.top).map { MIDIEvent(control, $0).place }
      #expect(places.first == 0)
      #expect(places.last == 1)
      #expect(places[(control.top + 1) / 2] == 0.5)
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
