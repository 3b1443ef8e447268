// Default file names for photos and recordings, by date and time.

import Foundation

/// Names by date and time, each only once.
struct FileNames: Sendable {
  let folder: String
  /// The names of this second: their files may not be there yet.
  private var recent: Set<String> = []

  init(folder: String) { self.folder = folder }

  /// A name that no file has or is going to have, as `slitscan-2026-11-21-203000.png`.
  mutating func next(_ suffix: String) -> String {
    let calendar = Calendar(identifier: .gregorian)
    let now = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: Date())
    let digits = { (number: Int?, width: Int) in
      String(repeating: "0", count: max(0, width - "\(number ?? 0)".count)) + "\(number ?? 0)"
    }
    let date = [digits(now.year, 4), digits(now.month, 2), digits(now.day, 2)]
    let time = [digits(now.hour, 2), digits(now.minute, 2), digits(now.second, 2)]
    let stem = "\(folder)/slitscan-\(date.joined(separator: "-"))-\(time.joined())"
    var path = "\(stem).\(suffix)"
    var number = 2
    while recent.contains(path) || FileManager.default.fileExists(atPath: path) {
      path = "\(stem)-\(number).\(suffix)"
      number += 1
    }
    recent = recent.filter { $0.hasPrefix(stem) }.union([path])
    return path
  }
}
