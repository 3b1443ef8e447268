// Tests of the property `freeze`: no frame enters history, but the map may still move over it.

import Reference
import SeededGenerator
import Testing

@Suite("Freeze") struct FreezeTests {
  @Test("keeps what is held while it is on", arguments: Settings.Mode.allCases)
  func everyMode(mode: Settings.Mode) throws {
    for number in (0..<150).sampled() {
      var random = SeededGenerator(for: "freeze \(mode) \(number)")
      var settings = Settings(drawing: &random, mode: mode, longest: 17)
      let formats = ["GRAY8", "I420", "BGRA", "YUY2"]
      var scenario = random.scenario(
        VideoCaps(format: formats[number % 4], width: 17, height: 5), settings: settings,
        frames: 20)
      // What the first frame does while frozen has a test of its own.
      for step in scenario.steps.indices.dropFirst() {
        if random.chance(25) { settings.freeze.toggle() }
        if settings.freeze && mode == .displace && random.chance(30) { settings.drawMap(&random) }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("takes the first frame in even so", arguments: [Settings.Mode.displace, .sweep])
  func firstFrame(mode: Settings.Mode) throws {
    let settings = Settings().with(\.mode, mode).with(\.freeze, true).with(\.depth, 3)
    try requireReference(
      Scenario(VideoCaps(format: "I420", width: 17, height: 5), settings: settings, frames: 5))
  }

  @Test("holds the slit of a sweep where it is, even if the kind of sweep changes meanwhile")
  func slitStandsStill() throws {
    var settings = Settings().with(\.mode, .sweep).with(\.sweepLoop, .pingPong)
    settings.sweepDuration = 8_000_000
    var scenario = Scenario(
      VideoCaps(format: "GRAY8", width: 1, height: 4), settings: settings, frames: 16,
      interval: 1_000_000)
    // On the way back, in the middle of the frame.
    scenario.steps[12].settings.freeze = true
    for step in 12..<16 { scenario.steps[step].settings.sweepLoop = .once }
    try requireReference(scenario)
  }
}
