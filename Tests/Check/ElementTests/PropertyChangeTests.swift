// Tests of property changes between any two frames: thousands of short random scenarios on tiny frames.

import Reference
import SeededGenerator
import Testing

@Suite("Property changes") struct PropertyChangeTests {
  static let formats = ["GRAY8", "I420", "BGRA"]

  @Test("take effect at the next frame, whatever came before", arguments: formats)
  func anything(format: String) throws {
    for number in (0..<2000).sampled() {
      var random = SeededGenerator(for: "changes \(format) \(number)")
      try requireReference(scenario(VideoCaps(format: format, width: 8, height: 6), &random))
    }
  }

  @Test("take effect at the next frame, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for number in (0..<12).sampled() {
      var random = SeededGenerator(for: "changes \(format) \(number)")
      try requireReference(scenario(VideoCaps(format: format, width: 7, height: 5), &random))
    }
  }

  @Test("of depth keep the newest frames that still fit") func depth() throws {
    for number in (0..<300).sampled() {
      var random = SeededGenerator(for: "depth \(number)")
      var settings = Settings(drawing: &random)
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.warmup = random.any(Settings.Warmup.self)
      var scenario = random.scenario(
        VideoCaps(format: "BGRA", width: 3, height: 8), settings: settings, frames: 30)
      for step in scenario.steps.indices {
        if random.chance(30) { settings.depth = Int.random(in: 1...20, using: &random) }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("are drawn of every property that changes frames") func everyProperty() {
    var values: [String: Set<String>] = [:]
    for number in 0..<200 {
      var random = SeededGenerator(for: "all properties \(number)")
      for step in scenario(VideoCaps(format: "GRAY8", width: 2, height: 2), &random).steps {
        for (name, value, _) in step.settings.properties { values[name, default: []].insert(value) }
      }
    }
    // These are for the end of a stream, the mouse and the machine.
    let others: Set = ["drain", "pointer", "max-memory", "max-disk", "threads"]
    for (name, values) in values where !others.contains(name) {
      #expect(values.count > 1, "No scenario changes \(name): Settings+Random.swift.")
    }
  }

  /// Some twelve frames, with something else before every second one.
  private func scenario(_ caps: VideoCaps, _ random: inout SeededGenerator) -> Scenario {
    var settings = Settings(drawing: &random).with(\.depth, Int.random(in: 1...8, using: &random))
    if random.chance(50) { settings.drawTime(&random) }
    if random.chance(30) { settings.drawShutter(&random) }
    if random.chance(50) { settings.drawMixture(&random) }
    settings.drawSweep(&random, frames: 6)
    settings.drawStrip(&random, longest: 8)
    settings.mode = random.any(Settings.Mode.self)
    settings.history = random.any(Settings.History.self)

    var scenario = random.scenario(
      caps, settings: settings, frames: Int.random(in: 2...20, using: &random))
    for step in scenario.steps.indices {
      if random.chance(50) { settings.changeSomething(&random) }
      scenario.steps[step].settings = settings
      scenario.steps[step].resets = random.chance(4)
      scenario.steps[step].isLate = random.chance(4)
    }
    scenario.bringMaps(&random)
    return scenario
  }
}

extension Settings {
  /// Changes one property, or a few that belong together.
  ///
  /// `canvas` stays: what a change of it does to lines that are there is not defined. `sweep-loop`
  /// stays while frozen: `FreezeTests` looks at that.
  fileprivate mutating func changeSomething(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: mode = random.any(Mode.self)
    case 2: self.depth = Int.random(in: 1...10, using: &random)
    case 3: drawMap(&random)
    case 4: drawAngle(&random)
    case 5: interpolation = random.any(Settings.Interpolation.self)
    case 6: warmup = random.any(Warmup.self)
    case 7: self.freeze.toggle()
    case 8: drawTime(&random)
    case 11: self.reserve = random.chance(30) ? 0 : .random(in: 1...8, using: &random)
    case 9: drawMixture(&random)
    case 12: drawShutter(&random)
    case 10:
      let sweepLoop = sweepLoop
      drawSweep(&random, frames: 8)
      if self.freeze { self.sweepLoop = sweepLoop }
    default:
      let canvas = canvas
      drawStrip(&random, longest: 8)
      self.canvas = canvas
    }
  }
}
