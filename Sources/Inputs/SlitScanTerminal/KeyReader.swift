// The key reader decodes the bytes that a terminal sends into keys. A value: no terminal.

/// Takes the bytes of a terminal apart.
///
/// The sequences are those of ECMA-48 and xterm. What is none of them is left out.
public struct KeyReader: Sendable {
  private enum State {
    case ground
    case escape
    /// Within `ESC [`, with what has come so far.
    case control([UInt8])
    /// After `ESC [ [`, as Linux's console begins F1 to F5.
    case console
    /// After `ESC O`.
    case single
    /// Within a character of several bytes.
    case character([UInt8], missing: Int)
  }

  /// The longest sequence that is waited for; terminals send shorter ones.
  private static let limit = 16
  private var state = State.ground

  /// A terminal that has sent nothing yet.
  public init() {}

  /// Whether an escape has come that may be the key, or the begin of a sequence.
  public var isOpen: Bool { if case .escape = state { true } else { false } }

  /// Nothing came after an escape: it was the key.
  public mutating func close() -> Key? {
    guard isOpen else { return nil }
    state = .ground
    return Key("Escape")
  }

  /// The key that ends with a byte; nil where none does.
  public mutating func read(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: return begin(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .control([])
      case UInt8(ascii: "O"): state = .single
      default: return begin(byte)
      }
    case .single:
      state = .ground
      return Self.arrows[byte].map { Key($0) }
    case .console: state = .ground
    case .control([]) where byte == UInt8(ascii: "["): state = .console
    case .control(let bytes):
      // Parameters until a byte from @ to ~ ends them.
      if (0x40...0x7e).contains(byte) {
        state = .ground
        guard byte != UInt8(ascii: "~") else { return Self.functions[bytes].map { Key($0) } }
        return bytes.isEmpty ? (Self.arrows[byte] ?? Self.tabs[byte]).map { Key($0) } : nil
      }
      state = bytes.count < Self.limit ? .control(bytes + [byte]) : .ground
    case .character(let bytes, let missing):
      guard byte & 0xc0 == 0x80 else { return begin(byte) }
      guard missing == 1 else {
        state = .character(bytes + [byte], missing: missing - 1)
        return nil
      }
      state = .ground
      return String(validating: bytes + [byte], as: UTF8.self).map { Key($0) }
    }
    return nil
  }

  private mutating func begin(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case 0x1b: state = .escape
    case 0x09: return Key("Tab")
    case 0x0a, 0x0d: return Key("Return")
    case 0x03, 0x04: return Key("q")
    case 0x7f, 0x08: return Key("BackSpace")
    case 0x20..<0x7f: return Key(String(UnicodeScalar(byte)))
    case 0xc2..<0xe0: state = .character([byte], missing: 1)
    case 0xe0..<0xf0: state = .character([byte], missing: 2)
    case 0xf0..<0xf5: state = .character([byte], missing: 3)
    default: break
    }
    return nil
  }

  private static let arrows: [UInt8: String] = [
    UInt8(ascii: "A"): "Up", UInt8(ascii: "B"): "Down", UInt8(ascii: "C"): "Right",
    UInt8(ascii: "D"): "Left",
  ]
  /// Keys by the parameters before `~`: as VT220, xterm, Linux's console, tmux and rxvt have them.
  private static let functions: [[UInt8]: String] = [
    Array("3".utf8): "Delete", Array("23".utf8): "F11", Array("23;1".utf8): "F11",
  ]
  private static let tabs: [UInt8: String] = [UInt8(ascii: "Z"): "Up"]
}
