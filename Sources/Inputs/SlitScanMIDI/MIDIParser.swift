// The MIDI parser decodes a byte stream into messages. A value.

/// Finds messages in a stream of bytes.
///
/// Takes whatever comes: running status, real-time bytes in the middle of other messages, system-exclusive
/// data of any length, of which it keeps nothing, and noise. It never fails; what is no message is left
/// out. How the stream is cut into pieces makes no difference.
///
/// From the MIDI 1.0 Detailed Specification 4.2.1, "Data Format" and its appendix on receivers.
public struct MIDIParser: Sendable, Equatable {
  /// The status that data bytes belong to; 0 where they belong to nothing.
  private var status: UInt8 = 0
  /// The first of two data bytes.
  private var first: UInt8?

  /// Nothing was received yet.
  public init() {}

  /// The messages that are complete with some bytes.
  public mutating func parse(_ bytes: some Sequence<UInt8>) -> [MIDIMessage] {
    bytes.compactMap { parse($0) }
  }

  /// The message that is complete with a byte; nil where none is.
  public mutating func parse(_ byte: UInt8) -> MIDIMessage? {
    switch byte {
    // They come between the bytes of others, and change nothing about those.
    case 0xf8: return .clock
    case 0xfa: return .start
    case 0xfb: return .resume
    case 0xfc: return .stop
    case 0xf9, 0xfd...0xff: return nil
    case 0x80...:
      // 0xf0 begins data that belongs to nothing here, and 0xf7 ends it.
      status = (0x80...0xef).contains(byte) || (0xf1...0xf3).contains(byte) ? byte : 0
      first = nil
      return nil
    default: return take(byte)
    }
  }

  private mutating func take(_ byte: UInt8) -> MIDIMessage? {
    guard status != 0 else { return nil }
    if hasTwoBytes, first == nil {
      first = byte
      return nil
    }
    defer {
      first = nil
      // Only messages of channels go on without saying so again.
      if status >= 0xf0 { status = 0 }
    }
    return message(first ?? byte, byte)
  }

  private var hasTwoBytes: Bool {
    switch status {
    case 0xc0...0xdf, 0xf1, 0xf3: false
    default: true
    }
  }

  private func message(_ first: UInt8, _ second: UInt8) -> MIDIMessage? {
    let channel = (status & 0x0f) + 1
    let both = UInt16(second) << 7 | UInt16(first)
    switch status {
    case 0x80...0x8f: return .noteOff(first, channel: channel)
    case 0x90...0x9f:
      return second == 0
        ? .noteOff(first, channel: channel)
        : .noteOn(first, velocity: second, channel: channel)
    case 0xa0...0xaf: return .keyPressure(first, second, channel: channel)
    case 0xb0...0xbf: return .controller(first, second, channel: channel)
    case 0xc0...0xcf: return .program(first, channel: channel)
    case 0xd0...0xdf: return .pressure(first, channel: channel)
    case 0xe0...0xef: return .pitchBend(both, channel: channel)
    case 0xf2: return .songPosition(both)
    default: return nil
    }
  }
}

/// One message of MIDI 1.0.
///
/// Channels are counted as people do, from 1 to 16.
public enum MIDIMessage: Sendable, Hashable {
  /// A key or pad is pressed; a velocity of 0 is a ``noteOff(_:channel:)``.
  case noteOn(UInt8, velocity: UInt8, channel: UInt8)
  /// A key or pad is released.
  case noteOff(UInt8, channel: UInt8)
  /// The pressure on one key.
  case keyPressure(UInt8, UInt8, channel: UInt8)
  /// A knob, fader, pedal or button: a number and where it stands.
  case controller(UInt8, UInt8, channel: UInt8)
  /// A program is chosen.
  case program(UInt8, channel: UInt8)
  /// The pressure on the keys.
  case pressure(UInt8, channel: UInt8)
  /// The wheel, from 0 to 16383; 8192 is where it rests.
  case pitchBend(UInt16, channel: UInt8)
  /// The place where the song goes on, in sixteenths.
  case songPosition(UInt16)
  /// One of 24 ticks of a beat.
  case clock
  /// The song begins with the next tick.
  case start
  /// The song goes on with the next tick, where it stopped.
  case resume
  /// The song stops.
  case stop
}
