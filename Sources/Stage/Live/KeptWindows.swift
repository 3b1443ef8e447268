// The kept windows are the places of the windows of earlier shows, in a file of the settings folder.

import FoundationEssentials
import SlitScanCapture
import SlitScanWindow

/// Where the windows of shows were, the latest first.
///
/// The file has lines such as
///
///     1 of 2: 960x540+100+80 on 2 HDMI-1 24"
///
/// That is the first of two windows. It was on the second display, 100 pixels from its left edge and 80 from
/// its upper one.
struct KeptWindows {
  private struct Entry: Hashable {
    let number: Int
    let count: Int
    private(set) var frame: WindowFrame

    var line: String {
      "\(number) of \(count): \(frame.width)x\(frame.height)+\(frame.x)+\(frame.y) on "
        + "\(frame.display.number) \(frame.display.name)"
    }

    init(number: Int, count: Int, frame: WindowFrame) {
      (self.number, self.count, self.frame) = (number, count, frame)
      // As it is read: what the line does not say.
      let display = frame.display
      self.frame.display = StageDisplay(
        number: display.number, name: display.name, width: 0, height: 0)
      self.frame.isFullScreen = false
    }

    init?(_ line: Substring) {
      let form = /(\d+) of (\d+): (\d+)x(\d+)\+(-?\d+)\+(-?\d+) on (\d+) (.*)/
      guard let match = line.wholeMatch(of: form)?.output, let number = Int(match.1),
        let count = Int(match.2), let width = Int32(match.3), let height = Int32(match.4),
        let x = Int32(match.5), let y = Int32(match.6), let display = Int(match.7)
      else { return nil }
      self.init(
        number: number, count: count,
        frame: WindowFrame(
          display: StageDisplay(number: display, name: String(match.8), width: 0, height: 0),
          x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
    }
  }

  /// The file; nil for none.
  let path: String?
  private var entries: [Entry]
  private var written: [Entry]

  /// - Parameter path: The file; nil for none. What is not such a line in it is left out.
  init(path: String?) {
    self.path = path
    let text = path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
    entries = text.split(separator: "\n").compactMap { Entry($0) }
    written = entries
  }

  /// Where a window was, the latest first.
  ///
  /// - Parameters:
  ///   - number: Which window, from 1 on.
  ///   - count: How many there are: a show of two has other places than one of three.
  func frames(of number: Int, among count: Int) -> [WindowFrame] {
    entries.filter { $0.number == number && $0.count == count }.map(\.frame)
  }

  /// Keeps where a window is, instead of where it was on the same display.
  mutating func keep(_ frame: WindowFrame, of number: Int, among count: Int) {
    let entry = Entry(number: number, count: count, frame: frame)
    let isOfWindow = { (other: Entry) in other.number == number && other.count == count }
    guard entries.first(where: isOfWindow) != entry else { return }
    entries.removeAll { isOfWindow($0) && $0.frame.display.name == frame.display.name }
    entries.insert(entry, at: 0)
    entries = Array(entries.prefix(100))
  }

  /// Writes the file, if it is to change.
  ///
  /// - Throws: ``StageError/Code/notWritten``; the same is not tried again.
  mutating func write() throws(StageError) {
    guard let path, entries != written else { return }
    written = entries
    do throws(StageError) {
      try entries.map { $0.line + "\n" }.joined().write(toFile: path)
    } catch {
      throw StageError(
        .notWritten,
        "\(path): the places of the windows could not be written. "
          + "Make the folder writable.")
    }
  }
}
