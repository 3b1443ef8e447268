// The arguments of moves: what each kind is called, how it is written, and what others may put there.

import GStreamer

/// The kind of an argument, by which inputs that send no text, such as OSC, make words of what they have.
package enum MoveArgumentKind: Sendable, Equatable {
  case property
  case settings
  /// A number, which what sends it may call something else than the text does.
  case number(String)
  /// Some steps, forward or back; a button without a number is one step.
  case count
  /// A number from 1 on; a button that is released is 0.
  case ordinal(String)
  case preset
  /// A name that is free.
  case name
  /// Always the same word.
  case word(String)
  case file
  /// On, off, or the other way round.
  case turn
  case deck
  case drive
  case stroke
}

struct MoveArgument<Value: Sendable>: Sendable {
  let kind: MoveArgumentKind
  /// The forms of its words, for people.
  let forms: [String]
  /// Takes its words; nil where they are wrong, or missing.
  let read: @Sendable (inout ArraySlice<String>) -> Value?
  let write: @Sendable (Value) -> [String]
  /// Shows it to a visitor, which may change it or refuse it.
  let visit: @Sendable (Value, inout any MoveVisitor) throws(StageError) -> Value
  var isOptional = false

  init(
    _ kind: MoveArgumentKind, _ forms: [String],
    read: @escaping @Sendable (inout ArraySlice<String>) -> Value?,
    write: @escaping @Sendable (Value) -> [String],
    visit: @escaping @Sendable (Value, inout any MoveVisitor) throws(StageError) -> Value = {
      (value, _) throws(StageError) in value
    }
  ) {
    self.kind = kind
    self.forms = forms
    self.read = read
    self.write = write
    self.visit = visit
  }

  /// An argument of one word.
  init(
    _ kind: MoveArgumentKind, _ form: String, read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String = { "\($0)" },
    visit: @escaping @Sendable (Value, inout any MoveVisitor) throws(StageError) -> Value = {
      (value, _) throws(StageError) in value
    }
  ) {
    self.init(
      kind, [form], read: { words in words.popFirst().flatMap { read($0) } },
      write: { [write($0)] }, visit: visit)
  }

  /// The same, at the end of a line, where it may be left out.
  var optional: MoveArgument<Value?> {
    var optional = MoveArgument<Value?>(
      kind, forms.map { "[\($0)]" },
      read: { [read] words in words.isEmpty ? .some(nil) : read(&words).map { .some($0) } },
      write: { [write] in $0.map { write($0) } ?? [] },
      visit: { [visit] (value, visitor) throws(StageError) in
        guard let value else { return nil }
        return try visit(value, &visitor)
      })
    optional.isOptional = true
    return optional
  }
}

/// Looks at the arguments of a move that name properties or files, from the first to the last.
package protocol MoveVisitor {
  mutating func visit(property name: String) throws(StageError)
  /// The property that was named last is set.
  mutating func visit(value: Value) throws(StageError) -> Value
  /// The property that was named last is animated.
  mutating func visit(drive: Drive) throws(StageError) -> Drive
  mutating func visit(file path: String) throws(StageError)
}

