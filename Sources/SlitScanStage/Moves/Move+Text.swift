// Moves as lines of text, which people write and shows are kept in.

import GStreamer

extension Move {
  /// What the lines look like, for `--help` and for who wrote one wrong.
  public static let forms = [
    "set PROPERTY VALUE",
    "fade PROPERTY PLACE",
    "step PROPERTY COUNT",
    "toggle PROPERTY",
    "reset [PROPERTY]",
    "preset NAME [BEATS]",
    "next-preset COUNT",
    "snapshot [FILE]",
    "record on|off|toggle [FILE]",
    "blackout on|off|toggle",
    "tap",
    "tempo BEATS-A-MINUTE",
    "quantize BEATS",
    "drive PROPERTY sine|square|saw|reverse-saw|triangle BEATS FROM TO",
    "drive PROPERTY ramp BEATS TO",
    "drive PROPERTY level FROM TO",
    "drive PROPERTY band HERTZ HERTZ FROM TO",
    "release PROPERTY",
    "undo",
    "redo",
  ]

  /// A move from a line: words separated by spaces; one with spaces is in double quotes, in which `\`
  /// goes before quotes and itself.
  ///
  /// Whether there is such a property is not known here.
  ///
  /// - Throws: ``StageError/Code/badMove``, which says what it should look like.
  public init(_ line: String) throws(StageError) {
    guard let words = Self.words(of: line), let verb = words.first,
      let move = Self.parse(verb, Array(words.dropFirst()))
    else { throw Self.refusal(of: line) }
    self = move
  }

  private static func refusal(of line: String) -> StageError {
    let verb = line.split(separator: " ").first.map(String.init) ?? ""
    let fitting = forms.filter { $0 == verb || $0.hasPrefix(verb + " ") }
    let verbs = Set(forms.compactMap { $0.split(separator: " ").first.map(String.init) }).sorted()
    return StageError(
      .badMove,
      fitting.isEmpty
        ? "\(verb.isEmpty ? "An empty line" : verb) is no move. There are: \(verbs.joined(separator: ", "))."
        : "`\(line)` is no move. Write: \(fitting.joined(separator: ", or ")).")
  }

  private static func parse(_ verb: String, _ rest: [String]) -> Move? {
    switch (verb, rest.count) {
    case ("set", 2): .set(rest[0], value(rest[1]))
    case ("fade", 2): number(rest[1]).map { .fade(rest[0], $0) }
    case ("step", 2): Int(rest[1]).map { .step(rest[0], $0) }
    case ("toggle", 1): .toggle(rest[0])
    case ("reset", 0...1): .reset(rest.first)
    case ("preset", 1): .preset(rest[0], beats: 0)
    case ("preset", 2): beats(rest[1]).map { .preset(rest[0], beats: $0) }
    case ("next-preset", 1): Int(rest[0]).map { .nextPreset($0) }
    case ("snapshot", 0...1): .snapshot(rest.first)
    case ("record", 1...2): Turn(rawValue: rest[0]).map { .record($0, rest.dropFirst().first) }
    case ("blackout", 1): Turn(rawValue: rest[0]).map { .blackout($0) }
    case ("tap", 0): .tap
    case ("tempo", 1): number(rest[0]).map { .tempo($0) }
    case ("quantize", 1): beats(rest[0]).map { .quantize($0) }
    case ("drive", 4...): drive(Array(rest.dropFirst())).map { .drive(rest[0], $0) }
    case ("release", 1): .release(rest[0])
    case ("undo", 0): .undo
    case ("redo", 0): .redo
    default: nil
    }
  }

  private static func drive(_ words: [String]) -> Drive? {
    let numbers = words.dropFirst().compactMap { number($0) }
    guard numbers.count == words.count - 1 else { return nil }
    switch (words[0], numbers.count) {
    case ("ramp", 2) where numbers[0] >= 0: return .ramp(beats: numbers[0], to: numbers[1])
    case ("level", 2): return .sound(nil, from: numbers[0], to: numbers[1])
    case ("band", 4) where 0 <= numbers[0] && numbers[0] < numbers[1]:
      return .sound(numbers[0]...numbers[1], from: numbers[2], to: numbers[3])
    case (_, 3) where numbers[0] > 0:
      return Wave(rawValue: words[0]).map {
        .wave($0, beats: numbers[0], from: numbers[1], to: numbers[2])
      }
    default: return nil
    }
  }

  private static func number(_ word: String) -> Double? {
    Double(word).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func beats(_ word: String) -> Double? {
    number(word).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// What a word stands for where a value is wanted.
  private static func value(_ word: String) -> Value {
    if let whole = Int64(word) { return .int(whole) }
    if let number = number(word) { return .double(number) }
    return .string(word)
  }

  // MARK: Words

  /// The words of a line; nil where a quote does not end.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in line {
      switch character {
      case _ where isEscaped:
        word = (word ?? "") + [character]
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted, "\t" where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + [character]
      }
    }
    if let word { words.append(word) }
    return isQuoted ? nil : words
  }

  private static func quoted(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: { " \t\"\\".contains($0) }) else { return word }
    let escaped = word.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }

  /// The line that stands for the move.
  public var line: String {
    words.map { Self.quoted($0) }.joined(separator: " ")
  }

  private var words: [String] {
    switch self {
    case .set(let name, let value): ["set", name, Knob.text(value)]
    case .fade(let name, let place): ["fade", name, "\(place)"]
    case .step(let name, let count): ["step", name, "\(count)"]
    case .toggle(let name): ["toggle", name]
    case .reset(let name): ["reset"] + [name].compactMap(\.self)
    case .preset(let name, beats: 0): ["preset", name]
    case .preset(let name, let beats): ["preset", name, "\(beats)"]
    case .nextPreset(let count): ["next-preset", "\(count)"]
    case .snapshot(let path): ["snapshot"] + [path].compactMap(\.self)
    case .record(let turn, let path): ["record", turn.rawValue] + [path].compactMap(\.self)
    case .blackout(let turn): ["blackout", turn.rawValue]
    case .tap: ["tap"]
    case .tempo(let tempo): ["tempo", "\(tempo)"]
    case .quantize(let beats): ["quantize", "\(beats)"]
    case .drive(let name, let drive): ["drive", name] + drive.words
    case .release(let name): ["release", name]
    case .undo: ["undo"]
    case .redo: ["redo"]
    }
  }
}

extension Drive {
  fileprivate var words: [String] {
    switch self {
    case .wave(let wave, let beats, let from, let to):
      [wave.rawValue, "\(beats)", "\(from)", "\(to)"]
    case .ramp(let beats, let to): ["ramp", "\(beats)", "\(to)"]
    case .sound(nil, let from, let to): ["level", "\(from)", "\(to)"]
    case .sound(let band?, let from, let to):
      ["band", "\(band.lowerBound)", "\(band.upperBound)", "\(from)", "\(to)"]
    }
  }
}
