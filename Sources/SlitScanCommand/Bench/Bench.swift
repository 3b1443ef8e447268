// `slitscan bench`: what the effect costs on this machine.

import ArgumentParser
import SlitScan

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what the effect costs on this machine.",
    discussion: """
      Measures each combination of the modes, maps, formats, sizes, depths, interpolations and \
      thread counts that are asked for. Several values are separated by commas. Frames of noise and \
      of slopes go through the effect without GStreamer, and lie in rings, so that they are not in \
      the processor's caches more than a pipeline's would be.

        ms            a frame: the median frame of each run, the median of the runs
        MB/frame      bytes a frame must move: frame read, tiles written, history read (twice where
                      two frames are blended), picture written
        memcpy ms     one memcpy of the frame, taken before each frame
        × memcpy      the ratio; compare this one, it holds while other programs run
        allocs        requests for memory per frame (malloc, mmap and their kin, on all threads)
        history MB    what the effect says that history and canvas take
        resident MB   what the process grew by

      Examples:

        slitscan bench
        slitscan bench --maps radial --sizes 1280x720,1920x1080,3840x2160 --threads 1,2
        slitscan bench --modes sweep --formats I420,NV12,BGRx --json costs.json
        slitscan bench --peers --verbose

      --peers measures ffmpeg, frei0r's delaygrab, quarktv and NumPy, as far as they are installed, \
      against slitscan in GStreamer, for the same picture of the same size, format and depth, each \
      on one thread. Each program runs with its effect and without, until its history is full and \
      then for a second; what counts is the difference. It takes some minutes.
      """,
    subcommands: [BenchMaps.self, BenchPlot.self])

  @Option(help: "Modes.")
  var modes = [Listed<BenchMode>(.displace, .sweep, .strip)]

  @OptionGroup var grid: BenchGrid
  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  @Flag(help: "Compare with what people use today instead: ffmpeg, frei0r, quarktv, NumPy.")
  var peers = false

  @Flag(help: "With --peers, print the lines that are compared.")
  var verbose = false

  func validate() throws { try validatePeers() }

  func run() throws {
    guard !peers else { return try runPeers() }
    let cases = grid.cases(modes: modes.flattened())
    try report.write(try CaseTable(cases).measure(effort, report))
  }
}
