// Text files that people edit: UTF-8, with or without a byte order mark.

import FoundationEssentials
import LibC

extension String {
  /// The text of a file, without the byte order mark that some editors begin it with; nil where it is not UTF-8.
  package init?(textFile data: Data) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    self.init(
      validating: data.starts(with: mark) ? data.dropFirst(mark.count) : data, as: UTF8.self)
  }

  /// Writes the text into a file as a whole.
  ///
  /// A concurrent reader finds the old file or the new one. A link stays a link, and a folder that is missing is made.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  package func write(toFile path: String) throws(StageError) {
    do {
      let file = URL(filePath: path).resolvingSymlinksInPath()
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(utf8).write(to: file, options: .atomic)
    } catch {
      let reason = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
      throw StageError(
        .badFile,
        "\(path) cannot be written: \(reason.map { unsafe String(cString: strerror($0)) } ?? "\(error)")."
      )
    }
  }
}

extension Data {
  /// The first bytes of a file or a pipe.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  package init(ofFile path: String, atMost limit: Int = .max) throws(StageError) {
    self.init()
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw StageError(.badFile, "\(path) cannot be read: \(systemReason()).")
    }
    defer { close(file) }
    var block = [UInt8](repeating: 0, count: 65_536)
    while count < limit {
      let length = unsafe read(file, &block, Swift.min(block.count, limit - count))
      guard length >= 0 else {
        guard errno == EINTR else {
          throw StageError(.badFile, "\(path) cannot be read: \(systemReason()).")
        }
        continue
      }
      guard length > 0 else { return }
      append(contentsOf: block.prefix(length))
    }
  }
}

extension StringProtocol {
  package var trimmingSpaces: String {
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
    return String(self[..<end].drop { $0.isWhitespace })
  }
}
