// A MIDI action is the effect that moving a control has.

import GStreamer
import SlitScanStage

/// The effect of moving a control.
public enum MIDIAction: Sendable, Equatable {
  /// Moves a property between two places of its fader, from 0 to 1; from the greater to the smaller, the
  /// other way round. With a pickup, only from where the property is.
  case fader(String, from: Double, to: Double, hasPickup: Bool)
  /// Moves a property by steps, as ``Move/step(_:_:)`` does: so many for each click.
  case encoder(String, MIDIEncoder, steps: Int)
  /// Does a move when it is pressed.
  case press(Move)
  /// Does a move when it is pressed, and another when it is released.
  case hold(Move, Move)
  /// Sets a property while it is held; then that is again what it was.
  case momentary(String, Value)
  /// Moves between the presets of the two decks.
  case crossfade
  /// Loads the preset of its number, from 0, in some beats; nil takes as long as ``Move/glide(_:)`` says.
  case presets(beats: Double?)

  /// The property that it moves; nil where it does something else.
  public var property: String? {
    switch self {
    case .fader(let name, _, _, _), .encoder(let name, _, _), .momentary(let name, _),
      .press(.toggle(let name)), .press(.step(let name, _)), .press(.set(let name, _)),
      .press(.fade(let name, _)), .hold(.set(let name, _), _):
      name
    default: nil
    }
  }

  /// Whether each of its events counts, and not only where the control is in the end.
  var isDiscrete: Bool {
    switch self {
    case .fader, .crossfade: false
    default: true
    }
  }
}

/// The encoding of the direction of an endless encoder.
public enum MIDIEncoder: String, Sendable, Hashable, CaseIterable {
  /// 1, 2, 3 forward and 127, 126, 125 back: two's complement.
  case twos
  /// 65, 66, 67 forward and 63, 62, 61 back.
  case offset
  /// 1, 2, 3 forward and 65, 66, 67 back.
  case sign

  /// The clicks that a value stands for, forward or back.
  func clicks(of value: Int) -> Int {
    switch self {
    case .twos: value < 64 ? value : value - 128
    case .offset: value - 64
    case .sign: value < 64 ? value : 64 - value
    }
  }
}

// MARK: Text

extension MIDIAction {
  /// The forms of actions in files.
  static let forms = [
    "fader PROPERTY [FROM TO] [pickup|jump]",
    "encoder PROPERTY twos|offset|sign [STEPS]",
    "do MOVE",
    "hold MOVE / MOVE",
    "momentary PROPERTY VALUE",
    "presets [BEATS]",
    "crossfade",
  ]

  /// An action from text, for a control.
  ///
  /// - Throws: ``StageError/Code/badFile``, which says what it should look like.
  init(_ text: String, for control: MIDIControl) throws(StageError) {
    let text = text.trimmingSpaces
    guard let words = Move.words(of: text), let verb = words.first else {
      throw Self.refusal(of: text)
    }
    let rest = Array(words.dropFirst())
    let line = text.dropFirst(verb.count).trimmingSpaces
    let action: MIDIAction? =
      switch verb {
      case "fader": Self.fader(rest, control)
      case "encoder": Self.encoder(rest, control)
      case "do": .press(try Move(line))
      case "hold": try Self.hold(line)
      case "momentary": Self.momentary(line)
      case "presets": Self.presets(rest, control)
      case "crossfade": rest.isEmpty ? .crossfade : nil
      default: nil
      }
    guard let action else { throw Self.refusal(of: text) }
    self = action
  }

  private static func refusal(of text: String) -> StageError {
    let verb = text.split(separator: " ").first.map(String.init) ?? ""
    let fitting = forms.filter { $0.hasPrefix(verb + " ") }
    return StageError(
      .badFile,
      "`\(text)` is nothing that the control can do. Write: "
        + "\((fitting.isEmpty ? forms : fitting).joined(separator: ", or ")).")
  }

