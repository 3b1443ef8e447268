// A film part is one of several parts of a film that are rendered separately.

import GStreamer

/// One of several parts of a film, `2/4` for the second of four.
public struct FilmPart: Sendable, Hashable, CustomStringConvertible {
  /// Which one, from 1 on.
  public let number: Int
  /// Of how many.
  public let count: Int

  /// The most parts that a film can have.
  public static let limit = 100_000

  /// A part, nil where there is none such.
  public init?(_ number: Int, of count: Int) {
    guard 1...Self.limit ~= count, 1...count ~= number else { return nil }
    self.number = number
    self.count = count
  }

  /// A part as people write it, nil where that makes no sense.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
    self.init(number, of: count)
  }

  /// Whether nothing follows it.
  public var isLast: Bool { number == count }

  /// As people write it.
  public var description: String { "\(number)/\(count)" }

  /// The frames of the part, of a film of so many: each is in one part, and all parts have about as
  /// many.
  func pictures(of total: Int) -> Range<Int> {
    func boundary(_ index: Int) -> Int {
      let (whole, rest) = total.quotientAndRemainder(dividingBy: count)
      return whole * index + rest * index / count
    }
    return boundary(number - 1)..<boundary(number)
  }
}
