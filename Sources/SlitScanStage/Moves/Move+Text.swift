// The text form of moves, for scripts, messages and logs.

import GStreamer

extension Move {
  /// The forms of the lines, for `--help` and for error messages.
  public static let forms = [
    "set PROPERTY VALUE [PROPERTY VALUE …]",
    "fade PROPERTY PLACE",
    "step PROPERTY COUNT",
    "toggle PROPERTY",
    "reset [PROPERTY]",
    "preset NAME [BEATS]",
    "next-preset COUNT",
    "save [NAME]",
    "deck a|b [PRESET]",
    "crossfade PLACE",
    "source NUMBER [BEATS]",
    "next-source COUNT",
    "map-source NUMBER",
    "next-clip",
    "previous-clip",
    "glide BEATS",
    "snapshot [FILE]",
    "record on|off|toggle [FILE]",
    "blackout on|off|toggle",
    "tap",
    "tempo BEATS-A-MINUTE [BEAT]",
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
  /// goes before quotes and itself, and `\u{A}` is a line break.
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
        ? "\(verb.isEmpty ? "An empty line" : verb) is not a move. There are: \(verbs.joined(separator: ", "))."
        : "`\(line)` is not a move. Write: \(fitting.joined(separator: ", or ")).")
  }

  private static func parse(_ verb: String, _ rest: [String]) -> Move? {
    switch (verb, rest.count) {
    case ("set", 2): .set(rest[0], value(rest[1]))
    case ("set", 4...): setAll(rest)
    case ("fade", 2): number(rest[1]).map { .fade(rest[0], $0) }
    case ("step", 2): Int(rest[1]).map { .step(rest[0], $0) }
    case ("toggle", 1): .toggle(rest[0])
    case ("reset", 0...1): .reset(rest.first)
    case ("preset", 1): .preset(rest[0], beats: nil)
    case ("preset", 2): beats(rest[1]).map { .preset(rest[0], beats: $0) }
    case ("next-preset", 1): Int(rest[0]).map { .nextPreset($0) }
    case ("save", 0...1): .save(rest.first)
    case ("deck", 1...2):
      Deck(rawValue: rest[0].lowercased()).map { .deck($0, rest.dropFirst().first) }
    case ("crossfade", 1): number(rest[0]).map { .crossfade($0) }
    case ("source", 1): Int(rest[0]).map { .source($0, beats: nil) }
    case ("source", 2):
      Int(rest[0]).flatMap { number in beats(rest[1]).map { .source(number, beats: $0) } }
    case ("next-source", 1): Int(rest[0]).map { .nextSource($0) }
    case ("map-source", 1): Int(rest[0]).map { .mapSource($0) }
    case ("next-clip", 0): .nextClip
    case ("previous-clip", 0): .previousClip
    case ("glide", 1): beats(rest[0]).map { .glide($0) }
    case ("snapshot", 0...1): .snapshot(rest.first)
    case ("record", 1...2): Switch(rawValue: rest[0]).map { .record($0, rest.dropFirst().first) }
    case ("blackout", 1): Switch(rawValue: rest[0]).map { .blackout($0) }
    case ("tap", 0): .tap
    case ("tempo", 1): number(rest[0]).map { .tempo($0) }
    case ("tempo", 2):
      number(rest[0]).flatMap { tempo in number(rest[1]).map { .tempo(tempo, beat: $0) } }
    case ("quantize", 1): beats(rest[0]).map { .quantize($0) }
    case ("drive", 4...): drive(Array(rest.dropFirst())).map { .drive(rest[0], $0) }
    case ("release", 1): .release(rest[0])
    case ("undo", 0): .undo
    case ("redo", 0): .redo
    default: nil
    }
  }

  private static func setAll(_ words: [String]) -> Move? {
    guard words.count.isMultiple(of: 2) else { return nil }
    let pairs = stride(from: 0, to: words.count, by: 2).map { (words[$0], value(words[$0 + 1])) }
    let values = Dictionary(pairs) { _, last in last }
    return values.count == pairs.count ? .setAll(values) : nil
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

  /// The value that a word stands for; a number only if it is written the same way, or "007" as the name
  /// of a file would become "7".
  private static func value(_ word: String) -> Value {
    if let whole = Int64(word), "\(whole)" == word { return .int(whole) }
    if let number = number(word), Parameter.text(.double(number)) == word { return .double(number) }
    return .string(word)
  }

  // MARK: Words

  /// The words of a line; nil where a quote does not end.
  ///
  /// By scalars, as an accent after a quote would make one character of both.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var isQuoted = false
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\\" where isQuoted:
        guard let escaped = unescaped(&scalars) else { return nil }
        word = word ?? String.UnicodeScalarView()
        word?.append(escaped)
      case "\"":
        isQuoted.toggle()
        word = word ?? String.UnicodeScalarView()
      case " " where !isQuoted, "\t" where !isQuoted:
        if let word { words.append(String(word)) }
        word = nil
      default:
        word = word ?? String.UnicodeScalarView()
        word?.append(scalar)
      }
    }
    if let word { words.append(String(word)) }
    return isQuoted ? nil : words
  }

  /// The character behind a backslash; nil where there is none.
  private static func unescaped(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    guard scalar == "u", rest.first == "{", let end = rest.firstIndex(of: "}") else {
      return scalar
    }
    let digits = String(rest[rest.index(after: rest.startIndex)..<end])
    guard let number = UInt32(digits, radix: 16) else { return nil }
    rest = rest[rest.index(after: end)...]
    return Unicode.Scalar(number)
  }

  private static func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars
    let isPlain = !scalars.contains {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
        || $0 == "\"" || $0 == "\\"
    }
    // An accent at the beginning would belong to the space before it.
    let beginsPlainly = scalars.first.map { !$0.properties.isGraphemeExtend } ?? false
    guard !isPlain || !beginsPlainly else { return word }
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar {
      case "\"", "\\": text.append(contentsOf: "\\\(scalar)".unicodeScalars)
      // A line of a script ends at each of these.
      case _ where Character(scalar).isNewline:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      default: text.append(scalar)
      }
    }
    return "\"\(String(text))\""
  }

  /// The line that stands for the move.
  public var line: String {
    words.map { Self.quoted($0) }.joined(separator: " ")
  }

  private var words: [String] {
    switch self {
    case .set(let name, let value): ["set", name, Parameter.text(value)]
    case .setAll(let values):
      ["set"] + values.sorted { $0.key < $1.key }.flatMap { [$0.key, Parameter.text($0.value)] }
    case .fade(let name, let place): ["fade", name, "\(place)"]
    case .step(let name, let count): ["step", name, "\(count)"]
    case .toggle(let name): ["toggle", name]
    case .reset(let name): ["reset"] + [name].compactMap(\.self)
    case .preset(let name, let beats): ["preset", name] + [beats].compactMap { $0.map { "\($0)" } }
    case .nextPreset(let count): ["next-preset", "\(count)"]
    case .save(let name): ["save"] + [name].compactMap(\.self)
    case .deck(let deck, let name): ["deck", deck.rawValue] + [name].compactMap(\.self)
    case .crossfade(let place): ["crossfade", "\(place)"]
    case .source(let number, let beats):
      ["source", "\(number)"] + [beats].compactMap { $0.map { "\($0)" } }
    case .nextSource(let count): ["next-source", "\(count)"]
    case .mapSource(let number): ["map-source", "\(number)"]
    case .nextClip: ["next-clip"]
    case .previousClip: ["previous-clip"]
    case .glide(let beats): ["glide", "\(beats)"]
    case .snapshot(let path): ["snapshot"] + [path].compactMap(\.self)
    case .record(let turn, let path): ["record", turn.rawValue] + [path].compactMap(\.self)
    case .blackout(let turn): ["blackout", turn.rawValue]
    case .tap: ["tap"]
    case .tempo(let tempo, let beat):
      ["tempo", "\(tempo)"] + [beat].compactMap { $0.map { "\($0)" } }
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
