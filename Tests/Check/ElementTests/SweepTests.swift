// Tests of the mode `sweep`: a slit moves over the frame and freezes what it has passed.

import Reference
import SeededGenerator
import Testing

@Suite("Sweep") struct SweepTests {
  @Test("freezes what the slit has passed, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    let cases = [(1, 1, 2), (2, 1, 2), (1, 3, 2), (37, 1, 2), (1, 37, 2), (17, 5, 6), (64, 48, 1)]
      .flatMap { size in
        (0..<size.2).map { (size.0, size.1, $0) }
      }
    for (width, height, number) in cases.sampled() {
      var random = SeededGenerator(for: "sweep \(format) \(width)×\(height) \(number)")
      let frames = width > 17 ? 8 : 20
      var settings = Settings(drawing: &random).with(\.mode, .sweep)
      settings.drawSweep(&random, frames: frames)
      settings.drawMixture(&random)
      let scenario = random.scenario(
        VideoCaps(format: format, width: width, height: height), settings: settings,
        frames: frames)
      try requireReference(scenario, with: &random)
    }
  }

  @Test("of a large frame freezes what the slit has passed", arguments: Formats.samples.sampled())
  func largeFrame(format: String) throws {
    var random = SeededGenerator(for: "large sweep \(format)")
    var settings = Settings(drawing: &random).with(\.mode, .sweep)
    settings.drawSweep(&random, frames: 5)
    let scenario = random.scenario(
      VideoCaps(format: format, width: 385, height: 289), settings: settings, frames: 6)
    try requireReference(scenario, with: &random)
  }

  @Test("keeps its progress when the pace changes") func paceChanges() throws {
    for number in (0..<100).sampled() {
      var random = SeededGenerator(for: "pace \(number)")
      var settings = Settings(drawing: &random).with(\.mode, .sweep)
      settings.drawSweep(&random, frames: 10)
      var scenario = random.scenario(
        VideoCaps(format: "GRAY8", width: 17, height: 5), settings: settings, frames: 20)
      for step in scenario.steps.indices {
        if random.chance(30) {
          settings.sweepDuration = .random(in: 20_000_000...900_000_000, using: &random)
        }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }

  /// Rows of a frame 8 high have g = 1/16, 3/16 … 15/16, and a slit that needs 16 frames is
  /// exactly there at every odd one: p = g is passed, and nothing is left to rounding.
  @Test("counts a cell as passed when the slit is on it") func slitOnCell() throws {
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 8)
    let settings = Settings().with(\.mode, .sweep).with(\.sweepDuration, 16 * 1_000_000)
    let shown = try sweptFrames(caps, settings: settings, frames: 18, interval: 1_000_000)
    for (frame, origins) in shown.enumerated() {
      // Row r is passed at frame 2r+1, whose sample it keeps.
      #expect(origins == (0..<8).map { min(frame, 2 * $0 + 1) }, "frame \(frame)")
    }
  }

  @Test("starts a new round at the very frame that completes one") func loopsExactly() throws {
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)
    var settings = Settings().with(\.mode, .sweep).with(\.sweepLoop, .loop)
    // Ten frames a round: a sum of tenths would fall short of one.
    settings.sweepDuration = 10_000_000
    let shown = try sweptFrames(caps, settings: settings, frames: 32, interval: 1_000_000)
    for frame in [0, 10, 20, 30] { #expect(shown[frame] == [frame, frame, frame, frame]) }
    // g = 1/8, 3/8, 5/8, 7/8 are passed at 2, 4, 7 and 9 tenths.
    #expect(shown[9] == [2, 4, 7, 9])
    #expect(shown[19] == [12, 14, 17, 19])
    #expect(shown[29] == [22, 24, 27, 29])
  }

  @Test("goes back and frees what it passes when it plays ping-pong") func pingPong() throws {
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)
    var settings = Settings().with(\.mode, .sweep).with(\.sweepLoop, .pingPong)
    settings.sweepDuration = 8_000_000
    let shown = try sweptFrames(caps, settings: settings, frames: 16, interval: 1_000_000)
    // There: row r freezes at frame 2r+1. Back: p = (16 − frame)/8, row r is free when p < g.
    for (frame, origins) in shown.enumerated() {
      let expected = (0..<4).map { row in
        let freezes = 2 * row + 1
        return frame > 16 - freezes ? frame : min(frame, freezes)
      }
      #expect(origins == expected, "frame \(frame)")
    }
  }

  @Test("counts running time, not timestamps") func runningTime() throws {
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 8)
    let harness = try SlitScanHarness(caps)
    harness.pushSegment(start: 7_000_000_000, base: 2_000_000, rate: 2)
    let settings = Settings().with(\.mode, .sweep).with(\.sweepDuration, 16_000_000)
    harness.set(settings)
    for number in 0..<18 {
      // At twice the rate two milliseconds of timestamps are one of running time.
      let output = try harness.push(
        flat: UInt16(number), at: 7_000_000_000 + UInt(number) * 2_000_000)
      #expect(output == [[(0..<8).map { UInt16(min(number, 2 * $0 + 1)) }]])
    }
  }

  /// For each output the numbers of the frames that its samples come from.
  private func sweptFrames(
    _ caps: VideoCaps, settings: Settings, frames: Int, interval: UInt64
  ) throws -> [[Int]] {
    var example = try WorkedExample(caps)
    example.interval = interval
    return try (0..<frames).map { number in
      try example.push(flat: UInt16(number), settings)[0].map(Int.init)
    }
  }
}
