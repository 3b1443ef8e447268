// Tests of the memory that history uses: all that may be shown, and no more once the map is static.

import Testing

@testable import SlitScan

@Suite struct HistoryMemoryTests {
  private static let width = 640
  private static let height = 360
  private static let depth = 60

  /// Bytes of history after so many frames, in frames.
  private static func taken(
    frames: Int, _ scanner: SlitScanner = SlitScanner(),
    _ change: (inout ScanSettings) -> Void = { _ in }
  ) throws -> [Double] {
    let layout = try FrameLayout.gray(width, height)
    var settings = ScanSettings().with(\.depth, depth)
    change(&settings)
    try scanner.configure(input: layout, settings: settings)
    return try (0..<frames).map { frame in
      let report = try scanner.scan(
        gray: UInt8(frame % 256), layout: layout, time: UInt64(frame), settings: settings
      ).report
      return Double(report.historyBytes) / Double(width * height)
    }
  }

  @Test(arguments: [0.0, 90, 180, 30]) func aRampThatStandsStillTakesHalf(angle: Double) throws {
    let bytes = try Self.taken(frames: 2 * Self.depth + 1) { $0.angle = angle }
    let last = try #require(bytes.last)
    #expect(last <= 0.55 * Double(Self.depth), "\(last) frames")
    // While it thins out, it never takes more than before.
    #expect(bytes.allSatisfy { $0 <= 1.1 * Double(Self.depth) })
  }

  @Test(arguments: [ScanSettings.Interpolation.nearest, .linear])
  func aRadialMapTakesWhatItsDelaysSumUpTo(interpolation: ScanSettings.Interpolation) throws {
    let bytes = try Self.taken(frames: 2 * Self.depth + 1) {
      $0.map = .radial
      $0.interpolation = interpolation
    }
    // The mean distance from the centre over the longest, over all pixels; and the frame itself.
    var sum = 0.0
    let (halfWidth, halfHeight) = (Double(Self.width) / 2, Double(Self.height) / 2)
    let radius = (halfWidth * halfWidth + halfHeight * halfHeight).squareRoot()
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let (across, down) = (Double(x) + 0.5 - halfWidth, Double(y) + 0.5 - halfHeight)
        sum += (across * across + down * down).squareRoot() / radius * Double(Self.depth - 1) + 1
      }
    }
    let last = try #require(bytes.last)
    #expect(last <= 1.1 * sum / Double(Self.width * Self.height), "\(last) frames")
  }

  @Test func aMapThatMovesAgainGrowsBackWithinTheDepth() throws {
    let scanner = SlitScanner()
    _ = try Self.taken(frames: 2 * Self.depth + 1, scanner)
    let bytes = try Self.taken(frames: Self.depth, scanner) { $0.offset = 0.5 }
    #expect(bytes.allSatisfy { $0 <= 1.1 * Double(Self.depth) }, "\(bytes.max() ?? 0) frames")
    #expect(bytes.last.map { $0 >= Double(Self.depth) } ?? false)
  }

  @Test(arguments: [0, 20, 60, 90]) func aReserveIsOfWholeFrames(reserve: Int) throws {
    let bytes = try Self.taken(frames: 3 * Self.depth) { $0.reserve = reserve }
    // Of the frames beyond the reserve, a ramp shows half at most.
    let rest = Double(max(Self.depth - reserve, 0))
    let shown = rest * rest / Double(2 * Self.depth)
    let last = try #require(bytes.last)
    #expect(last >= Double(reserve), "\(last) frames")
    #expect(last <= 1.1 * (Double(reserve) + shown), "\(last) frames")
  }

  @Test func aReserveIsNotWhatTheDelaysAskFor() throws {
    let layout = try FrameLayout.gray(Self.width, Self.height)
    let scanner = SlitScanner()
    var settings = ScanSettings().with(\.depth, 4).with(\.reserve, 50)
    settings.maxMemory = UInt64(10 * Self.width * Self.height * 11 / 10)
    try scanner.configure(input: layout, settings: settings)
    let report = try scanner.scan(gray: 1, layout: layout, time: 0, settings: settings).report
    #expect(report.wantedDepth == 4)
    #expect(report.limitedDepth == nil)
    #expect(report.wantedHistory == 50)
    #expect(report.limitedHistory == 10)
  }

  /// Also with so few rows that one of tiles shows dozens of frames.
  @Test(arguments: [16, 360], [ScanSettings.Interpolation.nearest, .linear])
  func aRampLooksTheSameWhileItThinsOut(
    height: Int, interpolation: ScanSettings.Interpolation
  ) throws {
    let layout = try FrameLayout.gray(24, height)
    let settings = ScanSettings().with(\.depth, Self.depth).with(\.interpolation, interpolation)
    let scanner = SlitScanner()
    try scanner.configure(input: layout, settings: settings)
    var delays: [[Int]] = []
    // Each frame is brighter by one, so that it says when it came.
    for frame in 0..<(4 * Self.depth) {
      let drawn = try scanner.scan(
        gray: UInt8(frame), layout: layout, time: UInt64(frame), settings: settings
      ).bytes
      if frame >= Self.depth { delays.append(drawn.map { frame - Int($0) }) }
    }
    let first = try #require(delays.first)
    // Weights are rounded to 8 bits at least, and so to what is nearest on one side or the other.
    let tolerance = interpolation == .nearest ? 0 : 1
    for (frame, delays) in delays.enumerated() {
      #expect(zip(delays, first).allSatisfy { abs($0 - $1) <= tolerance }, "frame \(frame)")
    }
    #expect(Set(first).count >= min(height, Self.depth) / 2)
  }

  @Test func itMayBeKeptWhole() throws {
    let bytes = try Self.taken(frames: 3 * Self.depth) { $0.history = .whole }
    #expect(bytes.last.map { $0 >= Double(Self.depth) } ?? false)
  }
}
