// Tests of the property `drain`: after the end of the stream, frames follow until every pixel shows the last one.

import Reference
import SeededGenerator
import Testing

@Suite("Drain") struct DrainTests {
  /// Rows of a frame 4 high have f = 1/8, 3/8, 5/8, 7/8.
  private static let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)

  private static func draining(depth: Int) -> Settings {
    let settings = Settings().with(\.depth, depth).with(\.drain, true)
    return settings
  }

  /// The drained frames after flat frames of values 0 to 8.
  private func drained(_ settings: Settings, _ caps: VideoCaps = caps) throws -> [[UInt16]] {
    var example = try WorkedExample(caps)
    try example.push(flat: 0..<9, settings)
    return try example.harness.end().map { $0.frame.samples[0] }
  }

  @Test("goes on until the last row shows the last frame") func everyRow() throws {
    // d = 1, 2, 3, 4, each rounded up from the half.
    #expect(
      try drained(Self.draining(depth: 5)) == [
        [8, 7, 6, 5], [8, 8, 7, 6], [8, 8, 8, 7], [8, 8, 8, 8],
      ])
  }

  @Test("goes on as long as the longest delay that the map has, not longer")
  func longestDelay() throws {
    var settings = Self.draining(depth: 101)
    settings.gain = 0.02
    // g·100 = 1/4, 3/4, 5/4, 7/4.
    #expect(try drained(settings) == [[8, 8, 8, 7], [8, 8, 8, 8]])
  }

  /// With a depth of 1, nothing but the exposure asks for frames before the newest.
  @Test("goes on with a shorter exposure than the last frame had") func shorterExposure() throws {
    var settings = Self.draining(depth: 1)
    settings.shutterDuration = 45_000_000
    let harness = try SlitScanHarness(Self.caps)
    harness.set(settings)
    for (value, time, shown) in [(10, 0, 10), (20, 60, 20), (40, 80, 30)]
      as [(UInt16, UInt, UInt16)]
    {
      let output = try harness.push(flat: value, at: (1000 + time) * 1_000_000)
      #expect(output == [[Array(repeating: shown, count: 4)]])
    }
    // 1/30 s from one frame to the next.
    #expect(try harness.end().map { $0.frame.samples[0] } == [[40, 40, 40, 40]])
  }

  /// A frozen frame never catches up, and variable frame rates have no next frame.
  @Test("comes to an end where it could go on forever") func ends() throws {
    var settings = Self.draining(depth: 5)
    settings.freeze = true
    _ = try drained(settings)
    settings.freeze = false
    var caps = Self.caps
    caps.framerate = "0/1"
    _ = try drained(settings, caps)
    settings.feedback = 1
    _ = try drained(settings)
    settings.duration = 100_000_000
    _ = try drained(settings, caps)
    // Nor is there anything before the first frame.
    let harness = try SlitScanHarness(Self.caps)
    harness.set(Self.draining(depth: 5))
    #expect(try harness.end().isEmpty)
  }

  @Test("draws what the definitions say, frame by frame") func anything() throws {
    for number in (0..<400).sampled() {
      var random = SeededGenerator(for: "drain \(number)")
      let formats = ["GRAY8", "I420", "BGRA", "GRAY16_LE"]
      try requireDrained(
        VideoCaps(format: formats[number % 4], width: 7, height: 5), name: "\(number)", &random)
    }
  }

  @Test("draws what the definitions say, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for number in (0..<2).sampled() {
      var random = SeededGenerator(for: "drain \(format) \(number)")
      try requireDrained(VideoCaps(format: format, width: 9, height: 5), name: format, &random)
    }
  }

  /// Runs a scenario to its end, and requires of all that comes after what the reference says: each
  /// frame as if the last frame had come again, and an end when that is shown everywhere.
  private func requireDrained(
    _ caps: VideoCaps, name: String, _ random: inout SeededGenerator
  ) throws {
    var settings = Self.draining(depth: .random(in: 1...9, using: &random))
    settings.drawMap(&random)
    settings.drawTime(&random)
    if random.chance(50) { settings.drawShutter(&random) }
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.warmup = random.any(Settings.Warmup.self)
    settings.mix = random.chance(70) ? 1 : .random(in: 0.3...1, using: &random)
    settings.feedback = random.chance(70) ? 0 : .random(in: 0...0.8, using: &random)
    var scenario = random.scenario(
      caps, settings: settings, frames: .random(in: 1...14, using: &random))
    scenario.bringMaps(&random)
    if let mismatch = try scenario.drainFailure() {
      throw ScenarioError(
        description: "\(mismatch)\n\(TestSeed.advice), drain \(name) of\n\(scenario)")
    }
  }
}
