// Random choices that are repeatable by their seed.

import SeededGenerator

extension SeededGenerator {
  /// So many random bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      let word = next()
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func any<Choice: CaseIterable>(_ type: Choice.Type) -> Choice {
    let cases = Array(type.allCases)
    return cases[Int.random(in: cases.indices, using: &self)]
  }
}
