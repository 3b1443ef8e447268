// A MIDI control is a parameter, fader, pad, key or wheel of a device.

/// One control of a device, and where it is.
public struct MIDIControl: Sendable, Hashable {
  /// The kind and number of a control.
  public enum Kind: Sendable, Hashable {
    /// A controller of 7 bits, by its number.
    case controller(Int)
    /// A controller of 14 bits: a number from 0 to 31 for what is coarse, and the one 32 above for what
    /// is fine.
    case pair(Int)
    /// A parameter that is not registered (NRPN), of 14 bits.
    case parameter(Int)
    /// A registered parameter (RPN), of 14 bits.
    case registered(Int)
    /// A key or pad.
    case note(Int)
    /// The pressure on a key.
    case keyPressure(Int)
    /// The pressure on the keys.
    case pressure
    /// The wheel, of 14 bits.
    case pitchBend
    /// A program that is chosen; nil for whichever.
    case program(Int?)
  }

  /// The kind and number of a control.
  public let kind: Kind
  /// The channel, from 1 to 16; nil for whichever.
  public let channel: Int?

  /// A control.
  public init(_ kind: Kind, channel: Int? = nil) {
    self.kind = kind
    self.channel = channel
  }

  var onAnyChannel: MIDIControl { MIDIControl(kind) }

  var isNote: Bool { if case .note = kind { true } else { false } }

  /// The highest value it has.
  var top: Int {
    switch kind {
    case .pair, .parameter, .registered, .pitchBend: 16383
    default: 127
    }
  }
}

/// A control was moved.
public struct MIDIEvent: Sendable, Hashable {
  /// Which; its channel is known.
  public let control: MIDIControl
  /// The value: 0 to 127, or to 16383 for 14 bits.
  ///
  /// Of a note, the velocity, and 0 for letting go; of a program, its number.
  public let value: Int

  /// A control was moved.
  public init(_ control: MIDIControl, _ value: Int) {
    self.control = control
    self.value = min(max(value, 0), control.top)
  }

  /// The position in its range, from 0 to 1.
  ///
  /// The value that MIDI has for the middle, 64 or 8192, is exactly ½, so below and above it steps differ
  /// a little; as in the MIDI 2.0 specification's "min-center-max" scaling.
  public var place: Double {
    let middle = (control.top + 1) / 2
    return value <= middle
      ? Double(value) / Double(2 * middle)
      : 0.5 + Double(value - middle) / Double(2 * (control.top - middle))
  }

  /// Whether it is a press rather than letting go: a note that sounds, or the upper half of the way.
  public var isPressed: Bool {
    switch control.kind {
    case .note: value > 0
    case .program: true
    default: 2 * value > control.top
    }
  }
}

// MARK: Text

extension MIDIControl {
  /// The forms of controls in files.
  static let forms =
    "cc 0…127, cc14 0…31, nrpn 0…16383, rpn 0…16383, note 0…127, key-pressure 0…127, pressure, "
    + "pitch-bend, program [0…127]; each may have `channel 1…16` before it"

  /// A control from text, as `channel 10 note 36`; nil where it is none.
  public init?(_ text: String) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var channel: Int?
    if words.first == "channel", words.count > 1 {
      guard let number = Self.number(words[1], in: 1...16) else { return nil }
      channel = number
      words.removeFirst(2)
    }
    guard let kind = Self.kind(words) else { return nil }
    self.init(kind, channel: channel)
  }

  private static func kind(_ words: [String]) -> Kind? {
    let word = words.dropFirst().first
    switch (words.first, words.count) {
    case ("cc", 2): return number(word, in: 0...127).map { .controller($0) }
    case ("cc14", 2): return number(word, in: 0...31).map { .pair($0) }
    case ("nrpn", 2): return number(word, in: 0...16383).map { .parameter($0) }
    case ("rpn", 2): return number(word, in: 0...16383).map { .registered($0) }
    case ("note", 2): return number(word, in: 0...127).map { .note($0) }
    case ("key-pressure", 2): return number(word, in: 0...127).map { .keyPressure($0) }
    case ("pressure", 1): return .pressure
    case ("pitch-bend", 1): return .pitchBend
    case ("program", 1): return .program(nil)
    case ("program", 2): return number(word, in: 0...127).map { .program($0) }
    default: return nil
    }
  }

  private static func number(_ word: String?, in range: ClosedRange<Int>) -> Int? {
    word.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The text that stands for it.
  public var text: String {
    let name =
      switch kind {
      case .controller(let number): "cc \(number)"
      case .pair(let number): "cc14 \(number)"
      case .parameter(let number): "nrpn \(number)"
      case .registered(let number): "rpn \(number)"
      case .note(let number): "note \(number)"
      case .keyPressure(let number): "key-pressure \(number)"
      case .pressure: "pressure"
      case .pitchBend: "pitch-bend"
      case .program(let number): number.map { "program \($0)" } ?? "program"
      }
    return channel.map { "channel \($0) \(name)" } ?? name
  }
}
