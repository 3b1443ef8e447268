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
    _ = try await release(releasable.subtracting(arriving.keys))
    let different = earlier.values.filter {
      arriving[$0.key] == nil && state.values[$0.key] != $0.value
    }
    // A ramp has arrived since, or will never.
    let drives = earlier.drives.filter { if case .ramp = $0.value { false } else { true } }
    let preset = state.preset
    // A move that comes meanwhile leaves the preset, and ends what moves.
    state.preset = earlier.preset
    coming.merge(drives) { $1 }
    try await apply(different, drives, as: earlier.preset, after: preset)
    try await restoreDrawing(earlier.drawing)
  }
}
