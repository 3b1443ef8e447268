// A MIDI map assigns actions to the controls of a device, as text that people edit. A value.

import FoundationEssentials
import SlitScanStage

/// The actions of a device's controls.
///
/// As text, it is a line for each control, and comments:
///
/// ```
/// # The fader at the left
/// channel 1 cc 7 = fader depth
/// cc14 1 = fader gain 0.25 0.75      # the middle of its way, on whichever channel
/// channel 1 cc 16 = encoder angle twos
/// channel 10 note 36 = do preset Vortex 4
/// channel 10 note 37 = momentary freeze on
/// channel 10 note 38 = hold blackout on / blackout off
/// program = presets
/// clock = ignore
/// feedback = off
/// ```
///
/// A mistake in a line is a ``Problem``; the others hold all the same. Text that is changed keeps its
/// comments, and what was wrong in it.
public struct MIDIMap: Sendable, Equatable {
  /// Something that is wrong in a line.
  public struct Problem: Sendable, Equatable {
    /// The line, from 1.
    public let line: Int
    /// The error, and what to write instead.
    public let message: String
  }

  /// A line; where it does something, that and what is behind it.
  private struct Line: Sendable, Equatable {
    var text: String
    var control: MIDIControl?
    var comment = ""
  }

  private var lines: [Line] = []
  private var actions: [MIDIControl: MIDIAction] = [:]
  /// Whether the tempo follows the device's clock.
  public private(set) var followsClock = true
  /// Whether the device is told what its controls should show.
  public private(set) var sendsFeedback = true
  /// The errors, in the order of the lines.
  public private(set) var problems: [Problem] = []

  /// Nothing does anything.
  public init() {}

  /// Parses a text.
  public init(_ text: String) {
    // Lines of Windows end with one character that is no "\n".
    var rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if rows.last?.isEmpty == true { rows.removeLast() }
    for row in rows {
      do throws(StageError) {
        lines.append(try read(String(row)))
      } catch {
        lines.append(Line(text: String(row)))
        problems.append(Problem(line: lines.count, message: error.message))
      }
    }
  }

  private mutating func read(_ row: String) throws(StageError) -> Line {
    let (content, comment) = Self.parts(of: row)
    guard !content.trimmingSpaces.isEmpty else { return Line(text: row) }
    guard let equals = content.firstIndex(of: "=") else {
      throw StageError(.badFile, "A line must be `CONTROL = ACTION`, or begin with #.")
    }
    let left = content[..<equals].trimmingSpaces
    let right = content[content.index(after: equals)...].trimmingSpaces
    if left == "clock" {
      guard ["follow", "ignore"].contains(right) else {
        throw StageError(.badFile, "Write: clock = follow, or clock = ignore.")
      }
      followsClock = right == "follow"
      return Line(text: row)
    }
    if left == "feedback" {
      guard let turn = Switch(rawValue: right), turn != .toggle else {
        throw StageError(.badFile, "Write: feedback = on, or feedback = off.")
      }
      sendsFeedback = turn == .on
      return Line(text: row)
    }
    guard let control = MIDIControl(left) else {
      throw StageError(
        .badFile, "`\(left)` is no control. There are: \(MIDIControl.forms); clock and feedback.")
    }
    let action = try MIDIAction(right, for: control)
    if actions[control] != nil, let index = lines.firstIndex(where: { $0.control == control }) {
      throw StageError(.badFile, "\(control.text) has an action already, in line \(index + 1).")
    }
    actions[control] = action
    return Line(text: row, control: control, comment: comment)
  }

  /// A line and the comment at its end, which begins with the spaces before it.
  private static func parts(of row: String) -> (String, String) {
    var isQuoted = false
    var isEscaped = false
    var afterSpace = true
    for index in row.indices {
      let character = row[index]
      if character == "#", !isQuoted, afterSpace {
        let end = row[..<index].lastIndex { !$0.isWhitespace }.map { row.index(after: $0) }
        return (String(row[..<index]), String(row[(end ?? index)...]))
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && isQuoted && !isEscaped
      afterSpace = character.isWhitespace
    }
    return (row, "")
  }

  /// The text, which reads as this again.
  public var text: String { lines.map { $0.text + "\n" }.joined() }

  /// The controls that do something.
  public var controls: Set<MIDIControl> { Set(actions.keys) }

  /// The action of a control in the map.
  public subscript(control: MIDIControl) -> MIDIAction? { actions[control] }

  /// The action of a control of a device: a line for its channel goes before one for any.
  ///
  /// - Returns: The control as the map has it, and what it does; nil where nothing is said of it.
  func action(for control: MIDIControl) -> (MIDIControl, MIDIAction)? {
    var candidates = [control, control.onAnyChannel]
    if case .program = control.kind {
      let any = MIDIControl(.program(nil), channel: control.channel)
      candidates += [any, any.onAnyChannel]
    }
    for candidate in candidates {
      if let action = actions[candidate] { return (candidate, action) }
    }
    return nil
  }

  /// Whether each event of a control counts, and not only where it is in the end.
  func isDiscrete(_ control: MIDIControl) -> Bool {
    control.isNote || action(for: control)?.1.isDiscrete ?? false
  }

  /// Has a control do something: in the line where it stands, or in a new one at the end.
  public mutating func assign(_ action: MIDIAction, to control: MIDIControl) {
    let text = "\(control.text) = \(action.text(for: control))"
    if actions[control] != nil, let index = lines.firstIndex(where: { $0.control == control }) {
      lines[index].text = text + lines[index].comment
    } else {
      lines.append(Line(text: text, control: control))
    }
    actions[control] = action
  }

  /// Has a control do nothing any more; its line goes.
  public mutating func remove(_ control: MIDIControl) {
    lines.removeAll { $0.control == control }
    actions[control] = nil
  }

  /// The controls that do something and what they do, in the order of the lines.
  public var assignments: [(control: MIDIControl, action: MIDIAction)] {
    lines.compactMap { line in
      line.control.flatMap { control in actions[control].map { (control, $0) } }
    }
  }

  /// The problems with it for an effect: properties that it does not have.
  func problems(with parameters: Parameters) -> [Problem] {
    lines.enumerated().compactMap { index, line in
      line.control.flatMap { actions[$0]?.problem(with: parameters) }
        .map { Problem(line: index + 1, message: $0) }
    }
  }
}

extension MIDIMap {
  /// The longest file, in bytes.
  private static let limit = 1 << 20

  /// The default folder of maps: `$XDG_CONFIG_HOME/slitscan/midi`, or `~/.config/slitscan/midi`.
  public static var folder: String { settingsFolder() + "/midi" }

  /// The file for a device, in a folder.
  public static func path(for device: String, in folder: String) -> String {
    // Characters that every file system takes.
    let name = device.map { $0.isLetter || $0.isNumber || "-_ ".contains($0) ? $0 : "-" }
    let stem = String(name).trimmingSpaces
    return "\(folder)/\(stem.isEmpty ? "device" : String(stem.prefix(80))).txt"
  }

  /// The map in a file; nil where there is none.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public static func read(_ path: String) throws(StageError) -> MIDIMap? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data = try Data(ofFile: path, atMost: limit + 1)
    guard data.count <= limit, let text = String(textFile: data) else {
      throw StageError(.badFile, "\(path) is not a MIDI map: it is not text, or larger than 1 MiB.")
    }
    return MIDIMap(text)
  }

  /// Writes the map atomically: a concurrent reader finds the old file or the new one.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public func write(_ path: String) throws(StageError) { try text.write(toFile: path) }
}
