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
  @OptionGroup var options: TableOptions

  func run() throws {
    let table = Table(
      effort.description,
      BenchCase.columns + [
        .number("still ms"), .number("moving ms"), .number("change ms"), .number("memcpy ms"),
        .number("change × memcpy"),
      ], options)
    for wanted in grid.cases(modes: [.displace]) {
      let runs = try measure(wanted)
      table.print(
        wanted.cells + [
          runs.map(\.still).median.digits(3), runs.map(\.moving).median.digits(3),
          runs.map { $0.moving - $0.still }.median.digits(3), runs.map(\.memcpy).median.digits(3),
          runs.map { ($0.moving - $0.still) / $0.memcpy }.median.digits(2),
        ])
    }
  }

  /// Milliseconds of a frame while the map stands still and while it changes, and of a memcpy of the
  /// frame, in each run.
  private func measure(
    _ wanted: BenchCase
  ) throws -> [(still: Double, moving: Double, memcpy: Double)] {
    let settings = wanted.settings(sweepFrames: effort.frames)
    var rig = try ScanRig(wanted, settings: settings)
    var standing = settings
    if wanted.map.followsFrames {
      try rig.setImage()
      standing.map = .image
    }
    try rig.fill((wanted.depth ?? 0) + 4, standing, movesMap: false)

    let clock = ContinuousClock()
    return try (0..<effort.runs).map { _ in
      var (still, moving, memcpy): ([Duration], [Duration], [Duration]) = ([], [], [])
      // The first frame after a change still pays for it.
      try rig.scan(standing, movesMap: false)
      for _ in 0..<effort.frames {
        still.append(try clock.measure { try rig.scan(standing, movesMap: false) })
      }
      for frame in 1...effort.frames {
        var moved = settings
        BenchMap.move(&moved, by: frame)
        memcpy.append(clock.measure { rig.copy() })
        moving.append(try clock.measure { try rig.scan(moved) })
      }
      return (still.milliseconds, moving.milliseconds, memcpy.milliseconds)
    }
  }
}
