// Tests of the property `mix`: the blend of the scanned frame and the input frame.

import Reference
import SeededGenerator
import Testing

@Suite("Mix") struct MixTests {
  /// Everything is one frame late.
  private static func late(mix: Double) -> Settings {
    let settings = Settings().with(\.depth, 2).with(\.gain, 0).with(\.offset, 1).with(\.mix, mix)
    return settings
  }

  @Test("is between the frame and what is scanned") func share() throws {
    for (mix, expected) in [(0, 200), (0.25, 175), (0.5, 150), (0.9, 110), (1, 100)] {
      var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 1))
      try example.push(flat: 100..<101, Self.late(mix: mix))
      let output = try example.push(flat: 200, Self.late(mix: mix))
      let tolerance = mix == 0 || mix == 1 ? 0 : 1
      #expect(abs(Int(output[0][0]) - expected) <= tolerance, "mix \(mix)")
    }
  }

  @Test("mixes alpha, too") func alpha() throws {
    var settings = Self.late(mix: 0.5)
    settings.warmup = .transparent
    var example = try WorkedExample(VideoCaps(format: "RGBA", width: 1, height: 1))
    // Half of it is not there yet.
    let output = try example.push([[200], [100], [0], [250]], settings).map { Int($0[0]) }
    for (word, expected) in zip(output, [100, 50, 0, 125]) { #expect(abs(word - expected) <= 1) }
  }

  @Test("keeps history filling while nothing of it is shown") func fades() throws {
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 1))
    try example.push(flat: 100..<110, Self.late(mix: 0))
    #expect(try example.push(flat: 200, Self.late(mix: 1)) == [[109]])
  }

  @Test("with nothing scanned in it is the frame itself, in every format", arguments: Formats.all)
  func dry(format: String) throws {
    for mode in [Settings.Mode.displace, .sweep] {
      var random = SeededGenerator(for: "dry \(format) \(mode)")
      var settings = Settings(drawing: &random).with(\.mode, mode)
      settings.drawSweep(&random, frames: 6)
      settings.depth = 4
      settings.mix = 0
      let scenario = random.scenario(
        VideoCaps(format: format, width: 9, height: 6), settings: settings, frames: 6)
      try requireReference(scenario, with: &random)
    }
  }

  @Test("leaves a strip alone") func strip() throws {
    let settings = Settings().with(\.mode, .strip).with(\.canvasLength, 1).with(\.mix, 0.5)
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 3))
    #expect(try example.push([[10, 20, 30]], settings) == [[20]])
  }

  @Test("of any share, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for number in (0..<6).sampled() {
      var random = SeededGenerator(for: "mix \(format) \(number)")
      var settings = Settings(drawing: &random).with(\.mode, number % 2 == 0 ? .displace : .sweep)
      settings.drawSweep(&random, frames: 8)
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.warmup = random.any(Settings.Warmup.self)
      settings.depth = .random(in: 1...8, using: &random)
      let caps = VideoCaps(format: format, width: 17, height: 5)
      var scenario = try random.scenario(
        random.chance(30) ? Formats.otherRange(caps) : caps, settings: settings, frames: 10)
      for step in scenario.steps.indices {
        settings.mix = random.chance(20) ? 1 : .random(in: 0...1, using: &random)
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("of a large frame", arguments: Formats.samples.sampled())
  func large(format: String) throws {
    var random = SeededGenerator(for: "large mix \(format)")
    var settings = Settings(drawing: &random).with(\.mix, .random(in: 0...1, using: &random))
    settings.depth = 5
    let scenario = random.scenario(
      VideoCaps(format: format, width: 201, height: 67), settings: settings, frames: 6)
    try requireReference(scenario, with: &random, onlyLast: true)
  }
}
