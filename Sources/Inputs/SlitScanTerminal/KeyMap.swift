// The key map assigns an action to each key, in the terminal and over the window.

import GStreamer
import SlitScanStage

/// A key by its name: a character, or one of X's names, as `Left` or `Return`.
public struct Key: Sendable, Hashable {
  /// The name.
  public let name: String

  /// A key by its name; X's names of characters are the characters.
  public init(_ name: String) {
    self.name = Self.characters[name] ?? name
  }

  private static let characters = [
    "space": " ", "plus": "+", "minus": "-", "comma": ",", "period": ".", "question": "?",
    "bracketleft": "[", "bracketright": "]", "KP_Add": "+", "KP_Subtract": "-", "less": "<",
    "greater": ">", "equal": "=",
  ]
}

/// The action of a key.
public enum KeyAction: Sendable, Equatable {
  /// A move.
  case move(Move)
  /// The preset with a number in its bank, from 1 on; in as many beats as glides take.
  case preset(Int)
  /// The next or the last bank of ten presets under the number keys.
  case bank(Int)
  /// The next or the last parameter under the plus and minus keys.
  case select(Int)
  /// Turns the parameter that is selected by some steps.
  case turn(Int)
  /// Moves the crossfader by a part of its way.
  case crossfade(Double)
  /// The beats that glides take: the next of a few.
  case glide
  /// The beats that changes wait for: the next of a few.
  case quantize
  /// Learns a control for the parameter, or in the place of the control, that is selected.
  case learn
  /// Shows what MIDI controls do, or hides it.
  case assignments
  /// Has the control that is selected do nothing any more.
  case unassign
  /// Makes the window that has the focus full screen, or a window again.
  case fullScreen
  /// Opens the outputs that are closed.
  case reopen
  /// Ends what goes on: the choice of a control, or the full screen.
  case escape
  /// Shows the keys, or hides them.
  case help
  /// Ends the show.
  case quit
}

/// The keys.
public enum KeyMap {
  /// A key, what it does, and how that is said.
  public struct Entry: Sendable {
    /// The key.
    public let key: Key
    /// The action.
    public let action: KeyAction
    /// The key or keys, for people.
    public let label: String
    /// The description; empty where the previous entry covers it.
    public let summary: String

    init(_ key: String, _ action: KeyAction, _ label: String, _ summary: String) {
      self.key = Key(key)
      self.action = action
      self.label = label
      self.summary = summary
    }
  }

  /// All keys, in the order in which they are shown.
  public static let entries: [Entry] = [
    Entry("o", .move(.step("mode", 1)), "o O", "next or previous mode"),
    Entry("O", .move(.step("mode", -1)), "", ""),
    Entry("n", .move(.step("map", 1)), "n N", "next or previous map"),
    Entry("N", .move(.step("map", -1)), "", ""),
    Entry("Left", .move(.step("angle", -1)), "← →", "angle"),
    Entry("Right", .move(.step("angle", 1)), "", ""),
    Entry("[", .move(.step("depth", -2)), "[ ]", "depth"),
    Entry("]", .move(.step("depth", 2)), "", ""),
    Entry("f", .move(.toggle("freeze")), "f", "freeze"),
    Entry("i", .move(.toggle("invert")), "i", "invert the map"),
    Entry("Tab", .select(1), "tab ↑ ↓", "select a property"),
    Entry("Down", .select(1), "", ""),
    Entry("Up", .select(-1), "", ""),
    Entry("+", .turn(1), "+ -", "change it"),
    Entry("=", .turn(1), "", ""),
    Entry("-", .turn(-1), "", ""),
    Entry(">", .turn(10), "> <", "change it in large steps"),
    Entry("<", .turn(-10), "", ""),
    Entry("m", .learn, "m", "assign the next MIDI control to it"),
    Entry(
      "M", .assignments, "M", "MIDI controls: m changes one, delete removes it"),
    Entry("Delete", .unassign, "", ""),
    Entry("1", .preset(1), "1-9 0", "presets"),
    Entry("2", .preset(2), "", ""),
    Entry("3", .preset(3), "", ""),
    Entry("4", .preset(4), "", ""),
    Entry("5", .preset(5), "", ""),
    Entry("6", .preset(6), "", ""),
    Entry("7", .preset(7), "", ""),
    Entry("8", .preset(8), "", ""),
    Entry("9", .preset(9), "", ""),
    Entry("0", .preset(10), "", ""),
    Entry(".", .bank(1), ", .", "previous or next ten presets on the number keys"),
    Entry(",", .bank(-1), "", ""),
    Entry("p", .move(.nextPreset(1)), "p P", "next or previous preset"),
    Entry("P", .move(.nextPreset(-1)), "", ""),
    Entry("w", .move(.save(nil)), "w", "save what is seen as a preset"),
    Entry("A", .move(.deck(.a, nil)), "A B", "put what is seen on deck A or B"),
    Entry("B", .move(.deck(.b, nil)), "", ""),
    Entry("x", .crossfade(0.05), "x X", "crossfade towards deck B or A"),
    Entry("X", .crossfade(-0.05), "", ""),
    Entry("v", .move(.nextSource(1)), "v V", "next or previous source of the video"),
    Entry("V", .move(.nextSource(-1)), "", ""),
    Entry("c", .move(.nextClip), "c C", "next or previous clip of a playlist"),
    Entry("C", .move(.previousClip), "", ""),
    Entry("y", .move(.drawing(.nextImage)), "y Y", "next or previous image of --maps"),
    Entry("Y", .move(.drawing(.previousImage)), "", ""),
    Entry("g", .glide, "g", "length of changes of preset and source, in beats"),
    Entry("t", .move(.tap), "t space", "tap the tempo"),
    Entry(" ", .move(.tap), "", ""),
    Entry("k", .quantize, "k", "quantize mode, map, preset and source to beats"),
    Entry("s", .move(.snapshot(nil)), "s", "take a still"),
    Entry("S", .move(.keep(nil)), "S", "keep the input of the last seconds, with its moves"),
    Entry("r", .move(.record(.toggle, nil)), "r", "start or stop recording"),
    Entry("b", .move(.blackout(.toggle)), "b", "blackout on or off"),
    Entry("u", .move(.undo), "u", "undo"),
    Entry("U", .move(.redo), "U", "redo"),
    Entry("BackSpace", .move(.reset(nil)), "backspace", "reset all properties"),
    Entry("F11", .fullScreen, "F11 F", "full screen on or off"),
    Entry("F", .fullScreen, "", ""),
    Entry("e", .reopen, "e", "open closed windows and other outputs again"),
    Entry("Escape", .escape, "escape", "leave full screen, cancel the MIDI assignment"),
    Entry("?", .help, "?", "show or hide this list; tab ↑ ↓ scroll"),
    Entry("q", .quit, "q", "end the show; in a window or recording: twice"),
  ]

  private static let actions = Dictionary(
    entries.map { ($0.key, $0.action) }, uniquingKeysWith: { first, _ in first })

  /// The action of a key; nil for none.
  public static func action(of key: Key) -> KeyAction? { actions[key] }
}
