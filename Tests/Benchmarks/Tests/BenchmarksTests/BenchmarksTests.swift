// Tests of the command `benchmarks`, run as a person runs it.

import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite(.serialized, .timeLimit(.minutes(15)))
struct BenchmarksTests {
  private static let tiny = "--sizes 64x48 --depths 4 --frames 3 --runs 2"
  private static let formats = [
    "GRAY8", "I420", "Y444", "GRAY16_LE", "I420_10LE", "NV12", "RGB", "BGR", "YUY2", "RGBx", "BGRx",
    "RGBA", "BGRA", "P010_10LE", "ARGB64", "AYUV64",
  ]
  private static let maps = [
    "rows", "columns", "diagonal", "radial", "angular", "spiral", "grid", "blocks", "random",
    "image", "luma", "motion", "live", "live-small", "live-smoothed",
  ]

  /// The measurements that a line prints as JSON.
  private func measurements(_ arguments: String) async throws -> [[String: Any]] {
    let result = try await run("\(arguments) --json -")
    #expect(result.status == 0, "\(result.text)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? [String: Any])
    #expect((report["machine"] as? [String: Any])?["processor"] is String)
    return try #require(report["measurements"] as? [[String: Any]])
  }

  @Test func theTableHasALineForEachCase() async throws {
    let result = try await run("\(Self.tiny) --maps rows,radial --interpolations nearest")
    #expect(result.status == 0, "\(result.text)")
    let lines = result.text.split(separator: "\n").map(String.init)
    let header = try #require(lines.firstIndex { $0.hasPrefix("mode") })
    let rows = lines[(header + 1)...]
    // Two maps in three modes.
    #expect(rows.count == 6)
    for title in ["ms", "frames/s", "MB/frame", "memcpy ms", "× memcpy", "allocs", "history MB"] {
      #expect(lines[header].contains(title))
    }
    // Numbers end where their titles end.
    #expect(Set(rows.map(\.count)) == [lines[header].count])
  }

  @Test func everyModeMapAndFormatIsMeasured() async throws {
    for (maps, formats) in [(Self.maps, ["I420"]), (["radial"], Self.formats)] {
      let measurements = try await measurements(
        "\(Self.tiny) --maps \(maps.joined(separator: ",")) "
          + "--formats \(formats.joined(separator: ","))")
      // Displace with three interpolations, sweep, strip.
      #expect(measurements.count == 5 * maps.count * formats.count)
      for measurement in measurements {
        for number in [
          "milliseconds", "framesPerSecond", "bytesMoved", "memcpyMilliseconds", "ratio",
          "historyBytes",
        ] {
          let value = try #require(measurement[number] as? Double)
          #expect(value > 0, "\(number) of \(measurement)")
        }
        #expect(measurement["allocationsPerFrame"] is Double)
        #expect(measurement["residentBytes"] is Int)
        #expect((measurement["runs"] as? [Any])?.count == 2)
      }
    }
  }

  @Test func allThatIsAskedForIsCombined() async throws {
    let measurements = try await measurements(
      "--frames 1 --runs 1 --modes displace --maps rows --maps random,rows --sizes 32x32,33x17 "
        + "--depths 1,2,9 --interpolations linear --formats GRAY8,RGB")
    // Maps, sizes, depths and formats.
    let combinations = [2, 2, 3, 2].reduce(1, *)
    #expect(measurements.count == combinations)
  }

  @Test func historyIsAsLargeAsItsFrames() async throws {
    let measurements = try await measurements(
      "--frames 2 --runs 1 --modes displace --maps random --interpolations nearest "
        + "--formats GRAY8 --sizes 512x512 --depths 64")
    let bytes = try #require(measurements.first?["historyBytes"] as? Int)
    #expect(bytes >= 64 * 512 * 512)
    #expect(bytes < 64 * 512 * 512 * 11 / 10)
    let resident = try #require(measurements.first?["residentBytes"] as? Int)
    #expect(resident > bytes / 2)
  }

