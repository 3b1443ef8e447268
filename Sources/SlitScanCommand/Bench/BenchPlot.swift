// `slitscan bench plot`: how the cost grows with resolution and with depth.

import ArgumentParser
import Foundation
import SlitScan

struct BenchPlot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw the cost of a frame against resolution and against depth.",
    discussion: """
      Measures each map at several sizes and at several depths, and draws two panels, both on \
      logarithmic axes: a cost that grows as the pixels do is a line as steep as that of memcpy. It \
      takes some minutes.

      Example:

        slitscan bench plot cost.svg --maps rows,radial --interpolation linear
      """)

  @Argument(help: "The SVG file to write.")
  var file: String

  @Option(help: "Maps.")
  var maps = [Listed<BenchMap>(.rows, .columns, .radial, .random)]

  @Option(help: ArgumentHelp("Sizes of the first panel, in pixels.", valueName: "WxH"))
  var sizes = [
    Listed(
      PictureSize(width: 320, height: 180), PictureSize(width: 640, height: 360),
      PictureSize(width: 1280, height: 720), PictureSize(width: 1920, height: 1080),
      PictureSize(width: 3840, height: 2160))
  ]

  @Option(help: ArgumentHelp("Frames of history in the first panel.", valueName: "frames"))
  var atDepth = 120

  @Option(help: ArgumentHelp("Frames of history of the second panel.", valueName: "frames"))
  var depths = [Listed(2, 8, 30, 60, 120, 240)]

  @Option(help: ArgumentHelp("Size of the picture in the second panel.", valueName: "WxH"))
  var atSize = PictureSize(width: 1920, height: 1080)

  @Option(help: "Video format.")
  var format = FrameFormat.i420

  @Option(help: "What to show of delays between two frames.")
  var interpolation = BenchInterpolation.nearest

  @Option(help: ArgumentHelp("Threads of the effect; 0 is one for each core.", valueName: "number"))
  var threads = 1

  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  func validate() throws {
    for depth in depths.flattened() + [atDepth] {
      try BenchRange.check(depth, "a depth of", 1...ScanSettings.deepest)
    }
    try BenchRange.check(threads, "--threads", 0...1024)
    try OutputFile.check(file)
  }

  func run() throws {
    let bySize = sizes.flattened().flatMap { size in cases(size: size, depth: atDepth) }
    let byDepth = depths.flattened().flatMap { depth in cases(size: atSize, depth: depth) }
    let measurements = try CaseTable(bySize + byDepth).measure(effort, report)
    let chart = Chart.costs(
      sizes: Array(measurements.prefix(bySize.count)),
      depths: Array(measurements.dropFirst(bySize.count)))
    try OutputFile.write(Data(SVGWriter.svg(chart).utf8), to: file)
    try report.write(measurements)
  }

  private func cases(size: PictureSize, depth: Int) -> [BenchCase] {
    maps.flattened().map {
      BenchCase(
        mode: .displace, map: $0, format: format, size: size, depth: depth,
        interpolation: interpolation, threads: threads)
    }
  }
}
