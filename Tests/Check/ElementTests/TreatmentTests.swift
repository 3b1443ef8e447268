// Tests of what is done to all samples of a frame: in every format, and in large frames.

import Reference
import SeededGenerator
import Testing

/// A property, or a few that belong together, with random values.
enum Treatment: CaseIterable {
  case duration, componentSpread, shutter, mix, feedback, smoothing, sweepLine

  /// Draws its values, those at which nothing is to be done among them.
  func draw(_ settings: inout Settings, _ random: inout SeededGenerator) {
    switch self {
    case .duration: settings.duration = .random(in: 1_000_000...500_000_000, using: &random)
    case .componentSpread:
      if random.chance(50) { settings.drawTime(&random) }
      settings.componentSpread = .random(in: -1...1, using: &random)
    case .shutter: settings.drawShutter(&random)
    case .mix:
      settings.mode = random.chance(50) ? .displace : .sweep
      settings.mix = .random(in: 0...1, using: &random)
      if random.chance(40) { settings.mix = settings.mix.rounded() }
    case .feedback: settings.drawFeedback(&random)
    case .smoothing: settings.mapSmoothing = .random(in: 0.1...6, using: &random)
    case .sweepLine:
      settings.mode = .sweep
      settings.drawSweep(&random, frames: 10)
      settings.lineWidth = .random(in: 0...8, using: &random)
    }
  }
}

@Suite("Treatments") struct TreatmentTests {
  @Test(
    "are what the definitions say, in every format", arguments: Formats.all, Treatment.allCases)
  func everyFormat(format: String, treatment: Treatment) throws {
    for number in (0..<6).sampled() {
      var random = SeededGenerator(for: "\(treatment) \(format) \(number)")
      // Formats of one kind follow one another: the maps are spread over them.
      let kind = number + (Formats.all.firstIndex(of: format) ?? 0)
      var settings = Settings(drawing: &random)
      settings.map = Settings.Map.allCases[kind % Settings.Map.allCases.count]
      settings.drawSweep(&random, frames: 8)
      settings.depth = .random(in: 1...9, using: &random)
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.warmup = random.any(Settings.Warmup.self)
      treatment.draw(&settings, &random)
      let caps = VideoCaps(format: format, width: 17, height: 5)
      var scenario = try random.scenario(
        random.chance(30) ? Formats.otherRange(caps) : caps, settings: settings, frames: 20)
      for step in scenario.steps.indices {
        if random.chance(20) { treatment.draw(&settings, &random) }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }

  @Test(
    "are what the definitions say, in large frames", arguments: Formats.samples.sampled(),
    Treatment.allCases)
  func large(format: String, treatment: Treatment) throws {
    var random = SeededGenerator(for: "large \(treatment) \(format)")
    var settings = Settings(drawing: &random).with(\.depth, 5)
    settings.interpolation = random.any(Settings.Interpolation.self)
    treatment.draw(&settings, &random)
    let scenario = random.scenario(
      VideoCaps(format: format, width: 201, height: 67), settings: settings, frames: 8)
    try requireReference(scenario, with: &random, onlyLast: true)
  }
}
