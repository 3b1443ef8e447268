// The images and frames that scenarios provide for the maps `image` and `live`.

import Reference
import SeededGenerator

extension Scenario {
  /// Brings frames for the maps `image` and `live`, where the scenario uses them.
  mutating func bringMaps(_ random: inout SeededGenerator) {
    let maps = Set(steps.map(\.settings.map))
    if maps.contains(.image) {
      image = ImageDescription(
        width: .random(in: 1...24, using: &random), height: .random(in: 1...24, using: &random),
        isDeep: random.chance(50), noise: random.next())
    }
    guard maps.contains(.live), let first = steps.first, let last = steps.last else { return }
    self.maps = Self.maps(from: first.time, to: last.time, &random)
  }

  /// More or fewer than the frames, in any size and format; some begin after the first frame.
  private static func maps(
    from start: UInt64, to end: UInt64, _ random: inout SeededGenerator
  ) -> [MapBuffer] {
    var caps = anyCaps(&random)
    var maps: [MapBuffer] = []
    let longest: UInt64 = random.chance(50) ? 40_000_000 : 200_000_000
    var time = start + UInt64.random(in: 0...50_000_000, using: &random)
    time -= min(time, 40_000_000)
    while time <= end || maps.isEmpty {
      if random.chance(20) { caps = anyCaps(&random) }
      let interval = UInt64.random(in: 1_000_000...longest, using: &random)
      maps.append(
        MapBuffer(
          caps: caps, time: time,
          // Some leave a gap until the next: the video has to wait for that to know.
          duration: random.chance(70) ? interval : .random(in: 1...interval, using: &random),
          noise: random.next(), arrangement: random.any(Arrangement.self)))
      time += interval
    }
    return maps
  }

  /// Grey as often as everything else.
  private static func anyCaps(_ random: inout SeededGenerator) -> VideoCaps {
    let formats = random.chance(50) ? ["GRAY8", "GRAY16_LE"] : Formats.samples
    let caps = VideoCaps(
      format: formats[Int.random(in: formats.indices, using: &random)],
      width: .random(in: 1...24, using: &random), height: .random(in: 1...24, using: &random))
    return random.chance(20) ? (try? Formats.otherRange(caps)) ?? caps : caps
  }
}
