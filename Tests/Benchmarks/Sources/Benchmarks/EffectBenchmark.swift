// The command `benchmarks effect` measures the cost of a frame in each mode, map, format and size.

import ArgumentParser
import Foundation

struct EffectBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect",
    abstract: "Measure what a frame costs the effect.",
    discussion: """
      Measures each combination of the modes, maps, formats, sizes, depths, interpolations and \
      thread counts that are asked for. Several values are separated by commas. Frames of noise and \
      of slopes go through the effect without GStreamer, and lie in rings, so that they are not in \
      the processor's caches more than a pipeline's would be.

        ms           a frame: median of each run, median of the runs
        MB/frame     bytes that must move: frame read, tiles written, history
                     read (twice where two frames are blended), output written
        memcpy ms    one memcpy of the frame, taken before each frame
        × memcpy     the ratio: what holds while other programs run
        allocs       requests for memory a frame, on all threads
        history MB   what the effect says that history and canvas take
        resident MB  what the process grew by, at its peak

      Examples:

        benchmarks --maps radial --sizes 1280x720,3840x2160 --threads 1,2
        benchmarks --modes sweep --formats I420,NV12,BGRx --json costs.json
        benchmarks --plot cost.svg --maps rows,radial --interpolations linear

      --plot measures each size at the first of the depths, and each depth at the first of the \
      sizes, and draws a line for each map on logarithmic axes: a cost that grows as the pixels do \
      is a line as steep as that of memcpy. It takes some minutes.
      """)

  @Option(help: "Modes. (default: all; with --plot, displace)")
  var modes: [Listed<BenchMode>] = []

  @OptionGroup var grid: BenchGrid
  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  @Option(
    help: ArgumentHelp("Draw cost against resolution and against depth.", valueName: "file.svg"))
  var plot: String?

  func validate() throws {
    if let plot { try OutputFile.check(plot) }
  }

  func run() throws {
    if let plot {
      try runSeries(for: plot)
    } else {
      let cases = grid.cases(modes: modes.chosen(else: .displace, .sweep, .strip))
      try report.write(try CaseTable(cases).measure(effort, report))
    }
  }

  /// Measures what the two panels of a chart show, and draws it.
  private func runSeries(for file: String) throws {
    let series = grid.series(modes: modes.chosen(else: .displace))
    // Cases of both panels are measured once.
    let cases = series.sizes + series.depths.filter { !series.sizes.contains($0) }
    let measurements = try CaseTable(cases).measure(effort, report)
    let chart = Chart.costs(
      sizes: measurements.filter { series.sizes.contains($0.subject) },
      depths: measurements.filter { series.depths.contains($0.subject) })
    try OutputFile.write(Data(SVGWriter.svg(chart).utf8), to: file)
    try report.write(measurements)
  }
}
