// Text of files that people edit: UTF-8, with or without a byte order mark.

import Foundation

extension String {
  /// The text of a file, without the byte order mark that some editors begin it with; nil where it is not UTF-8.
  package init?(textFile data: Data) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    self.init(
      validating: data.starts(with: mark) ? data.dropFirst(mark.count) : data, as: UTF8.self)
  }
}

extension StringProtocol {
  package var trimmingSpaces: String {
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
    return String(self[..<end].drop { $0.isWhitespace })
  }
}
