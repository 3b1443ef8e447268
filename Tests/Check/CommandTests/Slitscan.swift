// The command as these tests run it.

import Foundation
import MadeFilm
import SlitScanCapture

@testable import CommandUnderTest
@testable import SlitScanCommand

/// A film with sound that tests share: 48 frames of 96x64 pixels, 25 in a second.
let sharedFilm = Task {
  let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mkv").path
  try await MadeFilm.noise(path, frames: 48)
  return path
}

/// Runs a line of words without blanks after `slitscan`, as its parser does, and as a process where that parses it.
///
/// CLIP stands for the shared film.
func slitscan(_ line: String, in folder: URL = Command.root) async throws -> CommandResult {
  let film = try await sharedFilm.value
  let words = line.split(separator: " ").map { $0 == "CLIP" ? film : String($0) }
  do {
    _ = try SlitScanCommand.parseAsRoot(words)
  } catch {
    let status = SlitScanCommand.exitCode(for: error).rawValue
    return CommandResult(status: status, text: SlitScanCommand.fullMessage(for: error))
  }
  return try await Command.run(slitscan: words, in: folder)
}

func decoded(_ name: String, in folder: URL) async throws -> Decoded {
  try await Decoded(folder.appending(path: name).path)
}

/// The names of the maps.
func maps() throws -> [String] {
  try ValidatedScan.makeElement().properties.flatMap { property -> [String] in
    guard property.name == "map", case .choice(let nicks) = property.kind else { return [] }
    return nicks
  }
}
