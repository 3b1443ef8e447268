// The messages of the live screen, by rank: errors stay until a user has seen them, notices go by themselves. A value.

import GStreamer

/// The messages of a show, the newest last.
struct Messages: Sendable {
  private struct Message: Sendable {
    let text: String
    let isWarning: Bool
    /// When it was told, or told again.
    var moment: ContinuousClock.Instant
    /// The same as a time of day.
    var time: String
    /// The number of times that it was told.
    var count = 1
    /// When it came onto the screen; nil where there was no room yet.
    var shown: ContinuousClock.Instant?
    /// When a key was pressed while it was there.
    var seen: ContinuousClock.Instant?

    func isCurrent(at now: ContinuousClock.Instant) -> Bool {
      guard isWarning else { return now - moment < Messages.patience }
      return seen.map { now - $0 < Messages.patience } ?? true
    }

    var isUnseen: Bool { isWarning && seen == nil }
  }

  /// The time that notices stay, and errors once they are seen.
  private static let patience = Duration.seconds(15)
  /// The time after which an error on the screen can have been read.
  private static let readingTime = Duration.seconds(1)
  private static let limit = 100
  /// The cells before the text, where there are enough of them.
  private static let indent = 14

  private var messages: [Message] = []

  /// Remembers what was told; the same again only counts.
  mutating func add(_ text: String, isWarning: Bool, at now: ContinuousClock.Instant) {
    var message = Message(
      text: text, isWarning: isWarning, moment: now, time: localTime("%H:%M:%S"))
    messages.removeAll { !$0.isCurrent(at: now) }
    if let index = messages.firstIndex(where: { $0.text == text && $0.isWarning == isWarning }) {
      let before = messages.remove(at: index)
      message.count += before.count
      // One that was seen and comes again and again takes no further key.
      (message.shown, message.seen) = (before.shown, before.seen.map { _ in now })
    }
    messages.append(message)
    guard messages.count > Self.limit else { return }
    messages.remove(at: messages.firstIndex { !$0.isUnseen } ?? 0)
  }

  /// A key was pressed: what could be read until then was seen.
  mutating func acknowledge(at now: ContinuousClock.Instant) {
    for index in messages.indices where messages[index].isUnseen {
      guard let shown = messages[index].shown, now - shown >= Self.readingTime else { continue }
      messages[index].seen = now
    }
  }

  /// Whether there are errors that were not seen.
  var hasUnseen: Bool { messages.contains(where: \.isUnseen) }

  /// The number of lines that all current messages take.
  func height(columns: Int, at now: ContinuousClock.Instant) -> Int {
    messages.reduce(0) { $0 + ($1.isCurrent(at: now) ? Self.lines(of: $1, columns).count : 0) }
  }

  /// The lines of as many messages as there is room for: the newest, then errors that were not seen, the oldest
  /// first, then the others.
  mutating func lines(
    columns: Int, rows: Int, at now: ContinuousClock.Instant
  ) -> [ScreenLine] {
    guard rows > 0 else { return [] }
    var (chosen, hidden) = choose(columns, rows, at: now)
    if hidden > 0, rows > 1 { (chosen, hidden) = choose(columns, rows - 1, at: now) }
    for (index, _) in chosen { messages[index].shown = messages[index].shown ?? now }
    let lines = chosen.sorted { $0.index < $1.index }.flatMap(\.lines)
    guard hidden > 0, rows > 1 else { return Array(lines.prefix(rows)) }
    let more = "  … \(hidden) more \(hidden == 1 ? "error" : "errors"): press a key, such as escape"
    return [ScreenLine(more, .faint)] + lines.prefix(rows - 1)
  }

  /// - Returns: The messages that fit, by their places, and the number of unseen errors that do not.
  private func choose(
    _ columns: Int, _ rows: Int, at now: ContinuousClock.Instant
  ) -> (chosen: [(index: Int, lines: [ScreenLine])], hidden: Int) {
    let current = messages.indices.filter { messages[$0].isCurrent(at: now) }
    guard let newest = current.last else { return ([], 0) }
    let unseen = current.dropLast().filter { messages[$0].isUnseen }
    let others = current.dropLast().filter { !messages[$0].isUnseen }
    let order: [Int] = [newest] + unseen + others.reversed()
    var chosen: [(index: Int, lines: [ScreenLine])] = []
    var left = rows
    for (place, index) in order.enumerated() {
      let lines = Self.lines(of: messages[index], columns)
      guard lines.count <= left || place == 0 else {
        // Less important ones fill no gap.
        return (chosen, order[place...].count { messages[$0].isUnseen })
      }
      chosen.append((index, lines))
      left -= lines.count
    }
    return (chosen, 0)
  }

  private static func lines(of message: Message, _ columns: Int) -> [ScreenLine] {
    let repeated = message.count > 1 ? " (\(message.count) times)" : ""
    let style: ScreenLine.Style = message.isUnseen ? .error : message.isWarning ? .strong : .plain
    let head = "  \(message.time)  \(message.isWarning ? "! " : "  ")"
    let width = columns > 2 * indent ? columns - indent : columns
    return (message.text + repeated).wrapped(toCells: width).enumerated().map { number, text in
      let start = number == 0 ? head : String(repeating: " ", count: indent)
      return ScreenLine(width < columns ? start + text : text, style)
    }
  }
}
