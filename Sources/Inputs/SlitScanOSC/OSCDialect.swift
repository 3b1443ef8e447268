// The OSC dialect translates addresses and arguments into requests.

import GStreamer
import SlitScanStage

/// Makes requests of messages: the one place that knows the addresses.
struct OSCDialect: Sendable {
  /// The beginning of every address.
  static let root = "slitscan"
  /// The longest text that is taken, in bytes.
  static let longestText = 4096

  let parameters: Parameters
  let presets: [String]

  /// The addresses besides those of properties, with what they take and do.
  static let verbs: [(address: String, arguments: String, purpose: String)] =
    Move.table.filter { $0.isVerb }.map { ($0.name, $0.oscArguments(), $0.summary) } + own

  /// The addresses that are no moves, or moves in other words.
  private static let own: [(address: String, arguments: String, purpose: String)] = [
    ("preset/next", "", "loads the next preset"),
    ("preset/previous", "", "loads the previous preset"),
    ("preset/NAME", "", "loads that preset, for buttons"),
    ("move", "line", "performs a move as text, such as \"drive angle sine 4 0 360\""),
    ("get", "[property]", "replies with the value of the property, or of all properties"),
    ("list", "", "replies with the names and ranges of the properties"),
    (
      "subscribe", "[port or host:port]",
      "sends every change to the sender, or to that port, for 60 s"
    ),
    ("unsubscribe", "[port or host:port]", "stops sending changes"),
  ]

  /// The addresses below a property's, with what they take and do.
  static let parts: [(address: String, arguments: String, purpose: String)] =
    Move.table.filter { $0.isPart }.map {
      ($0.name, $0.oscArguments(isBelowProperty: true), $0.summary)
    }

  static func address(_ parts: String...) -> String {
    ([root] + parts).map { "/\($0)" }.joined()
  }

  // MARK: What is asked for

  /// The requests of a message: none where it is not for us, or only says that a button was released.
  ///
  /// - Throws: What is wrong with it.
  func requests(_ message: OSCMessage, from sender: OSCEndpoint) throws(StageError) -> [OSCRequest]
  {
    let path = message.address.split(separator: "/", omittingEmptySubsequences: false)
    guard path.count > 1, path[0].isEmpty, try Self.isRoot(path[1]) else { return [] }
    for argument in message.arguments {
      if case .text(let text) = argument, text.utf8.count > Self.longestText {
        throw StageError(.badMove, "OSC: a text for \(message.address) is too long.")
      }
      if case .other(let type) = argument {
        throw StageError(
          .badMove, "OSC: \(message.address) takes no argument of the type \(type).")
      }
    }
    return try requests(path.dropFirst(2).map(String.init), message, from: sender)
  }

  private func requests(
    _ path: [String], _ message: OSCMessage, from sender: OSCEndpoint
  ) throws(StageError) -> [OSCRequest] {
    let arguments = message.arguments
    switch path {
    case ["get"]: return [.get(try names(arguments))]
    case ["list"]: return [.list]
    case ["subscribe"]:
      return [.subscribe(try receiver(arguments, from: sender) ?? sender)]
    case ["unsubscribe"]: return [.unsubscribe(try receiver(arguments, from: sender))]
    // Our own messages, said back.
    case ["trouble"], ["notice"], ["snapshot", "written"], ["record", "written"]: return []
    default: break
    }
    if let verb = path.first, path.count > 1 ? verb == "preset" : Self.isVerb(verb) {
      return try move(path, message).map { [.move($0)] } ?? []
    }
    guard let name = path.first, path.count < 3 else { throw unknown(message.address) }
    let found = try matching(name)
    guard !found.isEmpty else { throw unknown(message.address) }
    if path.count == 1, arguments.isEmpty { return [.get(found.map(\.name))] }
    var requests: [OSCRequest] = []
    for parameter in found {
      if let move = try move(of: parameter, path.dropFirst().first, message) {
        requests.append(.move(move))
      }
    }
    return requests
  }

  private static func isVerb(_ word: String) -> Bool { verbs.contains { $0.address == word } }

  private func unknown(_ address: String) -> StageError {
    StageError(
      .noSuchProperty,
      "OSC: there is no address \(address). Send \(Self.address("list")) for the properties."
    )
  }

  private func unfit(_ message: OSCMessage, _ wanted: String) -> StageError {
    StageError(.badMove, "OSC: \(message.address) takes \(wanted).")
  }

  // MARK: Patterns

  /// The parameters that a name or a pattern of names matches.
  private func matching(_ name: String) throws(StageError) -> [Parameter] {
    if let parameter = parameters[name] { return [parameter] }
    guard let pattern = try Self.pattern(name[...]) else { return [] }
    return parameters.all.filter { pattern.matches($0.name) }
  }

  /// A part of an address as a pattern; nil for a name.
  private static func pattern(_ part: Substring) throws(StageError) -> OSCPattern? {
    guard part.contains(where: { "*?[{".contains($0) }) else { return nil }
    guard let pattern = OSCPattern(part) else {
      throw StageError(.badMove, "OSC: \(part) is no pattern that can be matched.")
    }
    return pattern
  }

  private static func isRoot(_ part: Substring) throws(StageError) -> Bool {
    if part == root { return true }
    return try pattern(part)?.matches(root) == true
  }

  // MARK: Arguments

  /// Whether a button was pressed, and not released: controllers send 1 for the one and 0 for the other.
  static func isPressed(_ arguments: [OSCArgument]) -> Bool {
    switch arguments.first {
    case .whole(0), .number(0), .flag(false): false
    default: true
    }
  }

