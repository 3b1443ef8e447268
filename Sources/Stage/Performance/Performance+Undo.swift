// Undo of a performance: it goes back to an earlier state.

import GStreamer

extension Performance {
  /// The stage has set a property by itself: there is nothing to undo, and undo leaves it alone.
  package func takeOver(_ name: String, _ value: Value) {
    note(name, value)
    history.change { $0.values[name] = value }
  }

  func restore(_ earlier: PerformanceState?) async throws(StageError) {
    guard let earlier else { throw StageError(.nothingToUndo, "There is nothing to undo.") }
    // What glides to where it was to be goes on.
    let arriving = gliding.filter {
      earlier.values[$0.key] == $0.value && earlier.drives[$0.key] == state.drives[$0.key]
    }
    _ = try await release(moving.subtracting(arriving.keys))
    let different = earlier.values.filter {
      arriving[$0.key] == nil && state.values[$0.key] != $0.value
    }
    let preset = state.preset
    state.preset = earlier.preset
    try await apply(different, after: preset)
    for (name, drive) in earlier.drives.sorted(by: { $0.key < $1.key }) {
      // A ramp has arrived since, or will never.
      if case .ramp = drive { continue }
      try await begin(drive, of: name)
    }
    try await restoreDrawing(earlier.drawing)
  }
}
