// The parameters are all properties of the effect that a performer can control.

import GStreamer

/// The parameters of the effect, by the names of its properties.
///
/// The element's own table of properties is where all of this comes from: what it has tomorrow, every
/// input has tomorrow.
public struct Parameters: Sendable, Equatable {
  /// The parameters by groups, in the element's order, and by name within each.
  public let all: [Parameter]
  /// Those that presets hold; the others belong to the machine or to the moment, and no preset and no
  /// reset of everything touches them.
  public let look: [Parameter]
  /// The titles of groups of parameters, in the element's order.
  public let groups: [String]
  private let places: [String: Int]

  /// The parameters of an element.
  public init(of element: Element) {
    let parameters = element.properties
      .filter { !$0.isInherited && $0.isWritable && $0.isReadable }
      .map { Parameter($0, of: element) }
    let groups = parameters.map(\.group).reduce(into: [String]()) { groups, group in
      if !groups.contains(group) { groups.append(group) }
    }
    let byName = parameters.sorted { $0.name < $1.name }
    all = groups.flatMap { group in byName.filter { $0.group == group } }
    self.groups = groups
    let names = Set(element.presetProperties)
    look = all.filter { names.contains($0.name) }
    places = Dictionary(
      all.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// A parameter by its name; nil where there is none.
  public subscript(name: String) -> Parameter? { places[name].map { all[$0] } }

  /// A parameter by its name.
  ///
  /// - Throws: ``StageError/Code/noSuchProperty``, which names those there are.
  public func find(_ name: String) throws(StageError) -> Parameter {
    if let parameter = self[name] { return parameter }
    throw StageError(
      .noSuchProperty,
      "There is no property \(name).\(Spelling(name, in: all.map(\.name)).question) "
        + "There are: \(all.map(\.name).joined(separator: ", ")).")
  }
}