  static func number(_ argument: OSCArgument?) -> Double? {
    switch argument {
    case .whole(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  static func word(_ argument: OSCArgument) -> String? {
    switch argument {
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    default: nil
    }
  }

  /// The endpoint to tell of changes; nil where none is given.
  ///
  /// Another host can only subscribe itself, or any host could have any other flooded.
  private func receiver(
    _ arguments: [OSCArgument], from sender: OSCEndpoint
  ) throws(StageError) -> OSCEndpoint? {
    guard let argument = arguments.first, argument != .nothing, argument != .impulse else {
      return nil
    }
    let refusal = StageError(
      .badMove,
      "OSC: subscribe and unsubscribe take a port, or an address in figures and a port as "
        + "192.168.1.20:9001.")
    var text = Substring(Self.word(argument) ?? "")
    for scheme in ["osc.udp://", "udp://"] where text.hasPrefix(scheme) {
      text = text.dropFirst(scheme.count)
    }
    while text.hasSuffix("/") { text = text.dropLast() }
    let colon = text.lastIndex(of: ":")
    let number = Self.number(.text(String(colon.map { text[text.index(after: $0)...] } ?? text)))
    guard let number, let port = UInt16(exactly: number), port > 0 else { throw refusal }
    guard let colon else { return sender.at(port: port) }
    let host = text[..<colon].trimmingPrefix("[")
    let figures = host.hasSuffix("]") ? host.dropLast() : host
    guard let receiver = OSCEndpoint(String(figures), port: port) else { throw refusal }
    guard sender.isLoopback || receiver.sharesHost(with: sender) else {
      throw StageError(
        .badMove, "OSC: \(sender) subscribes for \(receiver), which only that host can do."
      )
    }
    return receiver
  }

  /// The parameters that a client asks for.
  private func names(_ arguments: [OSCArgument]) throws(StageError) -> [String] {
    guard let argument = arguments.first, argument != .nothing, argument != .impulse else {
      return parameters.all.map(\.name)
    }
    guard let pattern = Self.word(argument) else {
      throw StageError(.badMove, "OSC: get takes the name of a property, or nothing.")
    }
    let found = try matching(pattern)
    if found.isEmpty { _ = try parameters.find(pattern) }
    return found.map(\.name)
  }

  // MARK: Moves

  /// The move of a verb; nil for a button that was released.
  private func move(_ path: [String], _ message: OSCMessage) throws(StageError) -> Move? {
    switch path {
    case ["move"]:
      guard case .text(let line) = message.arguments.first else {
        throw unfit(message, "a line of text")
      }
      return try Move(line)
    case _ where path.count == 2:
      guard Self.isPressed(message.arguments) else { return nil }
      switch path[1] {
      case "next": return .nextPreset(1)
      case "previous": return .nextPreset(-1)
      default: return .preset(try preset(called: path[1], message.address), beats: nil)
      }
    default:
      guard let row = Move.row(path[0]), row.isVerb else { throw unknown(message.address) }
      return try move(row, of: nil, message)
    }
  }

  /// The move of a row; nil for a button that was released.
  ///
  /// - Parameter property: The property of the address.
  private func move(
    _ row: any MoveRow, of property: String?, _ message: OSCMessage
  ) throws(StageError) -> Move? {
    var reader = OSCWords(message.arguments, presets: presets)
    if row.isButton, !Self.isPressed(message.arguments) { return nil }
    var words = [property].compactMap(\.self)
    for argument in row.arguments.dropFirst(words.count) {
      switch reader.words(of: argument.kind, isOptional: argument.isOptional) {
      case .words(let next): words += next
      case .letGo: return nil
      case .noSuchPreset:
        throw StageError(.noSuchPreset, "OSC: the presets are 1 to \(presets.count).")
      case .unfit: throw unfit(message, row.oscArguments(isBelowProperty: property != nil))
      }
    }
    guard row.isButton || reader.isAtEnd, let move = row.move(words[...]) else {
      throw unfit(message, row.oscArguments(isBelowProperty: property != nil))
    }
    return move
  }

  /// A preset as part of an address, in which there can be no spaces.
  private func preset(called word: String, _ address: String) throws(StageError) -> String {
    if let index = Int(word), index > 0, presets.indices.contains(index - 1) {
      return presets[index - 1]
    }
    let parts = presets.map { Self.part($0) }
    guard let match = Spelling(word, in: parts).match, let index = parts.firstIndex(of: match)
    else {
      throw unknown(address)
    }
    return presets[index]
  }

  /// A name as part of an address: without what addresses do not have.
  static func part(_ name: String) -> String {
    String(name.map { " #*,/?[]{}".contains($0) ? "-" : $0 })
  }

  /// The move of a property; nil for a button that was released.
  private func move(
    of parameter: Parameter, _ part: String?, _ message: OSCMessage
  ) throws(StageError) -> Move? {
    let name = parameter.name
    switch part {
    case nil:
      guard message.arguments.count == 1, let value = Self.value(message.arguments[0]) else {
        throw unfit(message, "one value: \(parameter.description)")
      }
      return .set(name, value)
    case let part?:
      guard let row = Move.row(part), row.isPart else { throw unknown(message.address) }
      return try move(row, of: name, message)
    }
  }

  private static func value(_ argument: OSCArgument) -> Value? {
    switch argument {
    case .whole(let number): .int(number)
    case .number(let number): .double(number)
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .nothing: Value.none
    case .impulse, .other: nil
    }
  }
}
