// The OSC words are the arguments of a message as the words of a move's line.

import SlitScanStage

/// Makes words of arguments, one after the other, for the table of moves.
///
/// A number stands for a preset, 1 and 0 for on and off, and a button that is released for nothing.
struct OSCWords {
  enum Reading: Equatable {
    case words([String])
    /// It only says that a button was released.
    case letGo
    /// There is no preset of this number.
    case noSuchPreset
    case unfit
  }

  private var arguments: ArraySlice<OSCArgument>
  private let presets: [String]

  init(_ arguments: [OSCArgument], presets: [String]) {
    self.arguments = arguments[...]
    self.presets = presets
  }

  var isAtEnd: Bool { arguments.isEmpty }

  /// The words of the next argument of a move.
  mutating func words(of kind: MoveArgumentKind, isOptional: Bool) -> Reading {
    let argument = arguments.popFirst()
    switch (kind, argument) {
    case (.turn, _): return Self.turn(argument)
    case (.count, nil), (.count, .nothing), (.count, .impulse): return .words(["1"])
    case (.word(let word), nil), (.word(let word), .nothing): return .words([word])
    case (_, nil), (_, .nothing), (_, .impulse): return isOptional ? .words([]) : .unfit
    case (.number, let argument?):
      return OSCDialect.number(argument).map { .words(["\($0)"]) } ?? .unfit
    case (.count, let argument?): return Self.count(argument)
    case (.ordinal, let argument?): return Self.ordinal(argument)
    case (.preset, let argument?): return preset(argument)
    case (.file, .text(let text)?), (.name, .text(let text)?), (.property, .text(let text)?):
      return .words(text.isEmpty && isOptional ? [] : [text])
    // A button that is pressed.
    case (.file, .whole?), (.file, .number?), (.file, .flag(true)?):
      return isOptional ? .words([]) : .unfit
    case (.name, _), (.property, _): return isOptional ? .words([]) : .unfit
    case (.deck, .text(let text)?), (.word, .text(let text)?): return .words([text])
    case (.drive, let argument?), (.stroke, let argument?): return numbers(argument)
    case (.settings, let argument?): return settings(argument)
    case (.file, _), (.deck, _), (.word, _): return .unfit
    }
  }

  private static func turn(_ argument: OSCArgument?) -> Reading {
    switch argument {
    case nil, .nothing, .impulse: .words([Switch.toggle.rawValue])
    case .flag(let isOn): .words([(isOn ? Switch.on : .off).rawValue])
    case .whole(0), .number(0): .words([Switch.off.rawValue])
    case .whole(1), .number(1): .words([Switch.on.rawValue])
    case .text(let text): .words([text])
    default: .unfit
    }
  }

  private static func count(_ argument: OSCArgument) -> Reading {
    guard let number = OSCDialect.number(argument) else { return .unfit }
    let count = Int(min(max(number.rounded(), -1e6), 1e6))
    return count == 0 ? .letGo : .words(["\(count)"])
  }

  private static func ordinal(_ argument: OSCArgument) -> Reading {
    guard let number = OSCDialect.number(argument), let whole = Int(exactly: number) else {
      if case .text(let text) = argument { return .words([text]) }
      return .unfit
    }
    return whole == 0 ? .letGo : .words(["\(whole)"])
  }

  private func preset(_ argument: OSCArgument) -> Reading {
    switch argument {
    // No preset, as we say it ourselves; and a button that was released.
    case .text(""), .whole(0), .number(0): return .letGo
    case .text(let text): return .words([text])
    case .whole, .number:
      guard let number = OSCDialect.number(argument), let index = Int(exactly: number),
        presets.indices.contains(index - 1)
      else { return .noSuchPreset }
      return .words([presets[index - 1]])
    default: return .unfit
    }
  }

  /// The names and values of properties, each an argument, or all of them in one text as in a line.
  private mutating func settings(_ first: OSCArgument) -> Reading {
    if arguments.isEmpty, case .text(let line) = first {
      return Move.words(of: line).map { .words($0) } ?? .unfit
    }
    return rest(first).map { .words($0) } ?? .unfit
  }

  /// All arguments that are left; one text may have several words.
  private mutating func numbers(_ first: OSCArgument) -> Reading {
    let words = rest(first)?.flatMap { $0.split(separator: " ").map(String.init) }
    return words.map { .words($0) } ?? .unfit
  }

  /// All arguments that are left, each as text; nil where one is none.
  private mutating func rest(_ first: OSCArgument) -> [String]? {
    defer { arguments = [] }
    let texts = ([first] + arguments).compactMap { argument in
      if case .flag(let flag) = argument { "\(flag)" } else { OSCDialect.word(argument) }
    }
    return texts.count == arguments.count + 1 ? texts : nil
  }
}

extension MoveRow {
  /// Whether it has an address of its own.
  var isVerb: Bool { !arguments.contains { isProperty($0) } }

  /// Whether it has an address below that of each property.
  var isPart: Bool { arguments.first?.kind == .property }

  private func isProperty(_ argument: (kind: MoveArgumentKind, isOptional: Bool)) -> Bool {
    argument.kind == .property && !argument.isOptional
  }

  /// Whether a button does it, which sends a number that says nothing when it is pressed.
  var isButton: Bool {
    arguments.allSatisfy { argument in
      switch argument.kind {
      case .property: true
      case .name, .file: argument.isOptional
      default: false
      }
    }
  }

  /// - Parameter isBelowProperty: Whether the address has the property already.
  func oscArguments(isBelowProperty: Bool = false) -> String {
    arguments.dropFirst(isBelowProperty ? 1 : 0).map { argument in
      let label =
        switch argument.kind {
        case .property: "property"
        case .settings: "property, value, [property, value …]"
        case .number(let label), .ordinal(let label): label
        case .count: "count"
        case .preset: argument.isOptional ? "preset" : "name or number of a preset"
        case .name: "name"
        case .word(let word): word
        case .file: "file"
        case .turn: "1 or 0"
        case .deck: "a or b"
        case .drive: "form and numbers"
        case .stroke: "value, size, softness, none|x|y|xy, x, y, [x, y …]"
        }
      return argument.isOptional || argument.kind == .turn || argument.kind == .count
        ? "[\(label)]" : label
    }.joined(separator: ", ")
  }
}
