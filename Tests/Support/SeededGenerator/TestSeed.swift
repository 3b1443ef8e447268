// The random seed of a test run, which a person can set.

import Foundation

/// The seed of this run: `SLITSCAN_TEST_SEED`, or a new one.
public enum TestSeed {
  /// The seed.
  public static let value: UInt64 =
    ProcessInfo.processInfo.environment["SLITSCAN_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...999_999_999)

  /// The hint for failures of random tests.
  public static var advice: String { "to repeat: SLITSCAN_TEST_SEED=\(value)" }
}

extension RandomAccessCollection {
  /// The cases that run: all of them or, where `SLITSCAN_TEST_SAMPLE` is n, one of n, at least one, which the
  /// seed of the run chooses.
  public func sampled(file: String = #fileID, line: Int = #line) -> [Element] {
    let variable = ProcessInfo.processInfo.environment["SLITSCAN_TEST_SAMPLE"]
    let share = Swift.max(1, variable.flatMap { Int($0) } ?? 1)
    var random = SeededGenerator(for: "sample of \(file):\(line)")
    return Array(shuffled(using: &random).prefix((count + share - 1) / share))
  }
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
