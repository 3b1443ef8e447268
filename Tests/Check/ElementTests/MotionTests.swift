// Tests of the map `motion`: the delay is longest where something moves, and spreads from there.

import Reference
import SeededGenerator
import Testing

/// In worked examples Y is what moves, and U says from which frame a pixel is.
@Suite("Motion") struct MotionTests {
  private static let caps = VideoCaps(
    format: "Y444", width: 3, height: 1, further: ["colorimetry=1:4:5:1"])

  private static func motion(decay: Double) -> Settings {
    let settings = Settings().with(\.map, .motion).with(\.motionDecay, decay).with(\.depth, 17)
    return settings
  }

  /// Pushes frames of such a Y, and gives the delays that the last one shows.
  private func delays(
    _ example: inout WorkedExample, _ lumas: [[UInt16]], _ settings: Settings
  ) throws -> [Int] {
    var delays: [Int] = []
    for luma in lumas {
      let number = UInt16(example.time / example.interval)
      let chroma = Array(repeating: number, count: luma.count)
      let output = try example.push([luma, chroma, chroma], settings)
      delays = output[1].map { Int(number) - Int($0) }
    }
    return delays
  }

  private let still: [UInt16] = [0, 0, 0]
  private let moved: [UInt16] = [0, 255, 0]

  @Test("is 1 where the luma changes, and spreads over the four neighbours") func spreads() throws {
    var example = try WorkedExample(Self.caps)
    let settings = Self.motion(decay: 0)
    let before = Array(repeating: still, count: 17)
    #expect(try delays(&example, before, settings) == [0, 0, 0])
    #expect(try delays(&example, [moved], settings) == [0, 16, 0])
    // The rows above and below are beyond the border, and count as the pixel itself: the outer
    // pixels have three times themselves and the middle, the middle has twice itself.
    #expect(try delays(&example, [moved], settings) == [4, 8, 4])
    #expect(try delays(&example, [moved], settings) == [5, 6, 5])
  }

  @Test("dies away") func decays() throws {
    var example = try WorkedExample(Self.caps)
    let settings = Self.motion(decay: 0.125)
    _ = try delays(&example, Array(repeating: still, count: 17), settings)
    #expect(try delays(&example, [moved], settings) == [0, 16, 0])
    #expect(try delays(&example, [moved], settings) == [2, 6, 2])
    #expect(try delays(&example, [moved], settings) == [1, 2, 1])
    #expect(try delays(&example, [moved], settings) == [0, 0, 0])
  }

  @Test("is a change by more than the threshold") func threshold() throws {
    var example = try WorkedExample(Self.caps)
    var settings = Self.motion(decay: 1)
    _ = try delays(&example, Array(repeating: [0, 100, 200], count: 17), settings)
    settings.motionThreshold = 0.2
    // By 50, 52 and 52 of 255.
    #expect(try delays(&example, [[50, 48, 252]], settings) == [0, 16, 16])
    settings.motionThreshold = 0
    #expect(try delays(&example, [[50, 47, 253]], settings) == [0, 16, 16])
  }

  @Test("goes on under freeze, over the frames that are held") func freeze() throws {
    var example = try WorkedExample(Self.caps)
    var settings = Self.motion(decay: 0)
    _ = try delays(&example, Array(repeating: still, count: 17), settings)
    settings.freeze = true
    // The newest frame held is 16: number 17 shows 16 where nothing moves, 0 where M is 1.
    #expect(try delays(&example, [moved], settings) == [1, 17, 1])
    #expect(try delays(&example, [moved], settings) == [2 + 4, 2 + 8, 2 + 4])
  }

  @Test("begins anew when it becomes the map, and when frames are forgotten")
  func beginsAnew() throws {
    var example = try WorkedExample(Self.caps)
    var settings = Self.motion(decay: 0)
    _ = try delays(&example, Array(repeating: still, count: 17) + [moved], settings)
    settings.map = .grid
    settings.gain = 0
    _ = try delays(&example, [moved], settings)
    settings.map = .motion
    settings.gain = 1
    #expect(try delays(&example, [still], settings) == [0, 0, 0])
    #expect(try delays(&example, [moved], settings) == [0, 16, 0])
    example.reset()
    #expect(try delays(&example, [still], settings) == [0, 0, 0])
    // Only one frame is left to be late by.
    #expect(try delays(&example, [moved], settings) == [0, 1, 0])
  }

  @Test("may take turns with the luma map, drawn or not", arguments: ["GRAY8", "GRAY16_LE"])
  func takesTurnsWithLuma(format: String) throws {
    let frames = 7
    for turns in 0..<(1 << frames) {
      var settings = Settings().with(\.depth, 6)
      var scenario = Scenario(
        VideoCaps(format: format, width: 9, height: 6), settings: settings, frames: frames)
      for frame in 0..<frames {
        let isMotion = turns >> frame & 1 == 1
        settings.map = isMotion ? .motion : .luma
        settings.mix = isMotion ? 0 : 1
        scenario.steps[frame].settings = settings
      }
      try requireReference(scenario)
    }
  }

  @Test("of random frames, in every mode", arguments: Settings.Mode.allCases)
  func everyMode(mode: Settings.Mode) throws {
    for number in (0..<150).sampled() {
      var random = SeededGenerator(for: "motion \(mode) \(number)")
      let formats = ["GRAY8", "I420", "BGRA", "YUY2", "GRAY16_LE", "RGB"]
      try requireReference(
        scenario(formats[number % 6], mode: mode, width: 17, height: 5, frames: 14, &random))
    }
  }

  @Test("of random frames, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for number in (0..<2).sampled() {
      var random = SeededGenerator(for: "motion \(format) \(number)")
      try requireReference(
        scenario(format, mode: .displace, width: 9, height: 6, frames: 10, &random))
    }
  }

  @Test("of a large frame") func large() throws {
    var random = SeededGenerator(for: "large motion")
    try requireReference(
      scenario("NV12", mode: .displace, width: 201, height: 67, frames: 8, &random))
  }

  /// Still frames now and then, so that motion can spread; forgotten, late and frozen frames.
  private func scenario(
    _ format: String, mode: Settings.Mode, width: Int, height: Int, frames: Int,
    _ random: inout SeededGenerator
  ) throws -> Scenario {
    var settings = Settings(drawing: &random)
    settings.drawSweep(&random, frames: frames)
    settings.drawStrip(&random, longest: width)
    settings.mode = mode
    settings.map = .motion
    settings.depth = 6
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.motionThreshold = .random(in: 0.2...0.9, using: &random)
    settings.motionDecay = random.chance(30) ? 0.02 : .random(in: 0...0.1, using: &random)
    let caps = VideoCaps(format: format, width: width, height: height)
    var scenario = try random.scenario(
      random.chance(20) ? Formats.otherRange(caps) : caps, settings: settings, frames: frames)
    for step in scenario.steps.indices {
      if step > 0 && random.chance(50) {
        scenario.steps[step].noise = scenario.steps[step - 1].noise
      }
      if random.chance(5) { settings.map = settings.map == .motion ? .luma : .motion }
      if random.chance(5) { settings.freeze.toggle() }
      scenario.steps[step].settings = settings
      scenario.steps[step].resets = random.chance(4)
      scenario.steps[step].isLate = random.chance(4)
    }
    return scenario
  }
}
