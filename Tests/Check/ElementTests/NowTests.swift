// Tests of the property `now`: the map value that shows the present, above which the past is seen and below it the
// future.

import Reference
import SeededGenerator
import Testing

@Suite("Now") struct NowTests {
  /// Rows of a frame 4 high have f = 1/8, 3/8, 5/8, 7/8.
  private static let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)

  /// The outputs for flat frames of values 0 to 8, one line for each frame that came in and one for the end.
  private func outputs(_ settings: Settings) throws -> [[[UInt16]]] {
    let harness = try SlitScanHarness(Self.caps)
    harness.set(settings)
    var outputs: [[[UInt16]]] = []
    for number in 0..<9 {
      let output = try harness.push(flat: UInt16(number), at: UInt(number) * 33_333_333)
      outputs.append(output.map { $0[0] })
    }
    outputs.append(try harness.end().map { $0.frame.samples[0] })
    return outputs
  }

  @Test("shows the future below and the past above") func rows() throws {
    // d = 1, 2, 3, 4, each rounded up from the half, and n = 2: the second row shows the frame itself.
    let outputs = try outputs(Settings().with(\.depth, 5).with(\.now, 0.5))
    #expect(outputs[..<2].allSatisfy { $0.isEmpty })
    #expect(outputs[2] == [[1, 0, 0, 0]])
    #expect(outputs[5] == [[4, 3, 2, 1]])
    #expect(outputs[8] == [[7, 6, 5, 4]])
    #expect(outputs[9] == [[8, 7, 6, 5], [8, 8, 7, 6]])
  }

  @Test("shows nothing but the future at 1") func future() throws {
    let outputs = try outputs(Settings().with(\.depth, 5).with(\.now, 1))
    #expect(outputs[4] == [[3, 2, 1, 0]])
    #expect(outputs[9] == [[8, 7, 6, 5], [8, 8, 7, 6], [8, 8, 8, 7], [8, 8, 8, 8]])
  }

  @Test("counts by the frame rate with a duration") func duration() throws {
    // Half of 132 ms is nearest to two frames.
    let settings = Settings().with(\.duration, 132_000_000).with(\.now, 0.5)
    let outputs = try outputs(settings)
    #expect(
      outputs[..<2].allSatisfy { $0.isEmpty } && outputs[2].count == 1 && outputs[9].count == 2)
  }

  @Test("lets the last frame come again where there are fewer frames than the future has")
  func short()
    throws
  {
    // n = 15, d = 2, 6, 9, 13 or, rounded up from the half, one more.
    let outputs = try outputs(Settings().with(\.depth, 16).with(\.now, 1))
    #expect(outputs[..<9].allSatisfy { $0.isEmpty } && outputs[9].count == 9)
    #expect(outputs[9].first == [8, 8, 6, 2])
  }

  @Test("mixes the frame itself, not its future") func mix() throws {
    for (mix, expected) in [(0.0, [3, 3, 3, 3]), (0.5, [4, 3, 3, 2])] as [(Double, [Int])] {
      let outputs = try outputs(Settings().with(\.depth, 5).with(\.now, 0.5).with(\.mix, mix))
      // In between, halves are rounded either way.
      let isNear = zip(outputs[5][0], expected).allSatisfy {
        abs(Int($0) - $1) <= (mix > 0 ? 1 : 0)
      }
      #expect(isNear, "\(outputs[5])")
    }
  }

  @Test("does nothing in other modes", arguments: [Settings.Mode.sweep, .strip])
  func otherModes(mode: Settings.Mode) throws {
    let outputs = try outputs(Settings().with(\.mode, mode).with(\.now, 0.5))
    #expect(outputs[..<9].allSatisfy { $0.count == 1 } && outputs[9].isEmpty)
  }

  @Test("loses no frame whatever changes") func changes() throws {
    for number in (0..<300).sampled() {
      var random = SeededGenerator(for: "now changes \(number)")
      let formats = ["GRAY8", "I420", "BGRA", "GRAY16_LE"]
      var settings = settings(&random)
      var scenario = random.scenario(
        VideoCaps(format: formats[number % 4], width: 7, height: 5), settings: settings, frames: 30)
      for step in scenario.steps.indices {
        if random.chance(20) { settings.now = .random(in: 0...1, using: &random) }
        if random.chance(10) { settings.depth = .random(in: 1...12, using: &random) }
        if random.chance(10) { settings.drawTime(&random) }
        if random.chance(10) { settings.drawMixture(&random) }
        if random.chance(5) { settings.mode = random.any(Settings.Mode.self) }
        if random.chance(5) { settings.freeze.toggle() }
        settings.canvasLength = 0
        scenario.steps[step].settings = settings
        scenario.steps[step].resets = random.chance(4)
        scenario.steps[step].isLate = random.chance(4)
      }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("draws what the definitions say, to the end, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for number in (0..<4).sampled() {
      var random = SeededGenerator(for: "now \(format) \(number)")
      try requireToEnd(VideoCaps(format: format, width: 9, height: 5), &random)
    }
  }

  @Test("draws what the definitions say, to the end, without a frame rate") func noRate() throws {
    for number in (0..<100).sampled() {
      var random = SeededGenerator(for: "now without a rate \(number)")
      var caps = VideoCaps(format: "I420", width: 8, height: 6)
      caps.framerate = "0/1"
      var scenario = random.scenario(caps, settings: settings(&random), frames: 20)
      scenario.bringMaps(&random)
      try requireReference(scenario)
    }
  }

  private func settings(_ random: inout SeededGenerator) -> Settings {
    var settings = Settings(drawing: &random)
    settings.drawTime(&random)
    settings.drawMixture(&random)
    settings.depth = .random(in: 1...9, using: &random)
    settings.now = random.chance(20) ? 1 : .random(in: 0...1, using: &random)
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.warmup = random.any(Settings.Warmup.self)
    settings.history = random.any(Settings.History.self)
    return settings
  }

  private func requireToEnd(_ caps: VideoCaps, _ random: inout SeededGenerator) throws {
    var settings = settings(&random)
    settings.feedback = min(settings.feedback, 0.8)
    settings.drain = random.chance(50)
    if settings.drain {
      settings.mix = max(settings.mix, 0.3)
      // Feedback that moves does not fade.
      settings.feedbackZoom = 1
      settings.feedbackRotation = 0
      settings.feedbackX = 0
      settings.feedbackY = 0
    }
    var scenario = random.scenario(
      caps, settings: settings, frames: .random(in: 1...20, using: &random))
    scenario.bringMaps(&random)
    if let mismatch = try scenario.drainFailure() {
      throw ScenarioError(description: "\(mismatch)\n\(TestSeed.advice), of\n\(scenario)")
    }
  }
}
