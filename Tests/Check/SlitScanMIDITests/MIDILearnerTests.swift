// Tests of learning which control is meant.

import GStreamer
import Testing

@testable import SlitScanMIDI
@testable import SlitScanStage

@Suite struct MIDILearnerTests {
  /// The line that is learned for a property from messages of channel 3.
  private func learn(_ property: String, _ bytes: [UInt8]) throws -> String? {
    var learner = MIDILearner(try InMemoryStage().parameters.find(property))
    var decoder = MIDIDecoder(device: 1)
    for case .event(_, let event, _) in decoder.decode(bytes, at: .now) {
      if let (control, action) = learner.handle(event) {
        return "\(control.text) = \(action.text(for: control))"
      }
    }
    return nil
  }

  private func controllers(_ number: UInt8, _ values: [UInt8]) -> [UInt8] {
    values.flatMap { [0xb2, number, $0] }
  }

  @Test func aFaderThatIsClearlyMoved() throws {
    #expect(try learn("depth", controllers(7, Array(40...60))) == "channel 3 cc 7 = fader depth")
    // It may be fast.
    #expect(try learn("depth", controllers(7, [0, 40, 90])) == "channel 3 cc 7 = fader depth")
    // It may be beside one that trembles.
    let both = Array(40...60).flatMap { controllers(8, [63, 64, 65]) + controllers(41, [$0]) }
    #expect(try learn("depth", both) == "channel 3 cc 41 = fader depth")
  }

  @Test func tremblingControlsAreNotLearned() throws {
    let values = (0..<500).map { UInt8(60 + $0 % 8) }
    #expect(try learn("depth", controllers(7, values)) == nil)
    #expect(try learn("depth", controllers(7, [20, 21, 22, 21])) == nil)
  }

  @Test func fourteenBits() throws {
    let way = stride(from: 5000, to: 9000, by: 60)
    let pairs: [UInt8] = way.flatMap { [0xb2, 1, UInt8($0 >> 7), 33, UInt8($0 & 127)] }
    #expect(try learn("gain", pairs) == "channel 3 cc14 1 = fader gain")
    let parameter: [UInt8] = way.flatMap {
      [0xb2, 99, 2, 98, 44, 6, UInt8($0 >> 7), 38, UInt8($0 & 127)]
    }
    let found = try learn("gain", parameter)
    #expect(found == "channel 3 nrpn 300 = fader gain")
    let wheel: [UInt8] = way.flatMap { [0xe2, UInt8($0 & 127), UInt8($0 >> 7)] }
    #expect(try learn("gain", wheel) == "channel 3 pitch-bend = fader gain")
    // Two parameters that have nothing to do with each other.
    #expect(
      try learn("gain", controllers(1, [5]) + controllers(2, [5]) + controllers(1, Array(6...40)))
        == "channel 3 cc 1 = fader gain")
  }

  @Test(
    arguments: [
      ([1, 1, 1, 127, 127, 127, 1, 1, 2], "twos"),
      ([65, 65, 65, 63, 63, 63, 65, 65, 66], "offset"),
      ([1, 1, 1, 65, 65, 65, 1, 1, 2], "sign"),
    ] as [([UInt8], String)]) func endlessKnobs(values: [UInt8], kind: String) throws
  {
    let found = try learn("angle", controllers(16, values))
    #expect(found == "channel 3 cc 16 = encoder angle \(kind)")
  }

  @Test func padsAndButtonsAreForWhatHasNoWayToGo() throws {
    let pad: [UInt8] = [0x92, 36, 100, 0x82, 36, 0]
    #expect(try learn("freeze", pad) == "channel 3 note 36 = do toggle freeze")
    #expect(try learn("map", pad) == "channel 3 note 36 = do step map 1")
    #expect(try learn("depth", pad) == nil)
    let button = controllers(20, [127, 0, 127, 0])
    #expect(try learn("freeze", button) == "channel 3 cc 20 = do toggle freeze")
    #expect(try learn("depth", button) == nil)
  }

  @Test func theKindThatIsLearnedIsWhatWasTurned() {
    for encoder in MIDIEncoder.allCases {
      let clicks = (0...127).map { encoder.clicks(of: $0) }
      #expect(clicks.contains(1) && clicks.contains(-1) && clicks.contains(0))
      #expect(clicks.allSatisfy { (-64...63).contains($0) })
    }
    #expect(MIDIEncoder.twos.clicks(of: 127) == -1)
    #expect(MIDIEncoder.offset.clicks(of: 63) == -1)
    #expect(MIDIEncoder.sign.clicks(of: 65) == -1)
  }
}
