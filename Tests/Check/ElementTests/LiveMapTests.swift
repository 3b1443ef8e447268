// Tests of the map `live`: frames from the request pad `map`.

import Reference
import SeededGenerator
import Testing

@Suite("Live maps") struct LiveMapTests {
  private static var live: Settings {
    let settings = Settings().with(\.map, .live)
    return settings
  }

  @Test("are interpolated between the middles of their pixels") func interpolation() throws {
    var settings = Self.live
    settings.depth = 5
    var example = try WorkedExample(
      VideoCaps(format: "GRAY8", width: 4, height: 1), maps: [.gray([0, 255], width: 2)])
    try example.push(flat: 0..<9, settings)
    // f = 0, 1/4, 3/4, 1.
    #expect(try example.push(flat: 9, settings) == [[9, 8, 6, 5]])
  }

  @Test("that are larger than the frame are looked up, not averaged") func larger() throws {
    var settings = Self.live
    settings.depth = 256
    // The middle of the frame's pixels is that of the map's columns 1 and 4.
    var example = try WorkedExample(
      VideoCaps(format: "GRAY8", width: 2, height: 1),
      maps: [.gray([200, 3, 200, 200, 5, 200], width: 6)])
    try example.push(flat: 0..<9, settings)
    #expect(try example.push(flat: 9, settings) == [[6, 4]])
  }

  @Test("take effect at their running time, and not before") func time() throws {
    var settings = Self.live
    settings.depth = 4
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 1)
    // Frames at 0, 10, 20 … ms. The last map but one comes and goes between two frames.
    let maps: [MapBuffer] = [
      .gray([255], width: 1, at: 20_000_000, lasting: 25_000_000),
      .gray([170], width: 1, at: 45_000_000, lasting: 5_000_000),
      .gray([85], width: 1, at: 50_000_000, lasting: 12_000_000),
      .gray([0], width: 1, at: 62_000_000, lasting: 1_000_000),
      .gray([255], width: 1, at: 63_000_000, lasting: 1_000_000),
      .gray([170], width: 1, at: 90_000_001, lasting: 10_000_000),
    ]
    var example = try WorkedExample(caps, maps: maps)
    example.interval = 10_000_000
    let delays: [UInt16] = [0, 0, 2, 3, 3, 1, 1, 3, 3, 3, 2, 2]
    for (number, delay) in delays.enumerated() {
      let word = UInt16(number)
      #expect(try example.push(flat: word, settings) == [[word - delay]], "frame \(number)")
    }
  }

  @Test("of which none comes leave f at 0") func empty() throws {
    var settings = Self.live
    settings.depth = 4
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 2, height: 2), maps: [])
    try example.push(flat: 0..<5, settings)
    #expect(try example.push(flat: 5, settings) == [[5, 5, 5, 5]])
  }

  @Test("may come in any format", arguments: Formats.all) func everyFormat(format: String) throws {
    for range in 0..<2 {
      var random = SeededGenerator(for: "live \(format) \(range)")
      var settings = Self.live
      settings.depth = 4
      settings.interpolation = .linear
      var scenario = Scenario(
        VideoCaps(format: "GRAY16_LE", width: 7, height: 6), settings: settings, frames: 6,
        seed: random.next())
      scenario.maps = try (0..<2).map { number in
        let caps = VideoCaps(
          format: format, width: .random(in: 1...9, using: &random),
          height: .random(in: 1...9, using: &random))
        return try MapBuffer(
          caps: range == 0 ? caps : Formats.otherRange(caps), time: UInt64(number) * 150_000_000,
          duration: 150_000_000, noise: random.next(), arrangement: random.any(Arrangement.self))
      }
      try requireReference(scenario)
    }
  }

  @Test("may come at any rate and size, in every mode", arguments: Settings.Mode.allCases)
  func anyRate(mode: Settings.Mode) throws {
    for number in (0..<120).sampled() {
      var random = SeededGenerator(for: "rate \(mode) \(number)")
      var settings = Settings(drawing: &random)
      settings.drawSweep(&random, frames: 12)
      settings.drawStrip(&random, longest: 17)
      settings.mode = mode
      settings.map = .live
      settings.depth = .random(in: 1...12, using: &random)
      let formats = ["GRAY8", "I420", "BGRA", "YUY2", "GRAY16_LE"]
      let scenario = random.scenario(
        VideoCaps(format: formats[number % 5], width: 17, height: 5), settings: settings,
        frames: 14)
      try requireReference(scenario, with: &random)
    }
  }

  @Test("go on moving while another map is used") func unused() throws {
    for number in (0..<60).sampled() {
      var random = SeededGenerator(for: "unused \(number)")
      var settings = Self.live
      settings.depth = 4
      var scenario = random.scenario(
        VideoCaps(format: "GRAY8", width: 8, height: 3), settings: settings, frames: 20)
      for step in scenario.steps.indices {
        if random.chance(30) { settings.map = settings.map == .live ? .linear : .live }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }
}
