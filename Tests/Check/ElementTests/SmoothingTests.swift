// Tests of the property `map-smoothing`: the map blurred by a Gaussian.

import Reference
import SeededGenerator
import Testing

@Suite("Smoothing") struct SmoothingTests {
  /// A standard deviation of 1 has v = 1/3, r = 0, a = 1/4: one pass is 1, 4, 1 over 6, three are
  /// 1, 12, 51, 88, 51, 12, 1 over 216.
  @Test("spreads a point over seven cells, across and down", arguments: [(9, 1), (1, 9)])
  func point(width: Int, height: Int) throws {
    let frame = try last(
      VideoCaps(format: "GRAY8", width: width, height: height),
      map: .gray([0, 0, 0, 0, 255, 0, 0, 0, 0], width: width), deviation: 1, depth: 217)
    #expect(frame[0] == [0, 1, 12, 51, 88, 51, 12, 1, 0].map { 150 - $0 })
  }

  /// The cell at the border counts for those beyond it, in each pass: 5, 1 over 6, then 26, 9, 1
  /// over 36, then 139, 63, 13, 1 over 216.
  @Test("goes on beyond the border as the border is") func border() throws {
    let frame = try last(
      VideoCaps(format: "GRAY8", width: 6, height: 1),
      map: .gray([255, 0, 0, 0, 0, 0], width: 6), deviation: 1, depth: 217)
    #expect(frame[0] == [139, 63, 13, 1, 0, 0].map { 150 - $0 })
  }

  /// √3 has v = 1, r = 1, a = 1/6: one pass is 1, 6, 6, 6, 1 over 20, and three are 1764, 1548,
  /// 975, 450, 126, 18, 1 over 8000 from the middle on.
  @Test("has a wider box for a wider Gaussian") func wide() throws {
    let frame = try last(
      VideoCaps(format: "GRAY8", width: 13, height: 1),
      map: .gray((0..<13).map { $0 == 6 ? 255 : 0 }, width: 13),
      deviation: 3.0.squareRoot(), depth: 101)
    #expect(
      frame[0] == [0, 0, 2, 6, 12, 19, 22, 19, 12, 6, 2, 0, 0].map { 150 - $0 })
  }

  @Test("counts in pixels where chroma has fewer cells") func chroma() throws {
    // Two white columns are one cell of chroma. Two pixels are one cell, too.
    let stripe: [UInt16] = (0..<18).map { $0 == 8 || $0 == 9 ? 255 : 0 }
    let frame = try last(
      VideoCaps(format: "I420", width: 18, height: 2), map: .gray(stripe + stripe, width: 18),
      deviation: 2, depth: 217)
    for chroma in frame[1...] {
      #expect(chroma == [0, 1, 12, 51, 88, 51, 12, 1, 0].map { 150 - $0 })
    }
  }

  @Test("comes before gain, offset and edge") func order() throws {
    let settings = Settings().with(\.gain, 2).with(\.edge, .wrap)
    // 2·139/216 wraps to 62/216, 2·63/216 does not.
    let frame = try last(
      VideoCaps(format: "GRAY8", width: 6, height: 1),
      map: .gray([255, 0, 0, 0, 0, 0], width: 6), deviation: 1, depth: 217, settings)
    #expect(frame[0] == [62, 126, 26, 2, 0, 0].map { 150 - $0 })
  }

  @Test("leaves black black and white white") func flat() throws {
    // If the sum of all weights were more than 1, white would wrap.
    let settings = Settings().with(\.edge, .wrap)
    for deviation in [0.3, 1, 1.7, 4.4, 12, 1000] {
      for (value, delay) in [(UInt16(0), UInt16(0)), (255, 100)] {
        let frame = try last(
          VideoCaps(format: "GRAY8", width: 7, height: 3), map: .gray([value], width: 1),
          deviation: deviation, depth: 101, settings)
        #expect(frame[0].allSatisfy { $0 == 150 - delay }, "\(value), σ = \(deviation)")
      }
    }
  }

  @Test("is used by a strip, pixel by pixel") func strip() throws {
    var settings = Settings().with(\.mode, .strip).with(\.map, .live).with(\.canvasLength, 1)
    settings.mapSmoothing = 1
    // 139, 63, 13, 1, 0, 0 over 216: the third pixel is nearest to 1/10, which is 21.6.
    settings.position = 0.1
    var example = try WorkedExample(
      VideoCaps(format: "GRAY8", width: 1, height: 6),
      maps: [.gray([255, 0, 0, 0, 0, 0], width: 1)])
    #expect(try example.push([[10, 20, 30, 40, 50, 60]], settings) == [[30]])
  }

  @Test("of a large frame", arguments: [0.7, 5, 40, 200], Settings.Map.allCases.sampled())
  func large(deviation: Double, map: Settings.Map) throws {
    var random = SeededGenerator(for: "smooth \(deviation) \(map)")
    var settings = Settings(drawing: &random).with(\.map, map).with(\.mapSmoothing, deviation)
    settings.mode = random.chance(70) ? .displace : random.any(Settings.Mode.self)
    settings.depth = 4
    settings.interpolation = .linear
    let scenario = random.scenario(
      VideoCaps(format: "NV12", width: 201, height: 67), settings: settings, frames: 5)
    try requireReference(scenario, with: &random, onlyLast: true)
  }

  /// The last of 151 flat frames, of which the last has the value 150.
  private func last(
    _ caps: VideoCaps, map: MapBuffer, deviation: Double, depth: Int, _ settings: Settings = .init()
  ) throws -> [[UInt16]] {
    let settings = settings.with(\.map, .live).with(\.mapSmoothing, deviation).with(\.depth, depth)
    var example = try WorkedExample(caps, maps: [map])
    try example.push(flat: 0..<150, settings)
    return try example.push(flat: 150, settings)
  }
}
