// The origin of a move: this machine or another one, and the bounds of what others can do.

import GStreamer

/// The machine that a move comes from.
public enum Origin: Sendable, Hashable {
  /// This machine: its keys, MIDI, scripts and programs. They can do everything.
  case here
  /// Another machine, or a browser.
  ///
  /// Nothing that it sends names a file or takes much memory: a number is brought within the range of the
  /// property's fader, or as far as the value that it had when the show began; properties that are not
  /// ``Parameter/isForEverybody`` cannot be moved, and stills and recordings get names by the time.
  case elsewhere
}

/// The bounds of what other machines can do.
struct MoveBounds: MoveVisitor, Sendable {
  private let parameters: Parameters
  private let beginning: [String: Value]
  private var property = ""

  /// - Parameter beginning: The values with which the show begins.
  init(_ parameters: Parameters, from beginning: [String: Value]) {
    self.parameters = parameters
    self.beginning = beginning
  }

  /// A move from another machine, with its numbers brought within the bounds.
  ///
  /// - Throws: ``StageError/Code/badMove`` where it may not be done.
  func confine(_ move: Move) throws(StageError) -> Move { try move.visited(by: self) }

  /// A parameter that does not exist is reported when the move is made.
  mutating func visit(property name: String) throws(StageError) {
    if let parameter = parameters[name], !parameter.isForEverybody {
      throw StageError(.badMove, "Only this machine can set \(name).")
    }
    property = name
  }

  /// A value within the bounds; what is no number of the property is reported when the move is made.
  func visit(value: Value) -> Value {
    guard let parameter = parameters[property], let reach = parameter.reach,
      let fitting = try? parameter.fit(value),
      let number = Parameter.number(fitting)
    else { return value }
    let first = beginning[property].flatMap { Parameter.number($0) } ?? reach.lowerBound
    let bounds = min(reach.lowerBound, first)...max(reach.upperBound, first)
    guard !bounds.contains(number) else { return value }
    return parameter.value(near: min(max(number, bounds.lowerBound), bounds.upperBound)) ?? value
  }

  func visit(drive: Drive) -> Drive {
    drive.between(drive.ends.map { Parameter.number(visit(value: .double($0))) ?? $0 })
  }

  func visit(file path: String) throws(StageError) {
    throw StageError(
      .badMove,
      "Only this machine can name files. Leave out the name; the file is named by the time.")
  }
}

extension Drive {
  /// The values between which the property moves.
  var ends: [Double] {
    switch self {
    case .wave(_, _, let from, let to), .sound(_, let from, let to): [from, to]
    case .ramp(_, let to): [to]
    }
  }

  /// The same animation between other values, in the order of ``ends``.
  func between(_ ends: [Double]) -> Drive {
    guard ends.count == self.ends.count, let first = ends.first, let last = ends.last else {
      return self
    }
    return switch self {
    case .wave(let wave, let beats, _, _): .wave(wave, beats: beats, from: first, to: last)
    case .sound(let band, _, _): .sound(band, from: first, to: last)
    case .ramp(let beats, _): .ramp(beats: beats, to: last)
    }
  }
}
