// The command `benchmarks peers` compares slitscan with other programs that make the same image.

import ArgumentParser
import SlitScan

struct PeersBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peers",
    abstract: "Compare with ffmpeg, frei0r's delaygrab, quarktv and NumPy.",
    discussion: """
      Measures those that are installed against slitscan in GStreamer, for the same image of the \
      same size, format and depth, each on one thread. Each program runs with its effect and \
      without, until its history is full and then for a second; what counts is the difference. It \
      takes some minutes.
      """)

  @OptionGroup var frameSizes: SizeOptions

  @Option(help: ArgumentHelp("Frames of history.", valueName: "frames"))
  var depths = [Listed(120)]

  @Option(
    help: ArgumentHelp(
      "The folder of the plugin; gst/make-plugin.sh builds it.", valueName: "folder"))
  var plugin = ".build-plugin/release"

  @Flag(help: "Print the lines that are compared.")
  var verbose = false

  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  func validate() throws {
    for depth in depths.flattened() {
      try BenchRange.check(depth, "--depths", 1...ScanSettings.deepest)
    }
    for size in frameSizes.chosen where size.width % 8 != 0 || size.height % 2 != 0 {
      throw ValidationError(
        "\(size) cannot be measured: without padding in all programs, a width must be a multiple of "
          + "8 and a height of 2.")
    }
  }

  /// Compares with every peer that is installed, for each size and depth.
  func run() throws {
    let plugin = try PluginFile(folder: plugin)
    var comparisons: [PeerComparison] = []
    for size in frameSizes.chosen {
      for depth in depths.flattened() {
        comparisons += try compare(Peer.all(size: size, depth: depth, plugin: plugin), size: size)
      }
    }
    try report.write(comparisons)
  }

  private func compare(_ all: [Peer], size: FrameSize) throws -> [PeerComparison] {
    report.say(Machine.current.summary)
    guard Program.find("gst-launch-1.0") != nil else {
      report.say(
        "skipped all: slitscan runs in gst-launch-1.0, which is not installed; "
          + "apt install gstreamer1.0-tools")
      return []
    }
    let table = Table(columns: [
      .text("peer", all.map(\.name)), .text("slitscan", all.map(\.equivalent)),
      .text("format", all.map(\.format.rawValue)), .number("depth"), .number("peer ms"),
      .number("slitscan ms"), .text("", []),
    ])
    report.say("\(size), one thread; milliseconds that a frame takes, less those of its source")
    report.say("medians of \(effort.runs) alternating runs of a second each")
    report.say("")
    report.say(table.header)
    return try all.compactMap { peer in
      guard peer.requirement.isMet else {
        report.say("\(peer.name): skipped, not installed; apt install \(peer.requirement.packages)")
        return nil
      }
      let comparison = try PeerComparison(of: peer, size: size, effort: effort)
      report.say(table.line(cells(comparison)))
      if verbose {
        report.say("  \(comparison.peerLine)")
        report.say("  \(comparison.slitscanLine)")
      }
      return comparison
    }
  }

  private func cells(_ comparison: PeerComparison) -> [String] {
    let ratio = comparison.ratio
    let digits = ratio < 0.1 ? 4 : ratio < 1 ? 2 : 1
    return [
      comparison.peer, comparison.equivalent, comparison.format.rawValue, "\(comparison.depth)",
      comparison.peerMilliseconds.digits(3), comparison.slitscanMilliseconds.digits(3),
      "slitscan is \(ratio.digits(digits))× as fast",
    ]
  }
}
