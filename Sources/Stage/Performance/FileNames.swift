// Names of files that a show writes: by date and time unless one is given, and never that of a file that is there.

import GStreamer
import LibC

struct FileNames: Sendable {
  let folder: String
  /// The number of the last name of each path: its file may not be there yet.
  private var numbers: [String: Int] = [:]

  init(folder: String) { self.folder = folder }

  /// A name that no file has or is going to have, as `slitscan-2026-11-21-203000.png`.
  mutating func next(_ suffix: String) -> String {
    free("\(folder)/slitscan-\(localTime("%Y-%m-%d-%H%M%S")).\(suffix)")
  }

  /// A path, or the next one that no file has or is going to have, as `film-2.mkv`.
  ///
  /// A pipe or a device keeps its path: nothing is lost where it is written.
  mutating func free(_ path: String) -> String {
    guard !Self.isStream(path) else { return path }
    let suffix = path.fileEnding.isEmpty ? "" : ".\(path.fileEnding)"
    let stem = path.dropLast(suffix.count)
    var number = numbers[path, default: 0]
    var free: String
    repeat {
      number += 1
      free = number == 1 ? path : "\(stem)-\(number)\(suffix)"
    } while Self.isTaken(free)
    numbers[path] = number
    return free
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func isStream(_ path: String) -> Bool {
    path.fileStatus.map { [S_IFIFO, S_IFCHR].contains($0.st_mode & S_IFMT) } ?? false
  }
}
