// The command `benchmarks maps` measures the cost of changing the map, and of maps that move.

import ArgumentParser
import SlitScan

struct MapsBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps",
    abstract: "Measure what it costs to change the map with every frame.",
    discussion: """
      For each map the time of a frame while the map stands still, while it changes with every \
      frame, and the difference: what the change costs. A map that follows from the frames cannot \
      stand still; an image stands in for it then.
      """)

  @OptionGroup var grid: BenchGrid
  @OptionGroup var effort: Effort
  @OptionGroup var report: ReportOptions

  /// The cost of changing one map, and a line of `--json`.
  private struct Change: Codable {
    var subject: BenchCase
    /// Milliseconds of a frame while the map stands still.
    var stillMilliseconds: Double
    /// Milliseconds of a frame while it changes with every frame.
    var movingMilliseconds: Double
    /// The median of the runs' differences.
    var changeMilliseconds: Double
    /// Milliseconds of one memcpy of the frame.
    var memcpyMilliseconds: Double
    /// The median of the runs' ratios of change to memcpy.
    var ratio: Double
  }

  func run() throws {
    let cases = grid.cases(modes: [.displace])
    let subjects = SubjectColumns(cases)
    let table = Table(
      columns: subjects.columns + [
        .number("still ms"), .number("moving ms"), .number("change ms"), .number("memcpy ms"),
        .number("change × memcpy"),
      ])
    report.say("\(Machine.current.summary)")
    report.say("\(subjects.shared); medians of \(effort.runs) runs of \(effort.frames) frames")
    report.say("")
    report.say(table.header)
    var changes: [Change] = []
    for wanted in cases {
      let change = try measure(wanted)
      report.say(
        table.line(
          subjects.cells(wanted) + [
            change.stillMilliseconds.digits(3), change.movingMilliseconds.digits(3),
            change.changeMilliseconds.digits(3), change.memcpyMilliseconds.digits(3),
            change.ratio.digits(2),
          ]))
      changes.append(change)
    }
    try report.write(changes)
  }

  private func measure(_ wanted: BenchCase) throws -> Change {
    let settings = wanted.settings(sweepFrames: effort.frames)
    var rig = try ScanRig(wanted, settings: settings)
    var standing = settings
    if wanted.map.followsFrames {
      try rig.setImage()
      standing.map.shape = .image
    }
    for _ in 0..<((wanted.depth ?? 0) + 4) {
      try rig.scan(standing, movesMap: false)
      if let limit = rig.report.limitedDepth { throw BenchmarkError.tooDeep(wanted, limit: limit) }
    }

    var runs: [(still: Double, moving: Double, memcpy: Double)] = []
    for _ in 0..<effort.runs {
      var still = Stopwatch(reserving: effort.frames)
      var moving = Stopwatch(reserving: effort.frames)
      var memcpy = Stopwatch(reserving: effort.frames)
      // The first frame after a change still pays for it.
      try rig.scan(standing, movesMap: false)
      for _ in 0..<effort.frames {
        try still.time { () throws(ScanError) in try rig.scan(standing, movesMap: false) }
      }
      for frame in 1...effort.frames {
        var moved = settings
        moved.map = wanted.map.settings(movedBy: frame)
        memcpy.time { rig.copy() }
        try moving.time { () throws(ScanError) in try rig.scan(moved) }
      }
      runs.append((still.median, moving.median, memcpy.median))
    }
    return Change(
      subject: wanted, stillMilliseconds: runs.map(\.still).median,
      movingMilliseconds: runs.map(\.moving).median,
      changeMilliseconds: runs.map { $0.moving - $0.still }.median,
      memcpyMilliseconds: runs.map(\.memcpy).median,
      ratio: runs.map { ($0.moving - $0.still) / $0.memcpy }.median)
  }
}
