// A number pattern names the files of a numbered sequence, as printf does.

import FoundationEssentials

/// A pattern of file names with one number: `shot.%d.png`, or `shot.%04d.png` for at least four digits.
package struct NumberPattern: Sendable, Hashable {
  /// As it was written.
  package let path: String
  /// The folder, with a slash at the end; empty for the current one.
  package let folder: String
  private let prefix, suffix: String
  private let width: Int
  private let isPadded: Bool

  /// A pattern in the last component of a path; nil where there is none.
  package init?(_ path: String) {
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let match = path[name...].firstMatch(of: /%(0?)([0-9]?)d/) else { return nil }
    func literal(_ part: Substring) -> String { String(part).replacing("%%", with: "%") }
    self.path = path
    folder = String(path[..<name])
    prefix = literal(path[name..<match.range.lowerBound])
    suffix = literal(path[match.range.upperBound...])
    isPadded = !match.1.isEmpty
    width = Int(match.2) ?? 0
  }

  /// The path of the file with a number.
  package func path(_ number: Int) -> String { folder + name(number) }

  /// The name of the file with a number.
  package func name(_ number: Int) -> String {
    let digits = String(number)
    let padding = String(repeating: isPadded ? "0" : " ", count: max(0, width - digits.count))
    return prefix + padding + digits + suffix
  }

  /// The numbers of the files that there are, from the lowest on.
  package func numbers() -> [Int] {
    fileNames(inFolder: folder.isEmpty ? "." : folder).compactMap { file -> Int? in
      guard file.hasPrefix(prefix), file.hasSuffix(suffix),
        file.utf8.count > prefix.utf8.count + suffix.utf8.count,
        let number = Int(
          file.dropFirst(prefix.count).dropLast(suffix.count).drop { $0 == " " }),
        number >= 0, name(number) == file
      else { return nil }
      return number
    }.sorted()
  }
}

/// The names of what is in a folder, in no order.
func fileNames(inFolder folder: String) -> [String] {
  (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}
