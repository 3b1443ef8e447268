// The report that `--json` writes to a file.

import ArgumentParser
import Foundation

/// Everything one run of a benchmark found out.
struct Report<Line: Codable>: Codable {
  var machine = Machine.current
  /// The line that was typed.
  var command = CommandLine.arguments
  var measurements: [Line]
}

/// A place to write a report to, or none.
struct ReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write JSON to a file too; - prints it instead of the table.", valueName: "file"))
  var json: String?

  /// Whether lines for people are printed.
  var printsTable: Bool { json != "-" }

  func validate() throws {
    if let json, json != "-" { try OutputFile.check(json) }
  }

  /// Prints a line for people, at once.
  func say(_ line: String) {
    guard printsTable else { return }
    // Not print(), which keeps lines back from a pipe until there are many.
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Writes the report where it was asked for.
  func write<Line: Codable>(_ measurements: [Line]) throws {
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(Report(measurements: measurements)) + Data("\n".utf8)
    if json == "-" {
      try FileHandle.standardOutput.write(contentsOf: data)
    } else {
      try OutputFile.write(data, to: json)
    }
  }
}

/// Files that benchmarks leave.
enum OutputFile {
  /// Refuses a path where nothing can be written, before time is spent on what would be lost.
  static func check(_ path: String) throws {
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent()
    let isThere = FileManager.default.fileExists(atPath: file.path)
    let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    guard !path.isEmpty, !isFolder,
      FileManager.default.isWritableFile(atPath: isThere ? file.path : folder.path)
    else {
      throw ValidationError("\(path) cannot be written. Name a file in a folder of yours.")
    }
  }

  static func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(filePath: path))
  }
}
