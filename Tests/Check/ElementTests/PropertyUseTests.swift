// Tests that a mode or a map uses those properties which say so in the table of properties, and no others.

import Reference
import SeededGenerator
import Testing

@Suite("Use of properties") struct PropertyUseTests {
  @Test("a map uses the properties that name it", arguments: Settings.Map.allCases)
  func map(_ map: Settings.Map) throws {
    // No property has its default.
    var settings = Settings().with(\.map, map).with(\.angle, 30).with(\.centerX, 0.3)
    settings.centerY = 0.2
    settings.turns = 1.5
    settings.columns = 3
    settings.rows = 4
    settings.blockSize = 3
    settings.seed = 7
    settings.motionThreshold = 0.4
    settings.motionDecay = 0.2
    settings.depth = 7
    let shown = try last(settings)
    let maps = Set(Settings.Map.allCases.map { "\($0)" })
    for (property, changed) in zip(settings.properties, settings.withOneDefault)
    where !maps.isDisjoint(with: property.users) {
      #expect(changed != settings, "\(property.name) has its default")
      let isUsed = try last(changed) != shown
      #expect(
        isUsed == property.users.contains("\(map)"),
        "\(property.name) is used by \(property.users) in slitscan-properties.def")
    }
  }

  @Test("a mode uses the properties that name it", arguments: Settings.Mode.allCases)
  func mode(_ mode: Settings.Mode) throws {
    var random = SeededGenerator(seed: 1)
    var used: Set<String> = []
    for _ in 0..<40 {
      let settings = settings(of: mode, &random)
      let shown = try frames(settings)
      for (property, changed) in zip(settings.properties, settings.withOneDefault)
      where changed != settings && !used.contains(property.name) {
        if try frames(changed) != shown { used.insert(property.name) }
      }
    }
    let modes = Set(Settings.Mode.allCases.map { "\($0)" })
    // What is kept of history shows in other modes and with other maps, later.
    let unseen: Set = ["history", "reserve"]
    for property in Settings().properties
    where !modes.isDisjoint(with: property.users) && !unseen.contains(property.name) {
      #expect(
        used.contains(property.name) == property.users.contains("\(mode)"),
        "\(property.name) is used by \(property.users) in slitscan-properties.def")
    }
  }

  /// Random settings in which some properties have their defaults, as some hide others.
  private func settings(of mode: Settings.Mode, _ random: inout SeededGenerator) -> Settings {
    var settings = Settings(drawing: &random).with(\.mode, mode)
    settings.map = .linear
    settings.depth = .random(in: 2...6, using: &random)
    settings.drain = random.chance(50)
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.drawTime(&random)
    settings.drawShutter(&random)
    settings.drawMixture(&random)
    settings.drawFeedback(&random)
    settings.drawSweep(&random, frames: 6)
    settings.drawStrip(&random, longest: 20)
    return settings
  }

  /// All that comes out for some frames of noise, and after them.
  private func frames(_ settings: Settings) throws -> [[[UInt16]]] {
    let harness = try SlitScanHarness(VideoCaps(format: "RGB", width: 20, height: 15))
    harness.set(settings)
    var outputs: [OutputFrame] = []
    for number in 0..<10 as Range<UInt64> {
      outputs += try harness.pushAndPull(
        .noise(width: 20, height: 15, format: harness.format, seed: number), arranged: .default,
        noise: 0, metadata: BufferMetadata(presentationTime: UInt(number) * 33_333_333))
    }
    outputs += try harness.end()
    return outputs.map(\.frame.samples)
  }

  /// The last of some frames of noise.
  private func last(_ settings: Settings) throws -> [[UInt16]] {
    let caps = VideoCaps(format: "GRAY8", width: 40, height: 30)
    let harness = try SlitScanHarness(caps)
    harness.set(settings)
    var random = SeededGenerator(seed: 1)
    var samples: [[UInt16]] = []
    for number in 0..<8 as Range<UInt> {
      let noise = (0..<40 * 30).map { _ in UInt16.random(in: 0...255, using: &random) }
      samples =
        try harness.push(
          Frame(width: 40, height: 30, samples: [noise]), arranged: .default, noise: 0,
          metadata: BufferMetadata(presentationTime: number * 33_333_333)
        ).frame.samples
    }
    return samples
  }
}
