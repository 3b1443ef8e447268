// Tests of the pad `age`: how old each pixel of the output is. Random scenarios compare it with the reference, too.

import Reference
import SeededGenerator
import Testing

@Suite("Age") struct AgeTests {
  /// Rows of a frame 4 high have f = 1/8, 3/8, 5/8, 7/8: with a depth of 5, d = 1, 2, 3, 4.
  private static let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)

  private func makeHarness(_ settings: Settings, ages: Bool = true) throws -> SlitScanHarness {
    let harness = try SlitScanHarness(Self.caps, hasAges: ages)
    harness.set(settings)
    return harness
  }

  /// Pushes flat frames 30 ms apart, and gives the ages that come out.
  @discardableResult
  private func push(_ frames: Range<Int>, _ harness: SlitScanHarness) throws -> [[UInt16]] {
    for number in frames {
      try harness.push(flat: UInt16(number), at: UInt(number) * 30_000_000)
    }
    return try harness.pullAges().map { $0.rows.map { $0[0] } }
  }

  @Test("is the delay in milliseconds, as far as there are frames") func delays() throws {
    let harness = try makeHarness(Settings().with(\.depth, 5))
    #expect(
      try push(0..<6, harness) == [
        [0, 0, 0, 0], [30, 30, 30, 30], [30, 60, 60, 60], [30, 60, 90, 90], [30, 60, 90, 120],
        [30, 60, 90, 120],
      ])
  }

  @Test("counts in steps of age-unit, and stops at the last one") func steps() throws {
    var settings = Settings().with(\.depth, 5)
    settings.ageUnit = 600
    let harness = try makeHarness(settings)
    #expect(try push(0..<6, harness).last == [50_000, 65_535, 65_535, 65_535])
    settings.ageUnit = 20_000_000
    harness.set(settings)
    // Halves are rounded up.
    #expect(try push(6..<7, harness).last == [2, 3, 5, 6])
  }

  @Test("lies between two frames where the output does, and is the mean of an exposure")
  func between() throws {
    var settings = Settings().with(\.depth, 6).with(\.interpolation, .linear)
    // d = 5/8, 15/8, 25/8, 35/8.
    let harness = try makeHarness(settings)
    #expect(try push(0..<9, harness).last == [19, 56, 94, 131])
    settings.shutter = 3
    harness.set(settings)
    #expect(try push(9..<19, harness).last == [49, 86, 124, 161])
  }

  @Test("of a sweep grows where it is frozen") func sweep() throws {
    let settings = Settings().with(\.mode, .sweep).with(\.sweepDuration, 120_000_000)
    let harness = try makeHarness(settings)
    // p = 0, 1/4, 1/2, 3/4, 1: each row is frozen once p is past it, as it was then.
    #expect(
      try push(0..<6, harness) == [
        [0, 0, 0, 0], [0, 0, 0, 0], [30, 0, 0, 0], [60, 30, 0, 0], [90, 60, 30, 0],
        [120, 90, 60, 30],
      ])
  }

  @Test("of a strip is that of its lines", arguments: [Settings.Canvas.scroll, .wrap])
  func strip(canvas: Settings.Canvas) throws {
    var settings = Settings().with(\.mode, .strip).with(\.canvas, canvas)
    let harness = try makeHarness(settings)
    let last = try push(0..<6, harness).last
    #expect(last == (canvas == .scroll ? [90, 60, 30, 0] : [30, 0, 90, 60]))
    // The newest line is that of the last frame that was taken in.
    settings.freeze = true
    harness.set(settings)
    #expect(try push(6..<9, harness).last == last)
  }

  @Test("comes with every frame that leaves, late ones of `now` and drained ones too") func all()
    throws
  {
    let settings = Settings().with(\.depth, 5).with(\.now, 0.5).with(\.drain, true)
    let harness = try makeHarness(settings)
    try push(0..<6, harness)
    let outputs = try harness.end()
    // Two were held back, and two more follow until all rows show the last one.
    #expect(outputs.count == 4)
    let ages = try harness.pullAges()
    #expect(ages.map(\.time) == outputs.map { UInt64($0.metadata.presentationTime) })
    #expect(ages.last?.rows.map { $0[0] } == [33, 67, 100, 133])
  }

  @Test("may be asked for and given up in the midst of a stream", arguments: Settings.Mode.allCases)
  func later(mode: Settings.Mode) throws {
    let settings = Settings().with(\.mode, mode).with(\.depth, 5)
    let harness = try makeHarness(settings, ages: false)
    try push(0..<6, harness)
    try harness.requestAges()
    let ages = try push(6..<12, harness)
    #expect(ages.count == 6)
    switch mode {
    case .displace: #expect(ages.first == [30, 60, 90, 120])
    // Pixels that were there count from then on.
    case .sweep: #expect(ages.first == [0, 0, 0, 0] && ages.last?[3] == 0)
    case .strip: #expect(ages.first == [0, 0, 0, 0] && ages.last == [90, 60, 30, 0])
    }
    harness.releaseAges()
    #expect(try push(12..<14, harness).isEmpty)
    try harness.requestAges()
    #expect(try push(14..<15, harness).count == 1)
    _ = try harness.end()
  }

  @Test("follows frames of other sizes") func sizes() throws {
    let harness = try makeHarness(Settings().with(\.depth, 5))
    #expect(try push(0..<6, harness).count == 6)
    try harness.push(caps: VideoCaps(format: "GRAY8", width: 3, height: 2))
    try harness.push(flat: 7, at: 300_000_000)
    #expect(try harness.pullAges().last?.rows == [[0, 0, 0], [0, 0, 0]])
  }
}
