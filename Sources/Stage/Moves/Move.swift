// A move is one action of a performer; keys, MIDI, OSC and scripts all make moves.

import GStreamer

/// Something that is done on stage.
///
/// Every input makes moves, and nothing else happens to a performance. A move is a line of text, too, see
/// ``init(_:)``; so a show can be written down, read and played back.
public enum Move: Sendable, Equatable {
  /// Sets a property to a value.
  case set(String, Value)
  /// Sets several properties with the same frame, as one change to undo.
  case setAll([String: Value])
  /// Sets a property to a place of its fader, from 0 to 1.
  case fade(String, Double)
  /// Goes some choices on, round at the ends, or some hundredths of the fader.
  case step(String, Int)
  /// Turns a switch.
  case toggle(String)
  /// Sets a property, or all of them, to what they are by themselves.
  case reset(String?)
  /// Loads a preset, in some beats; 0 is at once, nil takes as long as ``glide(_:)`` says.
  case preset(String, beats: Double?)
  /// Loads the preset that comes some places later, round at the ends; as long as ``glide(_:)`` says.
  case nextPreset(Int)
  /// Saves what is seen, drives included, as a preset of the user's; nil for a name by number.
  case save(String?)
  /// Puts a preset on one end of the crossfader; nil for what is seen.
  case deck(Deck, String?)
  /// Sets every property to a place between the two decks: 0 is deck A, 1 deck B. What has no places in
  /// between, such as the map, changes halfway.
  case crossfade(Double)
  /// Shows another source of the video, by its number from 1 on; the crossfade takes some beats, and where
  /// there are none, as long as ``glide(_:)`` says.
  case source(Int, beats: Double?)
  /// Shows the source that comes some places later, round at the ends.
  case nextSource(Int)
  /// Goes to the next clip of the playlist that is shown, round at the end.
  case nextClip
  /// Goes to the clip before.
  case previousClip
  /// Has a source be the map `live`, by its number from 1 on.
  case mapSource(Int)
  /// Does something to the drawing, which can be the map `live`.
  case drawing(DrawingMove)
  /// Sets the length of changes of preset and source, in beats.
  case glide(Double)
  /// Writes the next whole frame to a file; nil for a name by the time.
  case snapshot(String?)
  /// Begins or completes a recording; nil for a name by the time.
  case record(Switch, String?)
  /// Writes the input of the last seconds as a film, and its moves beside it; nil for a name by the time.
  case keep(String?)
  /// Shows black, or the video again.
  case blackout(Switch)
  /// Opens an output that is closed, by its number from 1 on. On a display, by its number or name, an open window
  /// moves there.
  case reopenOutput(Int, display: String?)
  /// A beat, by hand.
  case tap
  /// Sets the tempo, in beats a minute, and which beat it is at this moment; nil leaves the beat as it is.
  case tempo(Double, beat: Double? = nil)
  /// Has the tempo follow the sound, or no longer; a tap or another tempo ends it.
  case followSound(Switch)
  /// Has changes of mode, map and preset wait for a whole number of beats; 0 for not waiting.
  case quantize(Double)
  /// Has a property move by itself.
  case drive(String, Drive)
  /// Ends that: the property stays where it is.
  case release(String)
  /// Has the next MIDI control that is moved move a property, in the place of another control if one is named, of
  /// one device or of all; nil for no property any more.
  case midiLearn(String?, replacing: String? = nil, device: String? = nil)
  /// Has a MIDI control do nothing any more, of one device or of all.
  case midiRemove(String, device: String? = nil)
  /// Takes back the last change of a property or preset.
  case undo
  /// Redoes the change last undone.
  case redo
}

/// An end of the crossfader.
public enum Deck: String, Sendable, Hashable, CaseIterable {
  case a
  case b
}

/// A change of a switch.
public enum Switch: String, Sendable, Hashable, CaseIterable {
  case on
  case off
  /// The other way round.
  case toggle

  /// The state after the change.
  public func applied(to isOn: Bool) -> Bool {
    switch self {
    case .on: true
    case .off: false
    case .toggle: !isOn
    }
  }
}

/// An animation of a property; the numbers are values of the property.
public enum Drive: Sendable, Hashable {
  /// Swings between two values, once in some beats.
  case wave(Wave, beats: Double, from: Double, to: Double)
  /// Goes to a value in some beats, and stays there.
  case ramp(beats: Double, to: Double)
  /// Follows how loud the sound is, between two values: all of it, or a band of frequencies in Hz.
  case sound(ClosedRange<Double>?, from: Double, to: Double)
}

/// The form of a swing.
public enum Wave: String, Sendable, Hashable, CaseIterable {
  case sine
  case square
  case saw
  case reverseSaw = "reverse-saw"
  case triangle
}
