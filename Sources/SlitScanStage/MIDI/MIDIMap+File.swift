// Reading and writing MIDI maps as files.

import Foundation

extension MIDIMap {
  /// What a file may have at most, in bytes.
  private static let limit = 1 << 20

  /// Where maps are, unless somebody says otherwise: `$XDG_CONFIG_HOME/slitscan/midi`, or
  /// `~/.config/slitscan/midi`.
  public static var folder: String {
    let environment = ProcessInfo.processInfo.environment
    let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (settings ?? NSHomeDirectory() + "/.config") + "/slitscan/midi"
  }

  /// The file for a device, in a folder.
  public static func path(for device: String, in folder: String) -> String {
    // What no file system minds.
    let name = device.map { $0.isLetter || $0.isNumber || "-_ ".contains($0) ? $0 : "-" }
    let stem = String(name).trimmingSpaces
    return "\(folder)/\(stem.isEmpty ? "device" : String(stem.prefix(80))).txt"
  }

  /// The map in a file; nil where there is none.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public static func read(_ path: String) throws(StageError) -> MIDIMap? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      data = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw StageError(.badFile, "\(path) cannot be read: \(error.localizedDescription)")
    }
    guard data.count <= limit, let text = String(data: data, encoding: .utf8) else {
      throw StageError(.badFile, "\(path) is not a MIDI map: it is not text, or larger than 1 MiB.")
    }
    return MIDIMap(text)
  }

  /// Writes the map; whoever reads meanwhile finds the old file or the new one.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  public func write(_ path: String) throws(StageError) {
    do {
      // A link stays a link.
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw StageError(.badFile, "\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
