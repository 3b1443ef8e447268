// Random choices that a failure can be repeated with.

import Foundation
import SeededGenerator

/// The seed of this run: `SLITSCAN_TEST_SEED`, or a new one.
enum TestSeed {
  static let value: UInt64 =
    ProcessInfo.processInfo.environment["SLITSCAN_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...999_999_999)

  /// What to say when something random fails.
  static var advice: String { "to repeat: SLITSCAN_TEST_SEED=\(value)" }
}

extension SeededGenerator {
  /// Numbers of their own for each purpose, all from the seed of the run.
  init(for purpose: String) {
    // FNV-1a.
    self.init(
      seed: purpose.utf8.reduce(TestSeed.value ^ 0xcbf2_9ce4_8422_2325) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      })
  }

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
  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// One of all cases.
  mutating func any<Choice: CaseIterable>(_ type: Choice.Type) -> Choice {
    let cases = Array(type.allCases)
    return cases[Int.random(in: cases.indices, using: &self)]
  }
}
