// A playlist is a folder of clips, or a list of them in a file.

import CGStreamer
import FoundationEssentials
import SlitScanCapture

struct Playlist: Sendable {
  private let path: String

  private static let longest = 10_000_000

  init(_ path: String) { self.path = path }

  private var name: String { path.fileName }

  static func isPlaylist(_ path: String) -> Bool {
    path.isFolder || ["m3u", "m3u8"].contains(path.fileEnding.lowercased())
  }

  /// The paths of the clips now, or their URLs.
  ///
  /// - Throws: ``CaptureError/Code/noSuchFile`` where there are none, or the list cannot be read.
  func paths() throws(CaptureError) -> [String] {
    let url = URL(filePath: path)
    let paths: [String]
    do {
      paths = try path.isFolder ? clips(in: url) : Self.clips(of: list(), in: url)
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
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }
      .sorted { $0.precedes($1) }
      .map { folder.appending(path: $0).path }
      .filter { $0.fileStatus?.isRegular == true }
  }

  private func list() throws -> Data {
    // A FIFO would never end.
    guard path.fileStatus?.isRegular != false,
      case let data = try Data(ofFile: path, atMost: Self.longest + 1),
      data.count <= Self.longest, !data.contains(0)
    else {
      throw CaptureError(.noSuchFile, "\(name) is no list of clips.")
    }
    return data
  }

  /// A path without the escapes of URLs; as it is where it has invalid ones.
  private static func withoutEscapes(_ path: String) -> String {
    guard let plain = unsafe g_uri_unescape_string(path, nil) else { return path }
    defer { unsafe g_free(plain) }
    return unsafe String(validatingCString: plain) ?? path
  }

  /// The lines of a list that are no comments; paths are relative to its folder.
  static func clips(of list: Data, in url: URL) -> [String] {
    let text = String(textFile: list) ?? String(data: list, encoding: .isoLatin1) ?? ""
    let folder = url.deletingLastPathComponent()
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let line = line.trimmingSpaces
      guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
      guard !line.contains("://") else { return line }
      // Some players write paths as in URLs: that is what is meant where there is no file of the name.
      let paths = [line, withoutEscapes(line)].map { path in
        path.hasPrefix("/") ? path : folder.appending(path: path).standardizedFileURL.path
      }
      return paths.first { FileManager.default.fileExists(atPath: $0) } ?? paths[0]
    }
  }
}
