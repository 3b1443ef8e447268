// A MIDI message, decoded.

/// One message of MIDI 1.0.
///
/// Channels are counted as people do, from 1 to 16.
public enum MIDIMessage: Sendable, Hashable {
  /// A key or pad is pressed; a velocity of 0 is a ``noteOff(_:channel:)``.
  case noteOn(UInt8, velocity: UInt8, channel: UInt8)
  /// A key or pad is let go of.
  case noteOff(UInt8, channel: UInt8)
  /// How hard one key is held.
  case keyPressure(UInt8, UInt8, channel: UInt8)
  /// A knob, fader, pedal or button: a number and where it stands.
  case controller(UInt8, UInt8, channel: UInt8)
  /// A program is chosen.
  case program(UInt8, channel: UInt8)
  /// How hard the keys are held.
  case pressure(UInt8, channel: UInt8)
  /// The wheel, from 0 to 16383; 8192 is where it rests.
  case pitchBend(UInt16, channel: UInt8)
  /// Where the song goes on, in sixteenths.
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
