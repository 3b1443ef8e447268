// The command `benchmarks bridge` measures the cost of passing frames from a pipeline to Swift and back.

import ArgumentParser

struct BridgeBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Measure what it costs to take frames out of a pipeline to Swift and back.",
    discussion: """
      The same frames go, in turns: through a pipeline; from an appsink to an appsrc by a callback in \
      C; and from AppSink.samples to AppSrc.send in Swift, all of them, in order. Nothing is drawn \
      and nothing is copied.

        µs, CPU µs  a frame, as fast as they can go: time, and work of all processors
        added       the same, less the pipeline without a bridge in the same run
        × C         what this adds to what the appsink in C adds

      Then a reader that takes \(Self.slowness) times as long as frames take to come, in C and in \
      Swift: how old the frames are that it gets. Only the newest one waits for it, so that is the \
      time from one frame to the next at most, and however long a thread takes to wake.
      """)

  /// Frames a second that come to a slow reader.
  static let rate = 250
  /// The time of a slow reader for a frame, in times from one frame to the next.
  static let slowness = 2.5

  @OptionGroup var sizes: SizeOptions

  @Option(help: "Frames to time in each run; a slow reader gets at most half a second of them.")
  var frames = 10_000

  @Option(help: "Runs of each way; what is printed is their median.")
  var runs = 5

  @OptionGroup var options: TableOptions

  func validate() throws {
    try check(frames, "--frames", 1...1_000_000)
    try check(runs, "--runs", 1...1000)
  }

  func run() async throws {
    try await measureCosts()
    try await measureAges()
  }

  typealias Run = [BridgeWay: BridgePassage]

  private func measureCosts() async throws {
    let table = Table(
      "medians of \(runs) runs of \(frames) frames, the ways in turns",
      [
        .text("size", 9), .text("way", 24), .number("µs"), .number("CPU µs"), .number("added µs"),
        .number("× C"), .number("added CPU µs"), .number("× C, CPU"),
      ], options)
    for size in sizes.chosen {
      var measured: [Run] = []
      for _ in 0..<runs {
        var run = Run()
        for way in BridgeWay.allCases {
          run[way] = try await BridgePassage(way, size: size, frames: frames)
        }
        measured.append(run)
      }
      for way in BridgeWay.allCases {
        table.print(["\(size)", way.rawValue] + Self.cells(of: way, measured))
      }
    }
  }

  /// The numbers of a way: medians of the runs, and of the differences and ratios within each run.
  static func cells(of way: BridgeWay, _ runs: [Run]) -> [String] {
    func added(_ way: BridgeWay, _ time: (BridgePassage) -> Double) -> [Double] {
      runs.map { run in
        guard let with = run[way], let without = run[.none] else { return .nan }
        return time(with) - time(without)
      }
    }
    func cells(_ time: (BridgePassage) -> Double) -> [String] {
      let ratios = zip(added(way, time), added(.callback, time)).map { $0 / $1 }
      return way == .none
        ? ["–", "–"] : [added(way, time).median.digits(2), ratios.median.digits(2)]
    }
    let passages = runs.compactMap { $0[way] }
    return [passages.map(\.time).median.digits(2), passages.map(\.cpuTime).median.digits(2)]
      + cells(\.time) + cells(\.cpuTime)
  }

  private func measureAges() async throws {
    let interval = Duration.seconds(1) / Self.rate
    let busy = interval * Self.slowness
    let table = Table(
      "the latest frame; one comes every \(interval), its reader takes \(busy)",
      [
        .text("size", 9), .text("reader", 14), .number("frames"), .number("read"),
        .number("age µs"), .number("oldest µs"),
      ], options)
    let count = runs * min(frames, Self.rate / 2)
    for size in sizes.chosen {
      for reader in BridgeReader.allCases {
        let ages = try await reader.ages(
          size.source(count: count, rate: Self.rate), frames: count, busy: busy)
        table.print([
          "\(size)", reader.rawValue, "\(count)", "\(ages.count)", ages.median.digits(0),
          (ages.max() ?? 0).digits(0),
        ])
      }
    }
  }
}
