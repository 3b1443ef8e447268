// `slitscan bench maps`: what it costs to change the map, and to have one that moves.

import ArgumentParser
import SlitScan

struct BenchMaps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps",
    abstract: "What it costs to change the map with every frame.",
    discussion: """
      For each map the time of a frame while the map stands still, while it changes with every \
      frame, and the difference: what the change costs.
      """)

  @OptionGroup var options: BenchOptions

  @Argument(help: "Only these maps.")
  var only: [String] = []

  /// One row of the table.
  private struct Row {
    var name: String
    /// Changes the map for a frame.
    var change: (inout MapSettings, _ frame: Int) -> Void
    /// The size of the live map's pictures, if there are any.
    var live: (width: Int, height: Int)?
  }

  private var rows: [Row] {
    func moving(_ shape: MapSettings.Shape) -> (inout MapSettings, Int) -> Void {
      // By so little that frames are read alike: only the change is measured.
      { map, frame in
        map.shape = shape
        map.angle = Double(frame) * 1e-6
        map.centerX = 0.5 + Double(frame) * 1e-9
        map.turns = 3 + Double(frame) * 1e-9
        map.columns = 8 + frame % 2
        map.seed = UInt32(frame)
      }
    }
    func smoothed(_ map: inout MapSettings, _ frame: Int) {
      map.shape = .live
      map.smoothing = 8
    }
    return [
      Row(name: "linear", change: moving(.linear)),
      Row(name: "radial", change: moving(.radial)),
      Row(name: "angular", change: moving(.angular)),
      Row(name: "spiral", change: moving(.spiral)),
      Row(name: "grid", change: moving(.grid)),
      Row(name: "random", change: moving(.random)),
      Row(name: "luma", change: { map, _ in map.shape = .luma }),
      Row(name: "motion", change: { map, _ in map.shape = .motion }),
      Row(
        name: "live", change: { map, _ in map.shape = .live },
        live: (options.width, options.height)),
      Row(name: "live 640x360", change: { map, _ in map.shape = .live }, live: (640, 360)),
      Row(name: "live, smoothed", change: smoothed, live: (options.width, options.height)),
    ]
  }

  func run() throws {
    print(
      "\(options.width)x\(options.height) I420, depth \(options.depth), "
        + "\(options.interpolation.rawValue), medians of \(options.frames) frames")
    print(Self.line("map", "still ms", "moving ms", "change ms", "memcpy ms", "change/memcpy"))
    for row in rows where only.isEmpty || only.contains(row.name) {
      let (still, moving, memcpy) = try measure(row)
      print(
        Self.line(
          row.name, Self.number(still), Self.number(moving), Self.number(moving - still),
          Self.number(memcpy), Self.number((moving - still) / memcpy)))
    }
  }

  /// Milliseconds of a frame with the map standing still and moving, and of one memcpy.
  private func measure(_ row: Row) throws -> (still: Double, moving: Double, memcpy: Double) {
    let sources = try (0..<4).map {
      try NoiseFrame(width: options.width, height: options.height, seed: UInt64($0 + 1))
    }
    let maps = try (0..<4).map {
      try NoiseFrame(
        width: row.live?.width ?? 16, height: row.live?.height ?? 16, seed: UInt64($0 + 11),
        isSmooth: true)
    }
    var target = try NoiseFrame(width: options.width, height: options.height, seed: 0)
    let scanner = SlitScanner()
    var settings = ScanSettings()
    settings.depth = options.depth
    settings.interpolation = options.interpolation == .linear ? .linear : .nearest
    row.change(&settings.map, 0)
    // A map that follows from the frame cannot stand still; a picture of the same kind can.
    let follows = settings.map.shape == .luma || settings.map.shape == .motion
    try scanner.configure(input: sources[0].layout, settings: settings)

    func scan(_ frame: Int, _ settings: ScanSettings, moves: Bool) throws {
      if row.live != nil, moves || frame == 0 {
        try maps[frame % maps.count].set(as: .live, of: scanner)
      }
      try sources[frame % sources.count].scan(
        by: scanner, into: &target, time: UInt64(frame) * 33_333_333, settings: settings)
    }

    for frame in 0..<options.depth { try scan(frame, settings, moves: false) }
    var still = Stopwatch()
    var moving = Stopwatch()
    var memcpy = Stopwatch()
    var standing = settings
    if follows {
      try sources[0].set(as: .image, of: scanner)
      standing.map.shape = .image
    }
    for frame in options.depth..<(options.depth + options.frames) {
      try scan(frame, standing, moves: false)
      try still.time { try scan(frame, standing, moves: false) }
    }
    for frame in (options.depth + options.frames)..<(options.depth + 2 * options.frames) {
      row.change(&settings.map, frame)
      try moving.time { try scan(frame, settings, moves: true) }
      memcpy.time { target.copy(sources[frame % sources.count]) }
    }
    return (still.median, moving.median, memcpy.median)
  }

  private static func line(_ cells: String...) -> String {
    cells.enumerated().map { column, cell in
      let gap = String(repeating: " ", count: max(14 - cell.count, 1))
      return column == 0 ? cell + gap : gap + cell
    }.joined()
  }

  /// Three digits after the point.
  private static func number(_ value: Double) -> String {
    let thousandths = Int((abs(value) * 1000).rounded())
    let digits = String(thousandths % 1000 + 1000).dropFirst()
    return "\(value < 0 ? "-" : "")\(thousandths / 1000).\(digits)"
  }
}
