// Names of files that a show writes: by date and time unless one is given, and never that of a file that is there.

import Foundation
import LibC

struct FileNames: Sendable {
  let folder: String
  /// The number of the last name of each path: its file may not be there yet.
  private var numbers: [String: Int] = [:]

  init(folder: String) { self.folder = folder }

  /// A name that no file has or is going to have, as `slitscan-2026-11-21-203000.png`.
  mutating func next(_ suffix: String) -> String {
    let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, timeZone: .current)
    let now = Date().formatted(style.year().month().day().time(includingFractionalSeconds: false))
    return free("\(folder)/slitscan-\(now.replacing("T", with: "-")).\(suffix)")
  }

  /// A path, or the next one that no file has or is going to have, as `film-2.mkv`.
  ///
  /// A pipe or a device keeps its path: nothing is lost where it is written.
  mutating func free(_ path: String) -> String {
    guard !Self.isStream(path) else { return path }
    let whole = path as NSString
    let (stem, suffix) =
      whole.pathExtension.isEmpty
      ? (path, "") : (whole.deletingPathExtension, ".\(whole.pathExtension)")
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
    var status = stat()
    return unsafe stat(path, &status) == 0
      && [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }
}
