// The knobs are all properties of the effect that a performer can control.

import GStreamer

/// The knobs of the effect, by the names of its properties.
///
/// The element's own table of properties is where all of this comes from: what it has tomorrow, every
/// input has tomorrow.
public struct Knobs: Sendable, Equatable {
  /// The knobs, in the order of their names.
  public let all: [Knob]
  /// Those that presets hold; the others belong to the machine or to the moment, and no preset and no
  /// reset of everything touches them.
  public let look: [Knob]
  /// The titles of groups of knobs, in the element's order.
  public let groups: [String]
  private let places: [String: Int]

  /// The knobs of an element.
  public init(of element: Element) {
    let knobs = element.properties
      .filter { !$0.isInherited && $0.isWritable && $0.isReadable }
      .map { Knob($0, of: element) }
    all = knobs.sorted { $0.name < $1.name }
    groups = knobs.map(\.group).reduce(into: []) { groups, group in
      if !groups.contains(group) { groups.append(group) }
    }
    let names = Set(element.presetProperties)
    look = all.filter { names.contains($0.name) }
    places = Dictionary(
      all.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// A knob by its name; nil where there is none.
  public subscript(name: String) -> Knob? { places[name].map { all[$0] } }

  /// A knob by its name.
  ///
  /// - Throws: ``StageError/Code/noSuchProperty``, which names those there are.
  public func find(_ name: String) throws(StageError) -> Knob {
    if let knob = self[name] { return knob }
    throw StageError(
      .noSuchProperty,
      "There is no property \(name).\(Spelling(name, in: all.map(\.name)).question) "
        + "There are: \(all.map(\.name).joined(separator: ", ")).")
  }
}
