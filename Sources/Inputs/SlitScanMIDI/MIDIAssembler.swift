// The MIDI assembler combines messages into control movements: 14-bit values, RPNs and NRPNs. A value.

import SlitScanStage

/// Puts together what comes in several messages: controllers of 14 bits, and parameters.
///
/// Everything that a message can mean is told: of a controller from 0 to 63, both the 7 bits and the 14.
/// Which of them counts is for the map to say.
public struct MIDIAssembler: Sendable, Equatable {
  /// Of a value of 14 bits, what was heard.
  private struct Halves: Sendable, Equatable {
    var coarse: Int?
    var hasFine = false

    /// The value when the coarse half comes; nil where there is nothing to say before the fine one.
    ///
    /// The fine half follows at once, if it comes at all. Until then, the end of the new step that is
    /// nearer to the old one is said, so that a slow fader never goes back and forth.
    mutating func take(coarse new: Int) -> Int? {
      let old = coarse
      coarse = new
      guard hasFine, let old, old != new else { return nil }
      return new > old ? new << 7 : new << 7 | 127
    }

    /// The value when the fine half comes; nil where there was no coarse one.
    mutating func take(fine: Int) -> Int? {
      guard let coarse else { return nil }
      hasFine = true
      return coarse << 7 | fine
    }
  }

  /// The parameter that data is meant for.
  private struct Parameter: Sendable, Equatable {
    var isRegistered = false
    var coarse: Int?
    var fine: Int?
    var data = Halves()

    /// Which one; nil for none.
    var kind: MIDIControl.Kind? {
      guard let coarse, let fine, coarse < 127 || fine < 127 else { return nil }
      return isRegistered ? .registered(coarse << 7 | fine) : .parameter(coarse << 7 | fine)
    }

    mutating func choose(_ isRegistered: Bool, coarse: Int?, fine: Int?) {
      let before = kind
      if self.isRegistered != isRegistered { (self.coarse, self.fine) = (nil, nil) }
      self.isRegistered = isRegistered
      self.coarse = coarse ?? self.coarse
      self.fine = fine ?? self.fine
      if kind != before { data = Halves() }
    }
  }

  private var pairs: [MIDIControl: Halves] = [:]
  private var parameters: [UInt8: Parameter] = [:]

  /// Nothing was heard yet.
  public init() {}

  /// The events of a message, in the order in which they become known.
  public mutating func events(of message: MIDIMessage) -> [MIDIEvent] {
    switch message {
    case .noteOn(let note, let velocity, let channel): [event(.note(Int(note)), velocity, channel)]
    case .noteOff(let note, let channel): [event(.note(Int(note)), 0, channel)]
    case .keyPressure(let note, let value, let channel):
      [event(.keyPressure(Int(note)), value, channel)]
    case .pressure(let value, let channel): [event(.pressure, value, channel)]
    case .program(let number, let channel): [event(.program(Int(number)), number, channel)]
    case .pitchBend(let value, let channel): [event(.pitchBend, value, channel)]
    case .controller(let number, let value, let channel):
      [event(.controller(Int(number)), value, channel)]
        + [finer(Int(number), Int(value), channel)].compactMap(\.self)
    case .songPosition, .clock, .start, .resume, .stop: []
    }
  }

  private func event(_ kind: MIDIControl.Kind, _ value: some BinaryInteger, _ channel: UInt8)
    -> MIDIEvent
  {
    MIDIEvent(MIDIControl(kind, channel: Int(channel)), Int(value))
  }

  /// The movement of 14 bits that a controller is a part of.
  private mutating func finer(_ number: Int, _ value: Int, _ channel: UInt8) -> MIDIEvent? {
    switch number {
    case 6 where parameters[channel]?.kind != nil:
      guard let kind = parameters[channel]?.kind else { return nil }
      let old = parameters[channel]?.data.coarse
      let known = parameters[channel]?.data.take(coarse: value)
      // Many devices send no fine half of a parameter: then the coarse one is all of the way.
      guard parameters[channel]?.data.hasFine == false else {
        return known.map { event(kind, $0, channel) }
      }
      return old == value ? nil : event(kind, value << 7 | value, channel)
    case 38 where parameters[channel]?.kind != nil:
      guard let kind = parameters[channel]?.kind,
        let known = parameters[channel]?.data.take(fine: value)
      else { return nil }
      return event(kind, known, channel)
    case 0...31:
      let control = MIDIControl(.pair(number), channel: Int(channel))
      return pairs[control, default: Halves()].take(coarse: value).map { MIDIEvent(control, $0) }
    case 32...63:
      let control = MIDIControl(.pair(number - 32), channel: Int(channel))
      return pairs[control]?.take(fine: value).map { MIDIEvent(control, $0) }
    case 98: parameters[channel, default: Parameter()].choose(false, coarse: nil, fine: value)
    case 99: parameters[channel, default: Parameter()].choose(false, coarse: value, fine: nil)
    case 100: parameters[channel, default: Parameter()].choose(true, coarse: nil, fine: value)
    case 101: parameters[channel, default: Parameter()].choose(true, coarse: value, fine: nil)
    default: break
    }
    return nil
  }
}
