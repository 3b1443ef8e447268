// Tests that a map uses those properties which say so in the table of properties, and no others.

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
