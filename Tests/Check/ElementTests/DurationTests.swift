// Tests of the property `duration`: delays in seconds at any frame rate.

import Reference
import SeededGenerator
import Testing

@Suite("Duration") struct DurationTests {
  /// Rows have f = 1/8, 3/8, 5/8, 7/8.
  private static let caps = VideoCaps(format: "GRAY8", width: 1, height: 4)
  private static let millisecond: UInt64 = 1_000_000

  private static func settings(milliseconds: UInt64) -> Settings {
    // Counts for nothing.
    let settings = Settings().with(\.duration, milliseconds * millisecond).with(\.depth, 2)
    return settings
  }

  /// What comes out for the last of frames at these milliseconds, the first of value 40, the next
  /// of 80 and so on.
  private func last(at times: [UInt64], _ settings: Settings) throws -> [UInt16] {
    var example = try WorkedExample(Self.caps)
    var output: [[UInt16]] = []
    for (number, time) in times.enumerated() {
      example.time = time * Self.millisecond
      output = try example.push(flat: 40 * UInt16(number + 1), settings)
    }
    return output[0]
  }

  @Test("takes the frame that is nearest in time") func nearest() throws {
    // Delays of 100, 300, 500, 700 ms among ages of 0, 400, 750, 900, 1000:
    // d = 1/4, 3/4, 1 + 100/350, 1 + 300/350.
    let output = try last(at: [0, 100, 250, 600, 1000], Self.settings(milliseconds: 800))
    #expect(output == [200, 160, 160, 120])
  }

  @Test("blends the frames before and after, by their distance in time") func linear() throws {
    var settings = Self.settings(milliseconds: 800)
    settings.interpolation = .linear
    let output = try last(at: [0, 100, 250, 600, 1000], settings)
    // 200 − 40·d.
    for (word, expected) in zip(output, [190, 170, 148.6, 125.7]) {
      #expect(abs(Double(word) - expected) <= 1)
    }
  }

  @Test("is late beyond the oldest frame", arguments: Settings.Warmup.allCases)
  func late(warmup: Settings.Warmup) throws {
    var settings = Self.settings(milliseconds: 760)
    settings.warmup = warmup
    let late: UInt16 =
      switch warmup {
      case .hold: 40
      case .live: 120
      case .black, .transparent: 0
      }
    // Delays of 95, 285, 475, 665 among ages of 0, 200, 450.
    #expect(try last(at: [0, 250, 450], settings) == [120, 80, late, late])
  }

  @Test("counts frames of the same time as no older than each other") func equalTimes() throws {
    let times: [UInt64] = [0, 100, 100, 100]
    // 60 among ages of 0, 0, 0, 100 is 2.6, and 40 is 2.4; what follows is late.
    #expect(try last(at: times, Self.settings(milliseconds: 480)) == [40, 40, 40, 40])
    #expect(try last(at: times, Self.settings(milliseconds: 320)) == [80, 40, 40, 40])
  }

  @Test("counts a frame that claims to be earlier as one of the same time")
  func backwards() throws {
    var settings = Self.settings(milliseconds: 480)
    settings.warmup = .live
    // As if the third frame had come at 100: delays of 60, 180, 300, 420 among ages of 0, 100, 100,
    // 200 are d = 0.6, 2.8, and late.
    #expect(try last(at: [0, 100, 50, 200], settings) == [120, 40, 160, 160])
  }

  @Test("holds the frames that are younger, and one more") func held() throws {
    let harness = try SlitScanHarness(Self.caps)
    var settings = Self.settings(milliseconds: 120)
    func push(_ times: Range<Int>) throws {
      harness.set(settings)
      for number in times {
        try harness.push(flat: 0, at: UInt(number) * 50_000_000)
      }
    }
    try push(0..<20)
    // Ages of 0, 50, 100, and 150.
    #expect(harness.property("history-frames") == "4")
    settings.duration = 310_000_000
    try push(20..<22)
    #expect(harness.property("history-frames") == "6")
    try push(22..<40)
    #expect(harness.property("history-frames") == "8")
    settings.duration = 10_000_000
    try push(40..<41)
    #expect(harness.property("history-frames") == "2")
    settings.duration = 0
    settings.depth = 3
    try push(41..<50)
    #expect(harness.property("history-frames") == "3")
  }

  @Test("is running time, not timestamps") func runningTime() throws {
    let harness = try SlitScanHarness(Self.caps)
    harness.pushSegment(start: 7_000_000_000, rate: 2)
    harness.set(Self.settings(milliseconds: 80))
    var output: [[[UInt16]]] = []
    for number in 0..<12 {
      // At twice the rate 20 ms of timestamps are 10 of running time.
      output = try harness.push(
        flat: UInt16(number), at: 7_000_000_000 + UInt(number) * 20_000_000)
    }
    // Delays of 10, 30, 50, 70 ms.
    #expect(output == [[[10, 8, 6, 4]]])
  }

  @Test("at uneven, equal and backward times") func anyTimes() throws {
    for number in (0..<800).sampled() {
      var random = SeededGenerator(for: "times \(number)")
      let formats = ["GRAY8", "I420", "BGRA"]
      var scenario = scenario(VideoCaps(format: formats[number % 3], width: 5, height: 7), &random)
      for step in scenario.steps.indices.dropFirst() {
        let before = scenario.steps[step - 1].time
        switch Int.random(in: 0..<8, using: &random) {
        case 0: scenario.steps[step].time = before
        case 1: scenario.steps[step].time = before - min(before, 40_000_000)
        case 2: scenario.steps[step].time += 500_000_000
        default: break
        }
      }
      try requireReference(scenario)
    }
  }

  @Test("and depth may take turns, and frames be frozen and forgotten") func changes() throws {
    for number in (0..<400).sampled() {
      var random = SeededGenerator(for: "turns \(number)")
      var scenario = scenario(VideoCaps(format: "I420", width: 6, height: 5), &random)
      var settings = scenario.steps[0].settings
      for step in scenario.steps.indices {
        if random.chance(30) { settings.drawTime(&random) }
        if random.chance(20) { settings.depth = .random(in: 1...12, using: &random) }
        if random.chance(10) { settings.freeze.toggle() }
        scenario.steps[step].settings = settings
        scenario.steps[step].resets = random.chance(4)
        scenario.steps[step].isLate = random.chance(4)
      }
      try requireReference(scenario, with: &random)
    }
  }

  private func scenario(_ caps: VideoCaps, _ random: inout SeededGenerator) -> Scenario {
    var settings = Settings(drawing: &random)
    settings.duration = .random(in: 1_000_000...500_000_000, using: &random)
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.warmup = random.any(Settings.Warmup.self)
    settings.componentSpread = random.chance(50) ? 0 : .random(in: -1...1, using: &random)
    settings.depth = .random(in: 1...12, using: &random)
    return random.scenario(caps, settings: settings, frames: 20)
  }
}
