// Tests of the line that marks the slit of a sweep: `line-width` and `line-color`.

import Reference
import SeededGenerator
import Testing

@Suite("Sweep line") struct SweepLineTests {
  /// Rows of a frame 8 high have g = 1/16, 3/16 … 15/16, and a slit that needs 16 frames.
  private static let caps = VideoCaps(format: "RGB", width: 1, height: 8)

  private static func line(width: Double, color: Int = 0xff33_6699) -> Settings {
    var settings = Settings().with(\.mode, .sweep).with(\.sweepDuration, 16_000_000)
    settings.lineWidth = width
    settings.lineColor = color
    return settings
  }

  /// For each of so many flat frames, 1 ms apart, the rows on which there is the line.
  private func lines(_ settings: Settings, frames: Int) throws -> [[Int]] {
    var example = try WorkedExample(Self.caps)
    example.interval = 1_000_000
    return try (0..<frames).map { number in
      let output = try example.push(flat: UInt16(number), settings)
      return (0..<8).filter { row in
        zip(output, [0x33, 0x66, 0x99]).allSatisfy { abs(Int($0[row]) - $1) <= 1 }
      }
    }
  }

  @Test("is as wide as it should be, and where the slit is") func place() throws {
    // From row to row g grows by 1/8: 2.2 pixels are 1.1/8 of g on each side.
    let rows = try lines(Self.line(width: 2.2), frames: 20)
    // p = 0: g up to 0.1375. p = 4/16: 3/16 and 5/16. p = 5/16: 3/16 and 7/16 are 1/8 away.
    #expect(rows[0] == [0])
    #expect(rows[4] == [1, 2])
    #expect(rows[5] == [1, 2, 3])
    #expect(rows[15] == [6, 7])
    // Once the sweep has ended there is none.
    for number in 17..<20 { #expect(rows[number] == []) }
  }

  @Test("may be thinner than a row") func thin() throws {
    let rows = try lines(Self.line(width: 0.5), frames: 8)
    // 1/32 on each side: only where the slit is on a row.
    #expect(rows == [[], [0], [], [1], [], [2], [], [3]])
  }

  @Test("comes again with the next round, and on the way back") func rounds() throws {
    var settings = Self.line(width: 2.2)
    settings.sweepLoop = .loop
    #expect(try lines(settings, frames: 21)[20] == [1, 2])
    settings.sweepLoop = .pingPong
    // p = 12/16.
    #expect(try lines(settings, frames: 21)[20] == [5, 6])
  }

  @Test("does not become a part of the frame") func passes() throws {
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 8))
    example.interval = 1_000_000
    let settings = Self.line(width: 3)
    try example.push(flat: 0..<17, settings)
    // Row r is passed at frame 2r+1, whose sample it keeps.
    #expect(try example.push(flat: 17, settings)[0] == (0..<8).map { 2 * $0 + 1 })
  }

  @Test("is as opaque as the alpha of its colour says") func alpha() throws {
    for (color, expected) in [
      (0xff80_4020, [128, 64, 32]), (0x8080_4020, [114, 82, 66]),
      (0x0080_4020, [100, 100, 100]),
    ] {
      var example = try WorkedExample(VideoCaps(format: "RGB", width: 1, height: 2))
      let lined = try example.push(flat: 100, Self.line(width: 4, color: color)).map { Int($0[0]) }
      for (word, value) in zip(lined, expected) { #expect(abs(word - value) <= 1, "\(color)") }
    }
  }

  /// Red, green, blue, white and black by the matrices of BT.601 and BT.709, in both ranges.
  @Test("has its colour in YUV, too") func yuv() throws {
    for (colorimetry, color, expected) in [
      ("2:4:5:1", 0xffff_0000, [81, 90, 240]), ("2:4:5:1", 0xff00_ff00, [145, 54, 34]),
      ("2:4:5:1", 0xff00_00ff, [41, 240, 110]), ("2:4:5:1", 0xffff_ffff, [235, 128, 128]),
      ("2:3:5:1", 0xffff_0000, [63, 102, 240]), ("2:3:5:1", 0xff00_0000, [16, 128, 128]),
      ("1:4:5:1", 0xffff_0000, [76, 85, 255]), ("1:4:5:1", 0xff00_00ff, [29, 255, 107]),
    ] {
      var example = try WorkedExample(
        VideoCaps(format: "Y444", width: 1, height: 2, further: ["colorimetry=\(colorimetry)"]))
      let output = try example.push(flat: 100, Self.line(width: 4, color: color))
      for (word, value) in zip(output.map({ Int($0[0]) }), expected) {
        #expect(abs(word - value) <= 3, "\(colorimetry), \(color)")
      }
    }
  }

  @Test("is drawn before the rest is mixed in") func mixed() throws {
    var example = try WorkedExample(VideoCaps(format: "RGB", width: 1, height: 2))
    var settings = Self.line(width: 4, color: 0xffc8_c8c8)
    settings.mix = 0.5
    // Half of 200, half of 100.
    let output = try example.push(flat: 100, settings).map { Int($0[0]) }
    for word in output { #expect(abs(word - 150) <= 2) }
  }

  @Test("of any width and colour, whatever else changes") func anything() throws {
    for number in (0..<400).sampled() {
      var random = SeededGenerator(for: "lines \(number)")
      let formats = ["GRAY8", "I420", "BGRA", "YUY2"]
      var scenario = scenario(
        VideoCaps(format: formats[number % 4], width: 8, height: 6), frames: 16, &random)
      var settings = scenario.steps[0].settings
      for step in scenario.steps.indices {
        if random.chance(20) { settings.drawSweep(&random, frames: 12) }
        if random.chance(10) { settings.drawMap(&random) }
        if random.chance(20) { settings.drawMixture(&random) }
        scenario.steps[step].settings = settings
        scenario.steps[step].resets = random.chance(4)
        scenario.steps[step].isLate = random.chance(4)
      }
      try requireReference(scenario, with: &random)
    }
  }

  private func scenario(
    _ caps: VideoCaps, frames: Int, _ random: inout SeededGenerator
  ) -> Scenario {
    var settings = Settings(drawing: &random).with(\.mode, .sweep)
    settings.drawSweep(&random, frames: frames)
    settings.lineWidth = .random(in: 0...8, using: &random)
    var scenario = random.scenario(caps, settings: settings, frames: frames)
    scenario.bringMaps(&random)
    return scenario
  }
}
