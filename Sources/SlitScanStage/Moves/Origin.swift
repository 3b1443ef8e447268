// The origin of a move: this machine or another one, and the bounds of what others can do.

import GStreamer

/// The machine that a move comes from.
public enum Origin: Sendable, Hashable {
  /// This machine: its keys, MIDI, scripts and programs. They can do everything.
  case here
  /// Another machine, or a browser.
  ///
  /// Nothing that it sends names a file or takes much memory: a number stays within the property's fader,
  /// or the value that it had when the show began, where that is farther; properties that are not
  /// ``Parameter/isForEverybody`` cannot be moved, and stills and recordings get names by the time.
  case elsewhere
}

/// The bounds of what other machines can do.
struct MoveBounds: Sendable {
  private let parameters: Parameters
  private let beginning: [String: Value]

  /// - Parameter beginning: The values with which the show begins.
  init(_ parameters: Parameters, from beginning: [String: Value]) {
    self.parameters = parameters
    self.beginning = beginning
  }

  /// Sees whether a move from another machine may be done.
  ///
  /// - Throws: ``StageError/Code/badMove``, ``StageError/Code/badValue``.
  func check(_ move: Move) throws(StageError) {
    switch move {
    case .snapshot(.some), .record(_, .some):
      throw StageError(
        .badMove,
        "Only this machine can name files. Leave out the name; the file is named by the time.")
    case .set(let name, let value): try check(name, value)
    case .setAll(let values): for (name, value) in values { try check(name, value) }
    case .drive(let name, let drive):
      for end in drive.ends { try check(name, .double(end)) }
    case .fade(let name, _), .step(let name, _), .toggle(let name), .reset(.some(let name)),
      .release(let name):
      try check(name)
    case .reset(nil), .preset, .nextPreset, .snapshot(nil), .record(_, nil), .blackout, .tap,
      .tempo,
      .quantize, .undo, .redo:
      break
    }
  }

  /// Whoever moves something that is not there is told so by whoever does the move.
  private func check(_ name: String) throws(StageError) {
    guard let parameter = parameters[name], !parameter.isForEverybody else { return }
    throw StageError(.badMove, "Only this machine can set \(name).")
  }

  private func check(_ name: String, _ value: Value) throws(StageError) {
    try check(name)
    guard let parameter = parameters[name], let reach = parameter.reach,
      let fitting = try? parameter.fit(value),
      let number = Parameter.number(fitting)
    else { return }
    let first = beginning[name].flatMap { Parameter.number($0) } ?? reach.lowerBound
    let bounds = min(reach.lowerBound, first)...max(reach.upperBound, first)
    guard !bounds.contains(number) else { return }
    let ends = [bounds.lowerBound, bounds.upperBound].map { Parameter.text(.double($0)) }
    throw StageError(
      .badValue,
      "\(name) from another machine must be a number from \(ends[0]) to \(ends[1]), not "
        + "\(Parameter.text(fitting)). Only this machine can go farther.")
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
}
