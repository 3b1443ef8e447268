// The seed of a run, which a person can give.

import Foundation

/// The seed of this run: `SLITSCAN_TEST_SEED`, or a new one.
public enum TestSeed {
  /// The seed.
  public static let value: UInt64 =
    ProcessInfo.processInfo.environment["SLITSCAN_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...999_999_999)

  /// What to say when something random fails.
  public static var advice: String { "to repeat: SLITSCAN_TEST_SEED=\(value)" }
}

extension SeededGenerator {
  /// Numbers of their own for each purpose, all from the seed of the run.
  public init(for purpose: String) {
    // FNV-1a.
    self.init(
      seed: purpose.utf8.reduce(TestSeed.value ^ 0xcbf2_9ce4_8422_2325) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      })
  }
}
