// The OSC dialect translates addresses and arguments into requests.

import GStreamer

/// Makes requests of messages: the one place that knows the addresses.
struct OSCDialect: Sendable {
  /// The beginning of every address.
  static let root = "slitscan"
  /// The longest text that is taken, in bytes.
  static let longestText = 4096

  let parameters: Parameters
  let presets: [String]

  /// The addresses besides those of properties, with what they take and do.
  static let verbs: [(address: String, arguments: String, purpose: String)] = [
    ("preset", "s or i, [beats]", "loads a preset by name, or by number from 1, in some beats"),
    ("preset/next", "", "loads the next preset"),
    ("preset/previous", "", "loads the previous preset"),
    ("preset/NAME", "", "loads that preset, for buttons"),
    ("save", "[name]", "saves what is seen as a preset"),
    ("source", "number, [beats]", "shows that source of the video, by a crossfade in some beats"),
    ("map-source", "number or draw", "has that source, or what is drawn, be the map live"),
    (
      "draw", "value, size, softness, none|x|y|xy, x, y, [x, y …]",
      "draws a stroke on the map: 0 is now, 1 the oldest; places are from 0 to 1"
    ),
    ("map-image", "name or number", "has an image of the folder of maps be the map"),
    ("next-map", "", "has the next image of the folder be the map"),
    ("previous-map", "", "has the previous image of the folder be the map"),
    ("draw-clear", "", "takes all strokes away"),
    ("draw-fade", "seconds", "has strokes fade to now; 0 is off"),
    ("snapshot", "[file]", "writes the next complete frame as an image"),
    (
      "record", "[1 or 0 [file]]",
      "starts or stops recording; toggles without an argument"
    ),
    ("blackout", "[1 or 0]", "shows black, or the video again; toggles without an argument"),
    ("tap", "", "taps the tempo"),
    ("tempo", "beats per minute", "sets the tempo"),
    (
      "quantize", "beats",
      "delays changes of mode, map, preset and source to a multiple of beats; 0 is off"
    ),
    ("deck", "a or b, [preset]", "puts a preset, or what is seen, on an end of the crossfader"),
    ("crossfade", "0 to 1", "moves between the presets of deck a and deck b"),
    ("glide", "beats", "sets the length of changes of preset and source; 0 is at once"),
    ("undo", "", "undoes the last change"),
    ("redo", "", "redoes the change last undone"),
    ("reset", "", "resets every property to its default"),
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
  static let parts: [(address: String, arguments: String, purpose: String)] = [
    ("fade", "0 to 1", "sets its fader"),
    ("step", "[count]", "moves by some choices, or by hundredths of its fader"),
    ("toggle", "", "toggles a switch"),
    ("reset", "", "resets it to its default"),
    ("drive", "form, numbers", "animates it"),
    ("release", "", "stops its animation"),
  ]

  /// The address of something.
  static func address(_ parts: String...) -> String {
    ([root] + parts).map { "/\($0)" }.joined()
  }

  // MARK: What is asked for

  /// The requests of a message: none where it is not for us, or only says that a button was let go.
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

  /// Whether a button was pressed, and not let go: controllers send 1 for the one and 0 for the other.
  private static func isPressed(_ arguments: [OSCArgument]) -> Bool {
    switch arguments.first {
    case .whole(0), .number(0), .flag(false): false
    default: true
    }
  }

  private static func number(_ argument: OSCArgument?) -> Double? {
    switch argument {
    case .whole(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  private static func word(_ argument: OSCArgument) -> String? {
    switch argument {
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): text
    default: nil
    }
  }

  /// The value that a switch is turned to; without one, the other way round.
  private func turn(_ message: OSCMessage) throws(StageError) -> Switch {
    switch message.arguments.first {
    case nil, .nothing, .impulse: return .toggle
    case .flag(let isOn): return isOn ? .on : .off
    case .whole(0), .number(0): return .off
    case .whole(1), .number(1): return .on
    case .text(let text):
      if let turn = Switch(rawValue: text) { return turn }
    default: break
    }
    throw unfit(message, "1, 0 or nothing")
  }

  /// The endpoint where somebody wants to be told of changes; nil where none is given.
  ///
  /// Another host can only have itself told, or anybody could have anybody flooded.
  private func receiver(
    _ arguments: [OSCArgument], from sender: OSCEndpoint
  ) throws(StageError) -> OSCEndpoint? {
    guard let argument = arguments.first, argument != .nothing, argument != .impulse else {
      return nil
    }
    let wanted = "a port, or an address in figures and a port as 192.168.1.20:9001"
    let words = Self.word(argument)
    var text = Substring(words ?? "")
    for scheme in ["osc.udp://", "udp://"] where text.hasPrefix(scheme) {
      text = text.dropFirst(scheme.count)
    }
    while text.hasSuffix("/") { text = text.dropLast() }
    let colon = text.lastIndex(of: ":")
    let number = Self.number(.text(String(colon.map { text[text.index(after: $0)...] } ?? text)))
    guard let number, let port = UInt16(exactly: number), port > 0 else {
      throw StageError(.badMove, "OSC: subscribe and unsubscribe take \(wanted).")
    }
    guard let colon else { return sender.at(port: port) }
    let host = text[..<colon].trimmingPrefix("[")
    let figures = host.hasSuffix("]") ? host.dropLast() : host
    guard let receiver = OSCEndpoint(String(figures), port: port) else {
      throw StageError(.badMove, "OSC: subscribe and unsubscribe take \(wanted).")
    }
    guard sender.isLoopback || receiver.sharesHost(with: sender) else {
      throw StageError(
        .badMove, "OSC: \(sender) subscribes for \(receiver), which only that host can do."
      )
    }
    return receiver
  }

  /// The parameters somebody wants to know.
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

  /// The move of a verb; nil for a button that was let go.
  private func move(_ path: [String], _ message: OSCMessage) throws(StageError) -> Move? {
    let arguments = message.arguments
    switch path {
    case ["record"]: return .record(try turn(message), try file(arguments.dropFirst(), message))
    case ["blackout"]: return .blackout(try turn(message))
    case ["tempo"]:
      guard let tempo = Self.number(arguments.first) else {
        throw unfit(message, "beats a minute")
      }
      return .tempo(tempo)
    case ["source"]:
      guard let number = Self.number(arguments.first), let whole = Int(exactly: number) else {
        throw unfit(message, "the number of a source")
      }
      // A button that was let go.
      guard whole != 0 else { return nil }
      guard arguments.count > 1 else { return .source(whole, beats: nil) }
      guard let beats = Self.number(arguments[1]), beats >= 0 else {
        throw unfit(message, "the number of a source, and beats")
      }
      return .source(whole, beats: beats)
    case ["map-source"] where arguments.first == .text("draw"): return .drawing(.mapSource)
    case ["draw"]:
      let words = arguments.compactMap { Self.word($0) }
      guard let move = DrawingMove("draw", words) else {
        throw unfit(message, "value, size, softness, none, x, y or xy, and places across and down")
      }
      return .drawing(move)
    case ["map-image"]:
      guard let word = arguments.first.flatMap({ Self.word($0) }) else {
        throw unfit(message, "the name of an image, or its number from 1 on")
      }
      // A button that was let go.
      return word == "0" ? nil : .drawing(.image(word))
    case ["draw-fade"]:
      guard let seconds = Self.number(arguments.first) else { throw unfit(message, "seconds") }
      return DrawingMove("draw-fade", ["\(seconds)"]).map { .drawing($0) }
    case ["map-source"]:
      guard let number = Self.number(arguments.first), let whole = Int(exactly: number) else {
        throw unfit(message, "the number of a source")
      }
      return whole == 0 ? nil : .mapSource(whole)
    case ["quantize"]:
      guard let beats = Self.number(arguments.first), beats >= 0 else {
        throw unfit(message, "how many beats changes wait for, or 0")
      }
      return .quantize(beats)
    case ["deck"]:
      guard case .text(let word)? = arguments.first, let deck = Deck(rawValue: word.lowercased())
      else { throw unfit(message, "a or b, and a preset") }
      guard case .text(let name)? = arguments.dropFirst().first else { return .deck(deck, nil) }
      return .deck(deck, name)
    case ["crossfade"]:
      guard let place = Self.number(arguments.first) else { throw unfit(message, "0 to 1") }
      return .crossfade(place)
    case ["glide"]:
      guard let beats = Self.number(arguments.first), beats >= 0 else {
        throw unfit(message, "how many beats a preset change takes, or 0")
      }
      return .glide(beats)
    case ["move"]:
      guard case .text(let line) = arguments.first else { throw unfit(message, "a line of text") }
      return try Move(line)
    case ["preset"]: return try preset(message)
    default: break
    }
    guard Self.isPressed(arguments) else { return nil }
    switch path {
    case ["save"]:
      guard case .text(let name)? = arguments.first else { return .save(nil) }
      return .save(name)
    case ["snapshot"]: return .snapshot(try file(arguments[...], message))
    case ["draw-clear"]: return .drawing(.clear)
    case ["next-map"]: return .drawing(.nextImage)
    case ["previous-map"]: return .drawing(.previousImage)
    case ["tap"]: return .tap
    case ["undo"]: return .undo
    case ["redo"]: return .redo
    case ["reset"]: return .reset(nil)
    case ["preset", "next"]: return .nextPreset(1)
    case ["preset", "previous"]: return .nextPreset(-1)
    case _ where path.count == 2:
      return .preset(try preset(called: path[1], message.address), beats: nil)
    default: throw unknown(message.address)
    }
  }

  /// The file that somebody wants written; nil for a name by the time.
  private func file(
    _ arguments: ArraySlice<OSCArgument>, _ message: OSCMessage
  ) throws(StageError) -> String? {
    switch arguments.first {
    case .text(let path) where !path.isEmpty: return path
    case .text, nil, .nothing, .impulse, .flag(true), .whole, .number: return nil
    default: throw unfit(message, "the name of a file, or nothing")
    }
  }

  private func preset(_ message: OSCMessage) throws(StageError) -> Move? {
    let arguments = message.arguments
    let name: String
    switch arguments.first {
    // No preset, as we say it ourselves; and a button that was let go.
    case .text(""), .whole(0), .number(0): return nil
    case .text(let text): name = text
    case .whole, .number:
      guard let number = Self.number(arguments.first), let index = Int(exactly: number),
        presets.indices.contains(index - 1)
      else { throw StageError(.noSuchPreset, "OSC: the presets are 1 to \(presets.count).") }
      name = presets[index - 1]
    default: throw unfit(message, "the name of a preset, or its number from 1 on")
    }
    guard arguments.count > 1 else { return .preset(name, beats: nil) }
    guard let beats = Self.number(arguments[1]), beats >= 0 else {
      throw unfit(message, "a preset and how many beats to take")
    }
    return .preset(name, beats: beats)
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

  /// The move of a property; nil for a button that was let go.
  private func move(
    of parameter: Parameter, _ part: String?, _ message: OSCMessage
  ) throws(StageError) -> Move? {
    let name = parameter.name
    let arguments = message.arguments
    switch part {
    case nil:
      guard arguments.count == 1, let value = Self.value(arguments[0]) else {
        throw unfit(message, "one value: \(parameter.description)")
      }
      return .set(name, value)
    case "fade":
      guard arguments.count == 1, let place = Self.number(arguments[0]) else {
        throw unfit(message, "a number from 0 to 1")
      }
      return .fade(name, place)
    case "step":
      guard let count = arguments.isEmpty ? 1 : Self.number(arguments[0]) else {
        throw unfit(message, "a whole number, or nothing")
      }
      let whole = Int(min(max(count.rounded(), -1e6), 1e6))
      return whole == 0 ? nil : .step(name, whole)
    case "toggle": return Self.isPressed(arguments) ? .toggle(name) : nil
    case "reset": return Self.isPressed(arguments) ? .reset(name) : nil
    case "release": return Self.isPressed(arguments) ? .release(name) : nil
    case "drive":
      let words = arguments.compactMap { Self.word($0) }
      guard words.count == arguments.count, !words.isEmpty else {
        throw unfit(message, "a form and numbers, as sine 4 0 360")
      }
      return try Move("drive \(name) \(words.joined(separator: " "))")
    default: throw unknown(message.address)
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
