// Tests of the property `history`: the frames kept while the map is static, and how history grows again.

import Reference
import SeededGenerator
import Testing

@Suite("History of a standing map") struct ThinningTests {
  static let formats = ["GRAY8", "I420", "NV12", "YUY2", "RGB", "BGRA", "I420_10LE", "ARGB64"]
    .filter(Formats.all.contains)

  @Test("shows all that the map asks for, and afterwards what it has", arguments: formats)
  func changes(format: String) throws {
    for number in (0..<40).sampled() {
      var random = SeededGenerator(for: "thinning \(format) \(number)")
      try requireReference(scenario(format, .needed, &random))
    }
  }

  @Test("is whole where that is wanted", arguments: ["GRAY8", "I420", "BGRA"])
  func whole(format: String) throws {
    for number in (0..<20).sampled() {
      var random = SeededGenerator(for: "whole \(format) \(number)")
      try requireReference(scenario(format, .whole, &random))
    }
  }

  @Test("goes by the map of the frames taken in, not by a frozen one", arguments: 0..<5)
  func frozen(number: Int) throws {
    let settings = Settings().with(\.depth, 4)
    var frozen = settings.with(\.freeze, true)
    switch number {
    case 0: frozen.duration = 5_000_000
    case 1: frozen.componentSpread = 0.8
    case 2: frozen.gain = 0.3
    case 3: frozen.map = .radial
    default: frozen.interpolation = .linear
    }
    let passing = settings.with(\.mix, 0)
    let steps =
      [settings, settings, settings, frozen, passing] + Array(repeating: settings, count: 9)
    var scenario = Scenario(
      VideoCaps(format: "I420", width: 20, height: 40), settings: settings, frames: steps.count)
    for (index, step) in steps.enumerated() { scenario.steps[index].settings = step }
    try requireReference(scenario)
  }

  @Test("drains to its end", arguments: ["GRAY8", "I420", "BGRA"])
  func drains(format: String) throws {
    for number in (0..<20).sampled() {
      var random = SeededGenerator(for: "thin drain \(format) \(number)")
      var settings = Settings(drawing: &random).with(\.depth, Int.random(in: 2...8, using: &random))
      settings.drain = true
      var scenario = random.scenario(
        VideoCaps(format: format, width: 20, height: 40), settings: settings,
        frames: Int.random(in: 1...4, using: &random) * settings.depth)
      scenario.bringMaps(&random)
      if let mismatch = try scenario.drainFailure() {
        throw ScenarioError(
          description: "\(mismatch)\n\(TestSeed.advice), \(format) \(number) of\n\(scenario)")
      }
    }
  }

  /// Times of rest with something else in between, some of them too short to thin anything out.
  private func scenario(
    _ format: String, _ history: Settings.History, _ random: inout SeededGenerator
  ) -> Scenario {
    var settings = Settings().with(\.history, history).with(\.depth, 5)
    var steps: [Settings] = []
    for _ in 0..<4 {
      settings.drawMap(&random)
      // Mostly maps that can stand still, and leave something out.
      if random.chance(80) { settings.map = random.chance(70) ? .linear : .radial }
      // Often with the same delay all along each row, so that rows are kept.
      if random.chance(50) { settings.angle = random.chance(50) ? 0 : 180 }
      settings.mapSmoothing = 0
      if random.chance(50) { settings.depth = Int.random(in: 1...7, using: &random) }
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.warmup = random.any(Settings.Warmup.self)
      settings.componentSpread = random.chance(70) ? 0 : .random(in: -1...1, using: &random)
      if random.chance(40) { settings.drawShutter(&random) }
      settings.feedback = random.chance(80) ? 0 : 0.5
      settings.mode = random.chance(85) ? .displace : random.any(Settings.Mode.self)
      for _ in 0..<Int.random(in: 1...(4 * settings.depth), using: &random) {
        if random.chance(3) { settings.freeze.toggle() }
        steps.append(settings)
      }
      settings.freeze = false
    }
    return random.scenario(VideoCaps(format: format, width: 20, height: 40), steps: steps)
  }
}
