// A playlist is a folder of clips, or a list of them in a file.

import Foundation
import SlitScanCapture

struct Playlist: Sendable {
  private let path: String

  private static let longest = 10_000_000

  init(_ path: String) { self.path = path }

  private var name: String { (path as NSString).lastPathComponent }

  static func isPlaylist(_ path: String) -> Bool {
    (try? isFolder(URL(filePath: path))) == true
      || ["m3u", "m3u8"].contains((path as NSString).pathExtension.lowercased())
  }

  private static func isFolder(_ url: URL) throws -> Bool {
    try url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
  }

  /// The paths of the clips now, or their URLs.
  ///
  /// - Throws: ``CaptureError/Code/noSuchFile`` where there are none, or the list cannot be read.
  func paths() throws(CaptureError) -> [String] {
    let url = URL(filePath: path)
    let paths: [String]
    do {
      paths = try Self.isFolder(url) ? clips(in: url) : Self.clips(of: list(url), in: url)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.noSuchFile, "\(name): no such playlist, or it cannot be read.")
    }
    guard !paths.isEmpty else {
      throw CaptureError(
        .noSuchFile, "\(name): there is no clip in it. A playlist names at least one.")
    }
    return paths
  }

  /// The files of a folder, in the order of their names, by the numbers in them.
  private func clips(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
    )
    .filter { file in
      // Also behind a link.
      (try? file.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]))?
        .isRegularFile == true
    }
    .map(\.lastPathComponent)
    .sortedByNumbers()
    .map { folder.appending(path: $0).path }
  }

  private func list(_ url: URL) throws -> Data {
    // A FIFO would never end.
    let values = try url.resolvingSymlinksInPath().resourceValues(forKeys: [
      .isRegularFileKey, .fileSizeKey,
    ])
    guard values.isRegularFile == true, let size = values.fileSize, size <= Self.longest,
      case let data = try Data(contentsOf: url), !data.contains(0)
    else {
      throw CaptureError(.noSuchFile, "\(name) is no list of clips.")
    }
    return data
  }

  /// The lines of a list that are no comments; paths are relative to its folder.
  static func clips(of list: Data, in url: URL) -> [String] {
    let text = String(textFile: list) ?? String(data: list, encoding: .isoLatin1) ?? ""
    let folder = url.deletingLastPathComponent()
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      guard !line.contains("://") else { return line }
      // Some players write paths as in URLs: that is what is meant where there is no file of the name.
      let paths = [line, line.removingPercentEncoding ?? line].map { path in
        path.hasPrefix("/") ? path : folder.appending(path: path).standardizedFileURL.path
      }
      return paths.first { FileManager.default.fileExists(atPath: $0) } ?? paths[0]
    }
  }
}
