// Tests of the mode `displace` in every format and size: each pixel is from the frame that the map selects.

import Reference
import SeededGenerator
import Testing

/// A frame size, and the number of scenarios to test it with.
struct FrameSize: Sendable, CustomTestStringConvertible {
  var width: Int
  var height: Int
  /// Scenarios a format.
  var scenarios: Int
  /// Deepest history, frames.
  var deepest: Int

  var testDescription: String { "\(width)×\(height)" }

  static let all = [
    FrameSize(width: 1, height: 1, scenarios: 4, deepest: 40),
    FrameSize(width: 2, height: 1, scenarios: 4, deepest: 40),
    FrameSize(width: 1, height: 3, scenarios: 4, deepest: 40),
    FrameSize(width: 1, height: 37, scenarios: 2, deepest: 40),
    FrameSize(width: 37, height: 1, scenarios: 2, deepest: 40),
    FrameSize(width: 17, height: 5, scenarios: 12, deepest: 40),
    FrameSize(width: 64, height: 48, scenarios: 3, deepest: 40),
    FrameSize(width: 385, height: 289, scenarios: 1, deepest: 6),
  ]
}

@Suite("Displace") struct DisplaceTests {
  @Test("shows every pixel delayed by its map, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    let cases = FrameSize.all.flatMap { size in (0..<size.scenarios).map { (size, $0) } }
    for (size, number) in cases.sampled() {
      try requireReference(scenario(format: format, size: size, number: number))
    }
  }

  /// A random scenario; the number goes through the kinds so that none is left to chance.
  private func scenario(format: String, size: FrameSize, number: Int) throws -> Scenario {
    var random = SeededGenerator(for: "displace \(format) \(size.testDescription) \(number)")
    // Formats of one kind follow one another: the kinds are spread over them too.
    let kind = number + (Formats.all.firstIndex(of: format) ?? 0)
    var settings = Settings(drawing: &random)
    settings.map = Settings.Map.allCases[kind % Settings.Map.allCases.count]
    let interpolations = Settings.Interpolation.allCases
    settings.interpolation = interpolations[kind / 3 % interpolations.count]
    settings.warmup = Settings.Warmup.allCases[kind % 4]
    settings.depth = Int.random(in: 1...size.deepest, using: &random)
    if random.chance(30) { settings.drawTime(&random) }
    if random.chance(30) { settings.drawShutter(&random) }
    if random.chance(30) { settings.drawMixture(&random) }

    var caps = VideoCaps(format: format, width: size.width, height: size.height)
    if random.chance(30) { caps = try Formats.otherRange(caps) }
    var scenario = Scenario(
      caps, settings: settings, frames: settings.depth + 2, seed: random.next())
    scenario.paddedOutput = random.chance(30)
    // Large frames are checked halfway through the warm-up and after it, small ones always.
    let isLarge = size.width > 17
    for step in scenario.steps.indices {
      scenario.steps[step].arrangement = random.any(Arrangement.self)
      scenario.steps[step].isChecked =
        !isLarge || step == settings.depth / 2 || step == scenario.steps.count - 1
    }
    scenario.bringMaps(&random)
    return scenario
  }
}
