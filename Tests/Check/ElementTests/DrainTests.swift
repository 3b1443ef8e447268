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

  @Test(
    "goes on at the frame rate", arguments: [("30/1", 33_333_333.3), ("24000/1001", 41_708_333.3)])
  func times(rate: String, interval: Double) throws {
    var caps = Self.caps
    caps.framerate = rate
    let harness = try SlitScanHarness(caps)
    harness.set(Self.draining(depth: 9))
    for number in 0..<3 {
      _ = try harness.push(
        .flat(0, caps: caps, format: harness.format), arranged: .default, noise: 0,
        metadata: BufferMetadata(presentationTime: 1_000_000_000 + UInt(number) * 50_000_000))
    }
    let frame = Frame.flat(1, caps: caps, format: harness.format)
    _ = try harness.push(
      frame, arranged: .default, noise: 0,
      metadata: BufferMetadata(presentationTime: 2_000_000_000))
    // The longest delay is 7 frames.
    let outputs = try harness.end()
    #expect(outputs.count == 7)
    for (number, output) in outputs.enumerated() {
      let expected = 2_000_000_000 + Double(number + 1) * interval
      // Rounded once, or once a frame.
      #expect(abs(Double(output.metadata.presentationTime) - expected) <= 8)
    }
  }

  /// With a depth of 1, nothing but the exposure asks for frames before the newest.
  @Test("goes on with a shorter exposure than the last frame had") func shorterExposure() throws {
    var settings = Self.draining(depth: 1)
    settings.shutterDuration = 45_000_000
    let harness = try SlitScanHarness(Self.caps)
    harness.set(settings)
    func push(_ value: UInt16, at time: UInt) throws -> Frame {
      try harness.push(
        .flat(value, caps: Self.caps, format: harness.format), arranged: .default, noise: 0,
        metadata: BufferMetadata(presentationTime: 1_000_000_000 + time)
      ).frame
    }
    #expect(try push(10, at: 0).samples[0] == [10, 10, 10, 10])
    #expect(try push(20, at: 60_000_000).samples[0] == [20, 20, 20, 20])
    #expect(try push(40, at: 80_000_000).samples[0] == [30, 30, 30, 30])
    // 1/30 s from one frame to the next.
    #expect(try harness.end().map { $0.frame.samples[0] } == [[40, 40, 40, 40]])
  }

  @Test("does nothing if no frame is late, or drain is off") func nothing() throws {
    #expect(try drained(Self.draining(depth: 1)) == [])
    var settings = Self.draining(depth: 5)
    settings.drain = false
    #expect(try drained(settings) == [])
    for mode in [Settings.Mode.sweep, .strip] {
      settings = Self.draining(depth: 5)
      settings.mode = mode
      #expect(try drained(settings) == [], "\(mode)")
    }
    let harness = try SlitScanHarness(Self.caps)
    harness.set(Self.draining(depth: 5))
    #expect(try harness.end().isEmpty)
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
