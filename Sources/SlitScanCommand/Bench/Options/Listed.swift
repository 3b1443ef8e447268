// Options that take several values: `--maps rows,radial --maps random`.

import ArgumentParser

/// One of a few names.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

/// The values of one use of an option, separated by commas.
struct Listed<Element: ExpressibleByArgument>: ExpressibleByArgument {
  var elements: [Element]

  init(_ elements: Element...) { self.elements = elements }

  init?(argument: String) {
    elements = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = Element(argument: String(part)) else { return nil }
      elements.append(element)
    }
  }

  var defaultValueDescription: String {
    elements.map(\.defaultValueDescription).joined(separator: ",")
  }

  static var allValueStrings: [String] { Element.allValueStrings }
}

extension Array {
  /// The values of all uses of an option, each once, in the order of the first.
  func flattened<Value: Hashable>() -> [Value] where Element == Listed<Value> {
    var seen: Set<Value> = []
    return flatMap(\.elements).filter { seen.insert($0).inserted }
  }

  /// The same, or what stands for an option that is not used.
  func chosen<Value: Hashable>(else standard: Value...) -> [Value] where Element == Listed<Value> {
    isEmpty ? standard : flattened()
  }
}
