// The command as these tests run it.

import CommandUnderTest
import Foundation
import TestFilm
import SlitScanCapture
import Testing

@testable import SlitScanCommand

/// A film with sound that tests share: 48 frames of 96x64 pixels, 25 in a second.
let sharedFilm = Task {
  let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mkv").path
  try await TestFilm.noise(path, frames: 48)
  return path
}

/// Runs a line of words without blanks after `slitscan`, as its parser does, and as a process where that parses it.
///
/// CLIP stands for the shared film.
///
/// - Returns: What it said.
/// - Throws: What came of it, where it has ended with another status.
@discardableResult
func slitscan(
  _ line: String, status: Int32 = 0, in folder: URL = Command.root
) async throws -> String {
  let film = try await sharedFilm.value
  let words = line.split(separator: " ").map { $0 == "CLIP" ? film : String($0) }
  do {
    _ = try SlitScanCommand.parseAsRoot(words)
  } catch {
    let text = SlitScanCommand.fullMessage(for: error)
    guard SlitScanCommand.exitCode(for: error).rawValue == status else { throw error }
    return text
  }
  return try await Command.run([Command.slitscan] + words, status: status, in: folder).text
}

func decoded(_ name: String, in folder: URL) async throws -> Decoded {
  try await Decoded(folder.appending(path: name).path)
}

/// The last line of a text as a JSON object.
func fields(_ text: String) throws -> [String: Any] {
  let line = try #require(text.split(separator: "\n").last)
  return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
}

/// The names of the maps.
func maps() throws -> [String] {
  try ValidatedScan.makeElement().properties.flatMap { property -> [String] in
    guard property.name == "map", case .choice(let nicks) = property.kind else { return [] }
    return nicks
  }
}
