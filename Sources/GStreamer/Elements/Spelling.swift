// A spelling finds the name that was meant by a misspelt one.

import CGStreamer

extension GStreamerError {
  /// No plugin that is installed has an element.
  init(noElement name: String, debug: String? = nil) {
    let list = unsafe gst_registry_get_feature_list(
      gst_registry_get(), gst_element_factory_get_type())
    defer { unsafe gst_plugin_feature_list_free(list) }
    let names = unsafe items(of: list) { unsafe borrowedString(cgst_object_name($0)) ?? "" }
    self.init(
      .noSuchElement,
      "There is no GStreamer element \(name).\(Spelling(name, in: names).question) `gst-inspect-1.0` lists "
        + "the installed ones.", debug: debug)
  }
}

/// The intended name of a list: the same one but for capitals, or else a similar one.
package struct Spelling: Sendable {
  /// The name that is meant, where it differs by capitals alone; nil where none does.
  package let match: String?
  /// The most similar name, where one is similar; nil where `match` is not.
  package let suggestion: String?

  /// Looks for a name in a list.
  package init(_ name: String, in names: [String]) {
    let lowercase = name.lowercased()
    match = names.first { $0 == name } ?? names.first { $0.lowercased() == lowercase }
    guard match == nil else {
      suggestion = nil
      return
    }
    let limit = name.count < 4 ? 1 : max(2, name.count / 3)
    suggestion =
      names.map { (name: $0, distance: Self.distance(lowercase, $0.lowercased())) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?.name
  }

  /// " Did you mean …?", or nothing.
  package var question: String { suggestion.map { " Did you mean \($0)?" } ?? "" }

  /// Insertions, deletions and replacements from one text to another (Levenshtein 1966).
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
