// The command `benchmarks` measures the effect and the overlay, for those who change them.

import ArgumentParser

@main struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Measure what slitscan costs on this machine.",
    subcommands: [EffectBenchmark.self, MapsBenchmark.self, BridgeBenchmark.self],
    defaultSubcommand: EffectBenchmark.self)
}

/// An error of the benchmarks: a sentence that says what happened and what to do.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
