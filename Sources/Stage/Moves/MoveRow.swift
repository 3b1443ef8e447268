// A row of the table of moves: what one move is called, what it takes and what it does.

/// The traits of a move, which are known before it is done.
package struct MoveTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It changes the look; undo takes it back.
  static let look = MoveTraits(rawValue: 1)
  /// It writes a file: the end of a show waits for it.
  static let file = MoveTraits(rawValue: 2)
  /// It puts something where it says, wherever that was before: of several that wait, only the last counts.
  static let place = MoveTraits(rawValue: 4)
  /// It takes as long as a disk or a network does, as what writes a file: other moves do not wait for it.
  static let slow = MoveTraits(rawValue: 8)
}

/// A move, whatever arguments it has.
package protocol MoveRow: Sendable {
  /// The first word of its line.
  var name: String { get }
  /// Its effect, as in "loads a preset".
  var summary: String { get }
  var traits: MoveTraits { get }
  /// Its arguments, and whether each may be left out.
  var arguments: [(kind: MoveArgumentKind, isOptional: Bool)] { get }
  /// The forms of its line.
  var forms: [String] { get }

  /// The move with these arguments; nil where they are wrong.
  func move(_ words: ArraySlice<String>) -> Move?

  /// Whether a move is one of this row.
  func contains(_ move: Move) -> Bool

  /// The arguments of a move; nil of one of another row.
  func words(of move: Move) -> [String]?

  /// The move as a visitor of its arguments leaves it; nil of one of another row.
  func visit(_ move: Move, by visitor: inout any MoveVisitor) throws(StageError) -> Move?
}

/// A row whose arguments have these types.
struct TypedMoveRow<each Argument: Sendable>: MoveRow {
  let name: String
  let traits: MoveTraits
  let summary: String
  private let typed: (repeat MoveArgument<each Argument>)
  private let make: @Sendable (repeat each Argument) -> Move
  private let take: @Sendable (Move) -> (repeat each Argument)?

  /// - Parameters:
  ///   - make: The move of some arguments.
  ///   - take: The arguments of a move; nil of another move.
  init(
    _ name: String, _ traits: MoveTraits, _ summary: String,
    _ arguments: repeat MoveArgument<each Argument>,
    make: @escaping @Sendable (repeat each Argument) -> Move,
    take: @escaping @Sendable (Move) -> (repeat each Argument)?
  ) {
    self.name = name
    self.traits = traits
    self.summary = summary
    typed = (repeat each arguments)
    self.make = make
    self.take = take
  }

  var arguments: [(kind: MoveArgumentKind, isOptional: Bool)] {
    var arguments: [(kind: MoveArgumentKind, isOptional: Bool)] = []
    for argument in repeat each typed { arguments.append((argument.kind, argument.isOptional)) }
    return arguments
  }

  var forms: [String] {
    var forms = [name]
    for argument in repeat each typed {
      forms = forms.flatMap { form in argument.forms.map { "\(form) \($0)" } }
    }
    return forms
  }

  private struct Unreadable: Error {}

  private func read<Value>(
    _ argument: MoveArgument<Value>, _ words: inout ArraySlice<String>
  ) throws(Unreadable) -> Value {
    guard let value = argument.read(&words) else { throw Unreadable() }
    return value
  }

  func move(_ words: ArraySlice<String>) -> Move? {
    var words = words
    guard let values = try? (repeat read(each typed, &words)), words.isEmpty else { return nil }
    return make(repeat each values)
  }

  func contains(_ move: Move) -> Bool { take(move) != nil }

  func words(of move: Move) -> [String]? {
    guard let values = take(move) else { return nil }
    var words: [String] = []
    for (argument, value) in repeat (each typed, each values) { words += argument.write(value) }
    return words
  }

  func visit(_ move: Move, by visitor: inout any MoveVisitor) throws(StageError) -> Move? {
    guard let values = take(move) else { return nil }
    return make(repeat try (each typed).visit(each values, &visitor))
  }
}