  private static func fader(_ words: [String], _ control: MIDIControl) -> MIDIAction? {
    var words = words
    // A wheel goes back by itself, and a key is struck anew: they never stand where the property is.
    var hasPickup =
      switch control.kind {
      case .pitchBend, .note, .pressure, .keyPressure, .program: false
      default: true
      }
    if let last = words.last, ["pickup", "jump"].contains(last), words.count > 1 {
      hasPickup = last == "pickup"
      words.removeLast()
    }
    let places = words.dropFirst().compactMap { Double($0) }.filter { (0...1).contains($0) }
    guard let name = words.first, places.count == words.count - 1, [0, 2].contains(places.count)
    else { return nil }
    return .fader(name, from: places.first ?? 0, to: places.last ?? 1, hasPickup: hasPickup)
  }

  private static func encoder(_ words: [String], _ control: MIDIControl) -> MIDIAction? {
    guard case .controller = control.kind, (2...3).contains(words.count),
      let encoder = MIDIEncoder(rawValue: words[1])
    else { return nil }
    guard words.count == 3 else { return .encoder(words[0], encoder, steps: 1) }
    return Int(words[2]).flatMap {
      (-100...100).contains($0) ? .encoder(words[0], encoder, steps: $0) : nil
    }
  }

  private static func hold(_ line: String) throws(StageError) -> MIDIAction? {
    guard let slash = line.firstRange(of: " / ") else { return nil }
    let press = try Move(String(line[..<slash.lowerBound]))
    return .hold(press, try Move(line[slash.upperBound...].trimmingSpaces))
  }

  private static func momentary(_ line: String) -> MIDIAction? {
    // Written as after `set`, and read as that.
    guard case .set(let name, let value) = try? Move("set \(line)") else { return nil }
    return .momentary(name, value)
  }

  private static func presets(_ words: [String], _ control: MIDIControl) -> MIDIAction? {
    guard case .program(nil) = control.kind, words.count < 2 else { return nil }
    guard let word = words.first else { return .presets(beats: nil) }
    return Double(word).flatMap { $0 >= 0 && $0.isFinite ? .presets(beats: $0) : nil }
  }

  /// The text that stands for it, for a control.
  func text(for control: MIDIControl) -> String {
    switch self {
    case .fader(let name, let from, let to, _):
      let plain = MIDIAction.fader(name, from: from, to: to, hasPickup: true)
      let byDefault = Self.fader([name, "\(from)", "\(to)"], control)
      return ["fader", name].joined(separator: " ")
        + (from == 0 && to == 1 ? "" : " \(from) \(to)")
        + (byDefault == self ? "" : plain == self ? " pickup" : " jump")
    case .encoder(let name, let encoder, let steps):
      return "encoder \(name) \(encoder.rawValue)" + (steps == 1 ? "" : " \(steps)")
    case .press(let move): return "do \(move.line)"
    case .hold(let press, let release): return "hold \(press.line) / \(release.line)"
    case .momentary(let name, let value):
      // As `set` writes it, quotes and all.
      return "momentary" + Move.set(name, value).line.dropFirst("set".count)
    case .crossfade: return "crossfade"
    case .presets(let beats): return beats.map { "presets \($0)" } ?? "presets"
    }
  }
}

// MARK: Properties

extension MIDIAction {
  /// The problem with it for an effect; nil where there is none.
  func problem(with parameters: Parameters) -> String? {
    do throws(StageError) {
      switch self {
      case .fader(let name, _, _, _), .encoder(let name, _, _):
        let parameter = try parameters.find(name)
        guard parameter.value(at: 0) != nil else {
          return "\(name) has no fader; it must be \(parameter.description)."
        }
      case .momentary(let name, let value):
        _ = try parameters.find(name).fit(value)
      case .press(let move): try move.check(with: parameters)
      case .hold(let press, let release):
        try press.check(with: parameters)
        try release.check(with: parameters)
      case .presets, .crossfade: break
      }
      return nil
    } catch {
      return error.message
    }
  }
}

extension Move {
  /// Whether an effect takes it, as far as that is known before it is done.
  fileprivate func check(with parameters: Parameters) throws(StageError) {
    _ = try visited(by: ParameterCheck(parameters: parameters))
  }
}

/// Sees whether an effect has the properties of a move, and takes their values.
private struct ParameterCheck: MoveVisitor {
  let parameters: Parameters
  var property = ""

  mutating func visit(property name: String) throws(StageError) {
    property = try parameters.find(name).name
  }

  func visit(value: Value) throws(StageError) -> Value { try parameters.find(property).fit(value) }

  func visit(drive: Drive) -> Drive { drive }

  func visit(file path: String) {}
}
