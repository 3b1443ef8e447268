// Files of /proc, which have no length until they are read.

import Foundation

/// A file of text.
enum TextFile {
  /// All text of the file, nil if it cannot be read.
  static func read(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
