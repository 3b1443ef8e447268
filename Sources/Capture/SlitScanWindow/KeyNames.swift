// The X11 names of SDL's keys.

import CSDL
import GStreamer

/// The names that X has for keys.
enum KeyNames {
  /// The name of the key that types a character.
  static func name(of character: Unicode.Scalar) -> String {
    switch character {
    case "a"..."z", "A"..."Z", "0"..."9": String(character)
    default:
      punctuation[character]
        ?? "U" + String(UInt64(character.value), radix: 16, digits: 4).uppercased()
    }
  }

  /// The name of a key that types nothing; nil for the others.
  static func name(of code: SDL_Keycode) -> String? { others[code] }

  private static let punctuation: [Unicode.Scalar: String] = [
    " ": "space", "!": "exclam", "\"": "quotedbl", "#": "numbersign", "$": "dollar",
    "%": "percent", "&": "ampersand", "'": "apostrophe", "(": "parenleft", ")": "parenright",
    "*": "asterisk", "+": "plus", ",": "comma", "-": "minus", ".": "period", "/": "slash",
    ":": "colon", ";": "semicolon", "<": "less", "=": "equal", ">": "greater", "?": "question",
    "@": "at", "[": "bracketleft", "\\": "backslash", "]": "bracketright", "^": "asciicircum",
    "_": "underscore", "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright",
    "~": "asciitilde",
  ]

  private static let others: [SDL_Keycode: String] = {
    let codes: [(SDL_KeyCode, String)] = [
      (SDLK_LEFT, "Left"), (SDLK_RIGHT, "Right"), (SDLK_UP, "Up"), (SDLK_DOWN, "Down"),
      (SDLK_TAB, "Tab"), (SDLK_RETURN, "Return"), (SDLK_KP_ENTER, "KP_Enter"),
      (SDLK_ESCAPE, "Escape"), (SDLK_BACKSPACE, "BackSpace"), (SDLK_DELETE, "Delete"),
      (SDLK_INSERT, "Insert"), (SDLK_HOME, "Home"), (SDLK_END, "End"), (SDLK_PAGEUP, "Prior"),
      (SDLK_PAGEDOWN, "Next"), (SDLK_F1, "F1"), (SDLK_F2, "F2"), (SDLK_F3, "F3"),
      (SDLK_F4, "F4"), (SDLK_F5, "F5"), (SDLK_F6, "F6"), (SDLK_F7, "F7"), (SDLK_F8, "F8"),
      (SDLK_F9, "F9"), (SDLK_F10, "F10"), (SDLK_F11, "F11"), (SDLK_F12, "F12"),
    ]
    return Dictionary(
      codes.map { (SDL_Keycode(bitPattern: $0.rawValue), $1) }, uniquingKeysWith: { $1 })
  }()
}