enum MoveArguments {
  static let property = MoveArgument(
    .property, "PROPERTY", read: { $0 }, write: { $0 },
    visit: { (name, visitor) throws(StageError) in
      try visitor.visit(property: name)
      return name
    })
  static let place = number("PLACE", "0 to 1")
  static let beats = number("BEATS", "beats", from: 0)
  static let tempo = number("BEATS-A-MINUTE", "beats per minute")
  static let beat = number("BEAT", "beat")
  static let count = MoveArgument(.count, "COUNT", read: { Int($0) })
  static let source = MoveArgument(.ordinal("number of a source"), "NUMBER", read: { Int($0) })
  static let output = MoveArgument(.ordinal("number of an output"), "NUMBER", read: { Int($0) })
  static let reopen = MoveArgument<Void>(
    .word("reopen"), "reopen", read: { $0 == "reopen" ? () : nil }, write: { "reopen" })
  static let display = MoveArgument(
    .ordinal("number or name of a display"), "DISPLAY", read: { $0 }, write: { $0 })
  static let preset = MoveArgument(.preset, "NAME", read: { $0 }, write: { $0 })
  static let name = MoveArgument(.name, "NAME", read: { $0 }, write: { $0 })
  static let control = MoveArgument(.name, "CONTROL", read: { $0 }, write: { $0 })
  static let device = MoveArgument(.name, "DEVICE", read: { $0 }, write: { $0 })
  static let file = MoveArgument(
    .file, "FILE", read: { $0 }, write: { $0 },
    visit: { (path, visitor) throws(StageError) in
      try visitor.visit(file: path)
      return path
    })
  static let turn = MoveArgument(
    .turn, "on|off|toggle", read: { Switch(rawValue: $0) }, write: \.rawValue)
  static let deck = MoveArgument(
    .deck, "a|b", read: { Deck(rawValue: $0.lowercased()) }, write: \.rawValue)
  static let settings = MoveArgument(
    .settings, ["PROPERTY VALUE [PROPERTY VALUE …]"], read: { readSettings(&$0) },
    write: { (values: [String: Value]) in
      values.sorted { $0.key < $1.key }.flatMap { [$0.key, Parameter.text($0.value)] }
    },
    visit: { (values, visitor) throws(StageError) in
      var visited: [String: Value] = [:]
      for (name, value) in values {
        try visitor.visit(property: name)
        visited[name] = try visitor.visit(value: value)
      }
      return visited
    })
  static let drive = MoveArgument(
    .drive,
    [
      "sine|square|saw|reverse-saw|triangle BEATS FROM TO", "ramp BEATS TO", "level FROM TO",
      "band HERTZ HERTZ FROM TO",
    ], read: { readDrive(&$0) }, write: \Drive.words,
    visit: { (drive, visitor) throws(StageError) in try visitor.visit(drive: drive) })

  private static func number(
    _ form: String, _ label: String, from lowest: Double = -.infinity
  ) -> MoveArgument<Double> {
    MoveArgument(
      .number(label), form, read: { word in number(word).flatMap { $0 >= lowest ? $0 : nil } })
  }

  static func number(_ word: String) -> Double? {
    Double(word).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func readSettings(_ words: inout ArraySlice<String>) -> [String: Value]? {
    var values: [String: Value] = [:]
    while let name = words.popFirst() {
      guard let word = words.popFirst(), values.updateValue(value(word), forKey: name) == nil else {
        return nil
      }
    }
    return values.isEmpty ? nil : values
  }

  /// The value that a word stands for; a number only if it is written the same way, or "007" as the name
  /// of a file would become "7".
  private static func value(_ word: String) -> Value {
    if let whole = Int64(word), "\(whole)" == word { return .int(whole) }
    if let number = number(word), Parameter.text(.double(number)) == word { return .double(number) }
    return .string(word)
  }

  private static func readDrive(_ words: inout ArraySlice<String>) -> Drive? {
    guard let form = words.popFirst() else { return nil }
    let numbers = words.compactMap { number($0) }
    guard numbers.count == words.count else { return nil }
    words = []
    switch (form, numbers.count) {
    case ("ramp", 2) where numbers[0] >= 0: return .ramp(beats: numbers[0], to: numbers[1])
    case ("level", 2): return .sound(nil, from: numbers[0], to: numbers[1])
    case ("band", 4) where 0 <= numbers[0] && numbers[0] < numbers[1]:
      return .sound(numbers[0]...numbers[1], from: numbers[2], to: numbers[3])
    case (_, 3) where numbers[0] > 0:
      return Wave(rawValue: form).map {
        .wave($0, beats: numbers[0], from: numbers[1], to: numbers[2])
      }
    default: return nil
    }
  }
}

extension Drive {
  /// Its words in the line of a move.
  package var words: [String] {
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
