// The list of MIDI controls on the live screen: what each does, and the one that keys change.

import SlitScanStage

extension Screen {
  private var list: [ControlAssignment] { performance.assignments ?? [] }

  /// The control under the keys; nil where the list is not shown, or empty.
  private var selectedAssignment: ControlAssignment? {
    showsAssignments && !list.isEmpty ? list[min(assignment, list.count - 1)] : nil
  }

  /// The move that learns a control for what is selected; nil where nothing is.
  var learning: Move? {
    guard showsAssignments else { return selected.map { .midiLearn($0.name) } }
    guard let selectedAssignment, let property = selectedAssignment.property else { return nil }
    return .midiLearn(
      property, replacing: selectedAssignment.control, device: selectedAssignment.device)
  }

  /// The move that has the selected control do nothing; nil where none is.
  var unassigning: Move? {
    selectedAssignment.map { .midiRemove($0.control, device: $0.device) }
  }

  mutating func selectAssignment(_ count: Int) {
    guard !list.isEmpty else { return }
    assignment = ((min(assignment, list.count - 1) + count) % list.count + list.count) % list.count
  }

  func assignments(_ columns: Int, _ rows: Int) -> [ScreenLine] {
    guard performance.assignments != nil else {
      return [ScreenLine("  There is no MIDI. Start with it, such as --midi alsa.", .faint)]
    }
    guard !list.isEmpty else {
      return [
        ScreenLine(
          "  No control is assigned. Select a property, press m, and move a control.", .faint)
      ]
    }
    let width = (list.map(\.control.count).max() ?? 0) + 2
    let lines = list.enumerated().map { index, item in
      let isSelected = index == min(assignment, list.count - 1)
      let control = item.control.padded(toCells: width)
      return ScreenLine(
        "\(isSelected ? ">" : " ") \(control)\(item.action)  (\(item.device))",
        isSelected ? .selected : .plain)
    }
    let size = max(1, rows - 3)
    let head = ScreenLine("  MIDI controls: m changes one, delete removes it", .faint)
    return [head] + Self.page(lines, from: assignment / size * size, 1, rows - 1, columns)
  }
}