  @Test func whatHistoryClaimsToTakeIsWhatTheProcessGrows() async throws {
    // A ramp, of which half is kept once it has stood still; and what is never thinned out.
    let measurements = try await measurements(
      "--frames 2 --runs 1 --modes displace --maps rows,random --interpolations nearest "
        + "--formats GRAY8 --sizes 1024x1024 --depths 200")
    #expect(measurements.count == 2)
    let whole = 200.0 * 1024 * 1024
    for (measurement, share) in zip(measurements, [0.51, 1.0]) {
      let bytes = try #require(measurement["historyBytes"] as? Double)
      let resident = try #require(measurement["residentBytes"] as? Double)
      let distance = bytes / whole - share
      #expect(abs(distance) < 0.04)
      // Beyond history, there are the map and its delays.
      let (least, most) = (0.95 * bytes, 1.1 * bytes + 16e6)
      #expect(resident > least)
      #expect(resident < most)
      let peak = try #require(measurement["peakBytes"] as? Double)
      let highest = 1.1 * whole + 16e6
      #expect(peak < highest)
    }
  }

  @Test func noMemoryIsAskedForWithAFrame() async throws {
    let measurements = try await measurements(
      "--frames 10 --runs 2 --modes displace,sweep,strip --maps rows,radial,random,grid "
        + "--formats I420,BGRx --sizes 320x180 --depths 12 --threads 1,2")
    // Displace in each interpolation and the others, maps, formats and threads.
    let combinations = [3 + 2, 4, 2, 2].reduce(1, *)
    #expect(measurements.count == combinations)
    for measurement in measurements {
      let allocations = try #require(measurement["allocationsPerFrame"] as? Double)
      #expect(allocations == 0, "\(measurement)")
    }
  }

  @Test func changesOfMapsAreMeasured() async throws {
    let measurements = try await measurements("maps \(Self.tiny) --maps radial,luma,live")
    // Maps and interpolations.
    #expect(measurements.count == 3 * 3)
    for measurement in measurements {
      #expect(try #require(measurement["stillMilliseconds"] as? Double) > 0)
      #expect(try #require(measurement["movingMilliseconds"] as? Double) > 0)
      #expect(measurement["changeMilliseconds"] is Double)
    }
  }

  @Test(arguments: ["", "--look"])
  func framesCrossTheBridgeInEveryWay(options: String) async throws {
    let measurements = try await measurements(
      "bridge --frames 50 --runs 1 --sizes 64x48,33x17 \(options)")
    let costs = measurements.compactMap { $0["cost"] as? [String: Any] }
    #expect(
      costs.compactMap { $0["way"] as? String } == ["none", "probe", "callback", "swift"] * 2)
    for cost in costs {
      for number in ["microseconds", "cpuMicroseconds", "delayMicroseconds"] {
        #expect(try #require(cost[number] as? Double) > 0, "\(number) of \(cost)")
      }
      let added = try #require(cost["addedMicroseconds"] as? Double)
      if cost["way"] as? String == "none" { #expect(added == 0) }
      // In so few frames, the callback may be no slower than nothing.
      if cost["way"] as? String == "callback", added > 0 {
        #expect(cost["ratio"] as? Double == 1)
      }
    }
    let ages = measurements.compactMap { $0["age"] as? [String: Any] }
    #expect(ages.compactMap { $0["reader"] as? String } == ["thread", "swift"] * 2)
    for age in ages {
      let frames = try #require(age["frames"] as? Int)
      let read = try #require(age["read"] as? Int)
      let dropped = try #require(age["dropped"] as? Int)
      #expect(read + dropped == frames)
      // It takes longer than a frame takes to come.
      #expect(0 < read && read < frames)
      let oldest = try #require(age["oldestMicroseconds"] as? Double)
      #expect(try #require(age["medianMicroseconds"] as? Double) <= oldest)
    }
  }

  @Test func theTableOfTheBridgeHasALineForEachWay() async throws {
    let result = try await run("bridge --frames 5 --runs 1 --delivery lossless")
    #expect(result.status == 0, "\(result.text)")
    let lines = result.text.split(separator: "\n").map(String.init)
    let header = try #require(lines.firstIndex { $0.hasPrefix("size") })
    #expect(lines[(header + 1)...].count == 4)
    #expect(Set(lines[header...].map(\.count)) == [lines[header].count])
  }

