// Tests of `interpolation=motion` on video that moves, against the reference.

import Reference
import SeededGenerator
import Testing

/// Noise, which the other tests are made of, has no motion to be found.
@Suite("Between frames") struct BetweenFramesTests {
  @Test(
    "draws delays between two frames along their motion, in every format",
    arguments: Formats.all.sampled())
  func everyFormat(format: String) throws {
    for number in 0..<4 {
      var random = SeededGenerator(for: "between frames \(format) \(number)")
      try requireReference(scenario(format, width: 70, height: 50, &random))
    }
  }

  @Test("and in large frames", arguments: (0..<4).sampled()) func large(number: Int) throws {
    var random = SeededGenerator(for: "large between frames \(number)")
    let size = number % 2 == 0 ? (width: 321, height: 180) : (width: 650, height: 99)
    try requireReference(scenario("I420", width: size.width, height: size.height, &random))
  }

  private func scenario(
    _ format: String, width: Int, height: Int, _ random: inout SeededGenerator
  ) throws -> Scenario {
    var settings = Settings().with(\.map, .grid).with(\.columns, 5).with(\.rows, 4).with(\.depth, 4)
    settings.interpolation = .motion
    if random.chance(30) { settings.drawTime(&random) }
    if random.chance(30) { settings.drawShutter(&random) }
    if random.chance(30) { settings.drawMixture(&random) }
    var scenario = Scenario(
      VideoCaps(format: format, width: width, height: height), settings: settings, frames: 6,
      seed: random.next())
    var scene = MovingScene.random(using: &random)
    for step in scenario.steps.indices {
      // A cut.
      if random.chance(10) { scene = .random(using: &random) }
      scenario.steps[step].scene = scene
      scenario.steps[step].arrangement = random.any(Arrangement.self)
      scenario.steps[step].isChecked = step == 2 || step > 4
    }
    return scenario
  }
}
