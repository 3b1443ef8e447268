// A folder for the files of a test.

import Foundation

/// A folder that is gone with the test; in a text, its path.
package final class TemporaryFolder: Sendable, CustomStringConvertible {
  package let url = FileManager.default.temporaryDirectory.appending(
    path: "slitscan-\(UUID().uuidString)")
  package var path: String { url.path }
  package var description: String { path }
  /// The names of the files in it, in the order of the alphabet.
  package var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  package init() {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Writes a file.
  ///
  /// - Returns: Its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8> = EmptyCollection<UInt8>())
    throws -> String
  {
    let file = url.appending(path: name)
    try Data(bytes).write(to: file)
    return file.path
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