  @Test func aPlotHasTwoPanels() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "cost.svg")
      let result = try await run(
        "--plot \(file.path) --maps rows,radial --sizes 32x32,64x64 "
          + "--depths 2,4,8 --frames 2 --runs 1")
      #expect(result.status == 0, "\(result.text)")
      let document = try XMLDocument(contentsOf: file)
      let root = try #require(document.rootElement())
      let panels = root.elements(forName: "g")
      #expect(panels.count == 2)
      for (panel, unit) in zip(panels, ["millions of pixels", "frames of history"]) {
        let labels = panel.elements(forName: "text").compactMap(\.stringValue)
        #expect(labels.contains(unit))
        #expect(labels.contains("milliseconds a frame"))
        // Rows, radial, memcpy.
        #expect(panel.elements(forName: "polyline").count == 3)
        let points = unit == "frames of history" ? 3 : 2
        #expect(panel.elements(forName: "circle").count == 3 * points)
      }
    }
  }

  @Test(arguments: [
    ("--maps nonsense", "'nonsense' is invalid for '--maps"),
    ("--maps rows,", "is invalid for '--maps"),
    ("--formats v210", "GRAY16_LE"),
    ("--modes warp", "displace"),
    ("--sizes 64", "--sizes <WxH>"),
    ("--sizes 0x48", "--sizes <WxH>"),
    ("--depths 0", "--depths 0 makes no sense; it can be 1 to 100000."),
    ("--frames 0", "--frames 0 makes no sense"),
    ("--runs -1", "--runs"),
    ("--threads -1", "--threads"),
    ("--threads 5000", "--threads 5000 makes no sense"),
    ("--json /nonsense/costs.json", "/nonsense/costs.json cannot be written"),
    ("--json /tmp", "/tmp cannot be written"),
    ("bridge --delivery sometimes", "lossless"),
    ("bridge --frames 0", "--frames 0 makes no sense"),
    ("--plot", "Missing value for '--plot <file.svg>'"),
    ("--plot /nonsense/cost.svg", "/nonsense/cost.svg cannot be written"),
    ("nonsense", "Unexpected argument 'nonsense'"),
  ])
  func nonsenseIsRefusedWithASentence(arguments: String, sentence: String) async throws {
    let result = try await run("\(arguments)")
    // EX_USAGE of sysexits.h.
    #expect(result.status == 64, "\(result.text)")
    #expect(result.text.contains(sentence), "\(result.text)")
  }

  @Test(arguments: [
    (
      "--depths 100000 --modes displace --maps random --sizes 4096x4096", "Ask for at most --depths"
    ),
    ("--sizes 16384x16384 --formats ARGB64", "more than half of this machine's memory"),
  ])
  func whatTheMachineCannotDoIsRefusedWithASentence(
    arguments: String, sentence: String
  ) async throws {
    let result = try await run("--frames 1 \(arguments)")
    #expect(result.status == 1, "\(result.text)")
    #expect(result.text.contains(sentence), "\(result.text)")
  }

  @Test(arguments: [
    ("", ["effect", "maps", "bridge"]),
    ("effect", ["--maps", "--sizes", "--depths", "--frames", "--runs", "--json", "radial"]),
    ("maps", ["--maps", "--sizes", "--depths", "--frames", "--runs", "--json", "radial"]),
    ("bridge", ["--delivery", "--look", "--sizes", "--frames", "--runs", "--json", "latest"]),
  ])
  func helpSaysWhatThereIs(subcommand: String, words: [String]) async throws {
    let result = try await run("\(subcommand) --help")
    #expect(result.status == 0)
    for word in words { #expect(result.text.contains(word)) }
  }

  // MARK: Running it

  /// Runs the command.
  ///
  /// - Returns: Its exit status, and its output and errors together.
  private func run(_ arguments: String) async throws -> (status: Int32, text: String) {
    try await withFolder { folder in
      let output = folder.appending(path: "output")
      try Data().write(to: output)
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Benchmarks")
      process.arguments = arguments.split(separator: " ").map(String.init)
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = process.standardOutput
      await withCheckedContinuation { end in
        process.terminationHandler = { _ in end.resume() }
        do {
          try process.run()
        } catch {
          Issue.record(error)
          end.resume()
        }
      }
      return (
        process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self)
      )
    }
  }

  /// Gives `body` a folder of its own, which goes when it returns.
  private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}

/// The same several times over.
private func * (items: [String], count: Int) -> [String] {
  Array(repeating: items, count: count).flatMap { $0 }
}
