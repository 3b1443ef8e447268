// The command `benchmarks bridge` measures the cost of passing frames from a pipeline to Swift and back.

import ArgumentParser

struct BridgeBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Measure what it costs to take frames out of a pipeline to Swift and back.",
    discussion: """
      The same frames go, in turns: through a pipeline; through that pipeline with a buffer probe in \
      C; from an appsink to an appsrc by a callback in C; and from AppSink.samples to AppSrc.send in \
      Swift, all of them, in order. Nothing is drawn and nothing is copied.

        µs, CPU µs  a frame, as fast as they can go: time, and work of all processors
        added       the same, less the pipeline without a bridge in the same run
        × C         what this adds to what the appsink in C adds
        delay µs    from source to sink when frames come \(Self.rate) times a second

      With --delivery latest, a reader that takes \(Self.slowness) times as long as frames take to \
      come, in C and in Swift: how old the frames are that it gets. Only the newest one waits for it, \
      so that is the time from one frame to the next at most, and however long a thread takes to wake.
      """)

  /// Frames a second where they come as from a camera.
  static let rate = 250
  /// The time of a slow reader for a frame, in times from one frame to the next.
  static let slowness = 2.5

  @Option(help: "What happens to frames that come too fast for their reader.")
  var delivery = [Listed<BridgeDelivery>(.lossless, .latest)]

  @Flag(help: "Map each frame and read a byte of it, in C and in Swift.")
  var look = false

  @OptionGroup var frameSizes: SizeOptions
  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  private var runs: Int { effort.runs }
  /// Frames of a run as fast as they can go.
  private var frames: Int { effort.chosenFrames ?? 10_000 }
  /// Frames of a run where they come as from a camera, in at most half a second.
  private var pacedFrames: Int { min(frames, Self.rate / 2) }

  func run() async throws {
    var lines: [BridgeMeasurement] = []
    report.say(Machine.current.summary)
    for delivery in delivery.flattened() {
      switch delivery {
      case .lossless: lines += try await measureCosts().map { BridgeMeasurement(cost: $0) }
      case .latest: lines += try await measureAges().map { BridgeMeasurement(age: $0) }
      }
    }
    try report.write(lines)
  }

  // MARK: Lossless

  private func measureCosts() async throws -> [BridgeCost] {
    let table = Table(columns: [
      .text("size", frameSizes.chosen.map(\.description)),
      .text("way", BridgeWay.allCases.map(\.name)), .number("µs"), .number("CPU µs"),
      .number("added µs"), .number("× C"), .number("added CPU µs"), .number("× C"),
      .number("delay µs"),
    ])
    report.say("every frame; medians of \(runs) runs of \(frames) frames, the ways in turns")
    report.say("")
    report.say(table.header)
    var costs: [BridgeCost] = []
    for size in frameSizes.chosen {
      var measured: [BridgeCost.Run] = []
      for _ in 0..<runs {
        var run = BridgeCost.Run()
        for way in BridgeWay.allCases {
          let fast = BridgeTraffic(size: size, looks: look)
          run.fast[way] = try await BridgePassage(way, fast, frames: frames)
        }
        for way in BridgeWay.allCases {
          let paced = BridgeTraffic(size: size, looks: look, rate: Self.rate)
          run.paced[way] = try await BridgePassage(way, paced, frames: pacedFrames)
        }
        measured.append(run)
      }
      for cost in BridgeCost.all(of: size, measured) {
        report.say(table.line(cells(cost)))
        costs.append(cost)
      }
    }
    report.say("")
    return costs
  }

  private func cells(_ cost: BridgeCost) -> [String] {
    let times = [cost.microseconds.digits(2), cost.cpuMicroseconds.digits(2)]
    let added =
      cost.way == .none
      ? Array(repeating: "–", count: 4)
      : [
        cost.addedMicroseconds.digits(2), cost.ratio?.digits(2) ?? "–",
        cost.addedCPUMicroseconds.digits(2), cost.cpuRatio?.digits(2) ?? "–",
      ]
    return ["\(cost.size)", cost.way.name] + times + added + [cost.delayMicroseconds.digits(1)]
  }

  // MARK: The latest

  private func measureAges() async throws -> [BridgeAge] {
    let table = Table(columns: [
      .text("size", frameSizes.chosen.map(\.description)),
      .text("reader", BridgeAge.Reader.allCases.map(\.name)), .number("frames"), .number("read"),
      .number("dropped"), .number("age µs"), .number("oldest µs"),
    ])
    let interval = 1_000_000 / Double(Self.rate)
    report.say(
      "the latest frame; one comes every \(interval.digits(0)) µs, its reader takes "
        + "\((interval * Self.slowness).digits(0)) µs")
    report.say("")
    report.say(table.header)
    var ages: [BridgeAge] = []
    for size in frameSizes.chosen {
      for reader in BridgeAge.Reader.allCases {
        let traffic = BridgeTraffic(size: size, looks: look, rate: Self.rate)
        let age = try await BridgeAge(
          reader, traffic, frames: runs * pacedFrames,
          busy: .microseconds(Int64(interval * Self.slowness)))
        report.say(
          table.line([
            "\(size)", reader.name, "\(age.frames)", "\(age.read)", "\(age.dropped)",
            age.medianMicroseconds.digits(0), age.oldestMicroseconds.digits(0),
          ]))
        ages.append(age)
      }
    }
    report.say("")
    return ages
  }
}

/// The fate of frames that come too fast.
enum BridgeDelivery: String, CaseIterable, Codable, Choice {
  /// Their source waits.
  case lossless
  /// All but the newest are dropped.
  case latest
}

/// A line of `--json`: of one kind or the other.
struct BridgeMeasurement: Codable {
  var cost: BridgeCost?
  var age: BridgeAge?
}
