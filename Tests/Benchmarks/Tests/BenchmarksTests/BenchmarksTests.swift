// Tests of the command `benchmarks`, run as a person runs it.

import Foundation
import Testing

@testable import Benchmarks

@Suite(.serialized, .timeLimit(.minutes(15))) struct BenchmarksTests {
  private static let tiny = "--sizes 64x48 --depths 4 --frames 3 --runs 2"
  private static let formats = FrameFormat.allCases.map(\.rawValue).joined(separator: " ")
  private static let maps = BenchMap.allCases.map(\.rawValue).joined(separator: " ")

  @Test(arguments: FrameFormat.allCases) func framesDiffer(format: FrameFormat) throws {
    let layout = try format.layout(FrameSize(width: 33, height: 17))
    let frames = (0..<6).map { number in
      Frame(layout, format: format, number: number).withBytes { Array($0) }
    }
    #expect(Set(frames).count == 6)
  }

  @Test func theTableHasAnAlignedLineForEachCase() throws {
    let result = try run("\(Self.tiny) --maps rows radial --interpolations nearest")
    #expect(result.status == 0, "\(result.text)")
    let lines = result.text.split(separator: "\n")
    let header = try #require(lines.firstIndex { $0.hasPrefix("mode") })
    // Two maps in three modes.
    #expect(lines[(header + 1)...].count == 6)
    // Numbers end where their titles end.
    #expect(Set(lines[header...].map(\.count)).count == 1)
  }

  @Test(
    arguments: zip(
      // A map that is named twice is measured once.
      [
        "--maps \(maps)", "--maps radial --formats \(formats)",
        "--maps rows random rows --sizes 32x32 33x17 --threads 1 2",
      ], [BenchMap.allCases.count, FrameFormat.allCases.count, 2 * 3 * 2]))
  func allThatIsAskedForIsMeasured(options: String, count: Int) throws {
    let lines = try lines("\(Self.tiny) \(options)")
    // Displace with three interpolations, sweep, strip.
    #expect(lines.count == 5 * count)
    for line in lines { #expect(try number("× memcpy", line) > 0, "\(line)") }
  }

  @Test func whatHistoryClaimsToTakeIsWhatTheProcessGrows() throws {
    // A ramp, of which half is kept once it has stood still; and what is never thinned out.
    let lines = try lines(
      "--frames 2 --runs 1 --modes displace --maps rows random --interpolations nearest "
        + "--formats GRAY8 --sizes 1024x1024 --depths 200")
    #expect(lines.count == 2)
    let whole = 200.0 * 1024 * 1024 / 1e6
    for (line, share) in zip(lines, [0.51, 1.0]) {
      let history = try number("history MB", line)
      #expect(abs(history / whole - share) < 0.04)
      // Beyond history, there are the map and its delays.
      let resident = try number("resident MB", line)
      #expect((0.95 * history...1.1 * history + 16).contains(resident))
    }
  }

  @Test(arguments: ["", " --shutters-follow-map"], ["", " --ages"])
  func noMemoryIsAskedForWithAFrame(shutters: String, ages: String) throws {
    let lines = try lines(
      "--frames 10 --runs 2 --modes displace sweep strip --maps rows radial random grid "
        + "--formats I420 BGRx --sizes 320x180 --depths 12 --feedbacks none turning --shutters 1 2.5 "
        + "--canvases scroll corridor tunnel --threads 1 2" + shutters + ages)
    // Displace in each interpolation, with feedback and without, and an exposure; sweep, and each canvas; maps, formats
    // and threads.
    #expect(lines.count == (2 * 2 * 3 + 1 + 3) * 4 * 2 * 2)
    for line in lines { #expect(try number("allocs", line) == 0, "\(line)") }
  }

  @Test func changesOfMapsAreMeasured() throws {
    let lines = try lines("maps \(Self.tiny) --maps radial luma live")
    // Maps and interpolations.
    #expect(lines.count == 3 * 3)
    for line in lines {
      #expect(try number("still ms", line) > 0)
      #expect(try number("moving ms", line) > 0)
      _ = try number("change ms", line)
    }
  }

  @Test func framesCrossTheBridgeInEveryWay() throws {
    let result = try run("bridge --frames 50 --runs 1 --sizes 64x48 33x17")
    #expect(result.status == 0, "\(result.text)")
    for way in BridgeWay.allCases.map(\.rawValue) + BridgeReader.allCases.map(\.rawValue) {
      #expect(result.text.split(separator: way).count == 3, "\(result.text)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gnuplot")))
  func aPlotHasTwoPanels() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try run(
      "--plot \(file.path) --maps rows radial --sizes 32x32 64x64 --depths 2 4 8 --frames 2 --runs 1"
    )
    #expect(result.status == 0, "\(result.text)")
    let picture = try String(contentsOf: file, encoding: .utf8)
    for words in ["rows", "radial", "memcpy", "millions of pixels", "frames of history"] {
      #expect(picture.contains(words), "\(words)")
    }
    // Rows, radial and memcpy, of each size and depth, and in the key.
    #expect(picture.matches(of: /href='#gpPt6'/).count == 3 * (2 + 3 + 1))
  }

  @Test(arguments: [
    ("--maps nonsense", "'nonsense' is invalid for '--maps"),
    ("--formats v210", "GRAY16_LE"),
    ("--sizes 64", "--sizes <WxH>"),
    ("--sizes 0x48", "--sizes <WxH>"),
    ("--sizes 99999x1", "--sizes <WxH>"),
    ("--depths 0", "--depths 0 makes no sense; it can be 1 to 1000000."),
    ("--frames 0", "--frames 0 makes no sense"),
    ("--runs -1", "--runs"),
    ("--threads 5000", "--threads 5000 makes no sense"),
    ("bridge --frames 0", "--frames 0 makes no sense"),
    ("--plot cost.svg --threads 1 2", "--plot draws one mode, format"),
    ("--plot /nonsense/cost.svg", "/nonsense/cost.svg cannot be written."),
  ])
  func invalidLinesAreRefusedWithASentence(arguments: String, sentence: String) throws {
    let result = try run(arguments)
    // EX_USAGE of sysexits.h.
    #expect(result.status == 64, "\(result.text)")
    #expect(result.text.contains(sentence), "\(result.text)")
  }

  @Test(arguments: [
    ("--depths 100000 --modes displace --sizes 4096x4096", "Ask for at most --depths"),
    ("--sizes 16384x16384 --formats ARGB64", "more than half of this machine's memory"),
  ])
  func whatCannotBeMeasuredIsRefusedWithASentence(arguments: String, sentence: String) throws {
    let result = try run("--frames 1 \(arguments)")
    #expect(result.status == 1, "\(result.text)")
    #expect(result.text.contains(sentence), "\(result.text)")
  }

  // MARK: Running it

  /// The lines that it prints as CSV, by the titles of the columns.
  private func lines(_ arguments: String) throws -> [[String: String]] {
    let result = try run("\(arguments) --csv")
    #expect(result.status == 0, "\(result.text)")
    let lines = result.text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private func number(_ title: String, _ line: [String: String]) throws -> Double {
    try #require(line[title].flatMap(Double.init), "\(title) of \(line)")
  }

  /// Runs the command.
  ///
  /// - Returns: Its exit status, and its output and errors together.
  private func run(_ arguments: String) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "Benchmarks")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
