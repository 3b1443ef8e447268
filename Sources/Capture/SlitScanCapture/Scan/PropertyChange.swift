// Properties of the effect that are going to be set with the same frame.

import GStreamer

/// New values of some properties, which wait for the moment between two frames.
///
/// A value that is set meanwhile is newer, and takes the place of the one that waits.
final class PropertyChange: Sendable {
  private struct State {
    /// The values that are still to be set.
    var values: [String: Value]
    /// The properties that got newer values meanwhile.
    var replaced: Set<String> = []
    var isOver = false
  }

  private let names: Set<String>
  private let state: Shared<State>

  init(_ values: [String: Value]) {
    names = Set(values.keys)
    state = Shared(State(values: values))
  }

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Gives a property a newer value.
  ///
  /// - Returns: False where it is none of these, or these are set already: the caller sets it then.
  func replace(_ name: String, with value: Value) -> Bool {
    state.withLock { state in
      guard names.contains(name), !state.isOver else { return false }
      state.values[name] = value
      state.replaced.insert(name)
      return true
    }
  }

  /// Sets the properties of an element, the ones that get newer values meanwhile again.
  func apply(to element: Element) {
    while let values = next() {
      // They have been checked.
      for (name, value) in values { try? element.set(name, to: value) }
    }
  }

  private func next() -> [String: Value]? {
    state.withLock { state in
      if state.values.isEmpty { state.isOver = true }
      defer { state.values = [:] }
      return state.isOver ? nil : state.values
    }
  }

  /// Gives up; nothing is set any more.
  ///
  /// - Returns: The newer values of what would have been set.
  func cancel() -> [String: Value] {
    state.withLock { state in
      state.isOver = true
      return state.values.filter { state.replaced.contains($0.key) }
    }
  }
}
