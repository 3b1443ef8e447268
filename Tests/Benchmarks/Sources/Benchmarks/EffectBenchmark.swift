// The command `benchmarks effect` measures the cost of a frame in each mode, map, format and size.

import ArgumentParser

struct EffectBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect",
    abstract: "Measure what a frame costs the effect.",
    discussion: """
      Measures each combination of the modes, maps, formats, sizes, depths, interpolations and \
      thread counts that are asked for. Frames of noise and of slopes go through the effect without \
      GStreamer, and lie in rings, so that they are not in the processor's caches more than a \
      pipeline's would be.

        ms           a frame: median of each run, median of the runs
        memcpy ms    one memcpy of the frame, taken before each frame
        × memcpy     the ratio: what holds while other programs run
        allocs       requests for memory a frame, on all threads
        history MB   what the effect says that history and canvas take
        resident MB  what the process grew by

        benchmarks --modes sweep --formats I420 NV12 BGRx --sizes 1280x720 3840x2160 --csv
        benchmarks --plot cost.svg --maps rows radial --interpolations linear

      --plot measures each size at the first of the depths, and each depth at the first of the \
      sizes, and draws a line for each map on logarithmic axes: a cost that grows as the pixels do \
      is a line as steep as that of memcpy. It takes some minutes, and needs gnuplot.
      """)

  @Option(parsing: .upToNextOption, help: "Modes. (default: all; with --plot, displace)")
  var modes: [BenchMode] = []

  @OptionGroup var grid: BenchGrid
  @OptionGroup var effort: Effort
  @OptionGroup var options: TableOptions

  @Option(
    help: ArgumentHelp("Draw cost against resolution and against depth.", valueName: "file.svg"))
  var plot: String?

  func validate() throws {
    guard let plot else { return }
    guard grid.formats.count * grid.threads.count == 1, grid.interpolations.count <= 1,
      modes.count <= 1
    else {
      throw ValidationError(
        "--plot draws one mode, format, interpolation and number of threads. Name one of each.")
    }
    try CostPlot.check(plot)
  }

  func run() throws {
    let cases =
      plot == nil
      ? grid.cases(modes: modes.isEmpty ? BenchMode.allCases : modes)
      : grid.series(modes: modes.isEmpty ? [.displace] : modes)
    let table = Table(effort.description, BenchCase.columns + Measurement.columns, options)
    let measurements = try cases.map { wanted in
      let measurement = try Measurement(of: wanted, effort: effort)
      table.print(wanted.cells + measurement.cells)
      return measurement
    }
    if let plot { try CostPlot(measurements: measurements).write(to: plot) }
  }
}
