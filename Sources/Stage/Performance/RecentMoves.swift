// The recent moves are those of the last time, with the looks that they began from. A value.

import GStreamer

/// The moves from which the look at a past moment follows, as many as are kept.
struct RecentMoves {
  /// A look, and the moves since then.
  private struct Chapter {
    let time: ClockTime
    let look: [Move]
    var entries: [MoveScript.Entry] = []
  }

  private static let chapterLength = 100
  private static let mostChapters = 100

  private var chapters: [Chapter] = []

  /// The first time at which the look is known.
  var begin: ClockTime { chapters.first?.time ?? .zero }

  /// Whether the next look should be kept.
  var needsLook: Bool { chapters.last.map { $0.entries.count >= Self.chapterLength } ?? true }

  /// Has moves follow from a look from now on.
  mutating func beginChapter(at time: ClockTime, _ look: [Move]) {
    chapters.append(Chapter(time: time, look: look))
    if chapters.count > Self.mostChapters { chapters.removeFirst() }
  }

  /// Adds a move that was done.
  mutating func add(_ move: Move, at time: ClockTime) {
    guard !chapters.isEmpty else { return }
    chapters[chapters.endIndex - 1].entries.append(MoveScript.Entry(time, move))
  }

  /// The moves until a time, from a look on, and those after it.
  func parts(at time: ClockTime) -> (since: ClockTime, before: MoveScript, after: MoveScript) {
    let start = chapters.lastIndex { $0.time <= time } ?? chapters.startIndex
    let chapters = chapters[start...]
    let since = chapters.first?.time ?? .zero
    var (before, after) = (MoveScript(chapters.first?.look ?? []), MoveScript())
    // Moves that take as long as a disk does are told when they are done.
    for entry in chapters.flatMap(\.entries).sorted(by: { $0.time < $1.time }) {
      if entry.time <= time {
        before.append(MoveScript.Entry(entry.time - since, entry.move))
      } else {
        after.append(MoveScript.Entry(entry.time - time, entry.move))
      }
    }
    return (since, before, after)
  }
}
