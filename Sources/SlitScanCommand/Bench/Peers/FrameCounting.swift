// How programs say how many frames they have shown.

import Foundation

/// What to look for in the lines that a program prints.
enum FrameCounting: Hashable {
  /// A line with this text for each frame.
  case lines(containing: String)
  /// A line that begins with this text and ends with the number of frames.
  case number(after: String)
}

/// Frames counted in a program's output, which comes in pieces.
struct FrameCounter {
  let counting: FrameCounting
  private(set) var count = 0
  /// The beginning of a line whose end has not come yet.
  private var rest = Data()

  init(_ counting: FrameCounting) { self.counting = counting }

  /// Takes in the next piece.
  mutating func consume(_ piece: Data) {
    rest.append(piece)
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      consume(line: String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    rest = Data(rest)
  }

  private mutating func consume(line: String) {
    switch counting {
    case .lines(let text): count += line.contains(text) ? 1 : 0
    case .number(let text):
      guard line.hasPrefix(text), let number = Int(line.dropFirst(text.count)) else { return }
      count = number
    }
  }
}
