// What makes the element forget: the signal `reset`, a flush, other caps.

import Reference
import SeededGenerator
import Testing

@Suite("Forgetting")
struct ForgettingTests {
  @Test("by the signal reset is complete", arguments: Settings.Mode.allCases)
  func reset(mode: Settings.Mode) throws {
    for number in 0..<100 {
      var random = SeededGenerator(for: "reset \(mode) \(number)")
      var settings = Settings()
      settings.mode = mode
      settings.drawMap(&random)
      settings.drawSweep(&random, frames: 12)
      settings.drawStrip(&random, longest: 17)
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.depth = Int.random(in: 1...8, using: &random)
      settings.drawTime(&random)
      settings.drawMixture(&random)
      var scenario = random.scenario(
        VideoCaps(format: "A420", width: 17, height: 5), settings: settings, frames: 16)
      for step in scenario.steps.indices { scenario.steps[step].resets = random.chance(20) }
      scenario.bringMaps(&random)
      try requireReference(scenario)
    }
  }

  @Test("by a flush is as complete as by reset", arguments: Settings.Mode.allCases)
  func flush(mode: Settings.Mode) throws {
    var settings = Settings()
    settings.mode = mode
    settings.depth = 4
    let caps = VideoCaps(format: "GRAY8", width: 3, height: 4)
    let harness = try SlitScanHarness(caps)
    harness.set(settings)
    var reference = ReferenceModel(format: harness.format, width: caps.width, height: caps.height)
    for number in 0..<8 {
      if number == 4 {
        harness.flush()
        reference.reset()
      }
      try harness.requireReference(
        &reference, noise: UInt64(number), time: UInt64(number) * 33_333_333, settings: settings)
    }
  }

  @Test("by other caps is as complete as by reset", arguments: Settings.Mode.allCases)
  func capsChange(mode: Settings.Mode) throws {
    var settings = Settings()
    settings.mode = mode
    settings.depth = 4
    let harness = try SlitScanHarness(VideoCaps(format: "I420", width: 3, height: 4))
    harness.set(settings)
    for (number, size) in [(3, 4), (17, 5), (3, 4)].enumerated() {
      let caps = VideoCaps(format: "I420", width: size.0, height: size.1)
      if number > 0 { try harness.push(caps: caps) }
      var reference = ReferenceModel(
        format: harness.format, width: caps.width, height: caps.height)
      for frame in 0..<6 {
        let frame = UInt64(6 * number + frame)
        try harness.requireReference(
          &reference, noise: frame, time: frame * 33_333_333, settings: settings)
      }
    }
  }
}
