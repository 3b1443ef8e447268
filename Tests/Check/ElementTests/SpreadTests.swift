// Tests of the property `component-spread`: the components of a pixel with different delays.

import Reference
import SeededGenerator
import Testing

@Suite("Component spread") struct SpreadTests {
  /// What comes out for the last of eleven flat frames, the last of value 10.
  private func last(_ format: String, _ settings: Settings) throws -> [UInt16] {
    var example = try WorkedExample(VideoCaps(format: format, width: 1, height: 1))
    try example.push(flat: 0..<10, settings)
    return try example.push(flat: 10, settings).map { $0[0] }
  }

  @Test(
    "spreads red, green and blue, or Y, U and V, over history",
    arguments: [
      ("RGB", 0), ("GBR", 0), ("Y444", 0), ("BGRA", 1), ("AYUV", 1), ("A444_10LE", 1),
    ].filter { Formats.all.contains($0.0) })
  func everyKind(format: String, alphas: Int) throws {
    var settings = Settings().with(\.depth, 5).with(\.gain, 0)
    // Alpha stays where the map says.
    let alpha = Array(repeating: UInt16(10), count: alphas)
    settings.componentSpread = 1
    #expect(try last(format, settings) == [10, 8, 6] + alpha)
    settings.componentSpread = 0.5
    #expect(try last(format, settings) == [10, 9, 8] + alpha)
    // Not before now.
    settings.componentSpread = -1
    #expect(try last(format, settings) == [10, 10, 10] + alpha)
    // From the oldest frame on: 4, 2, 0.
    settings.offset = 1
    #expect(try last(format, settings) == [6, 8, 10] + alpha.map { $0 - 4 })
    // Not beyond it.
    settings.componentSpread = 0.5
    #expect(try last(format, settings) == [6, 6, 6] + alpha.map { $0 - 4 })
  }

  @Test("has nothing to spread in grey") func gray() throws {
    let settings = Settings().with(\.depth, 5).with(\.gain, 0).with(\.componentSpread, 1)
    #expect(try last("GRAY8", settings) == [10])
  }

  @Test("spreads over time where delays are times") func duration() throws {
    var settings = Settings().with(\.duration, 200_000_000).with(\.gain, 0)
    settings.componentSpread = 1
    // 0, 100 and 200 ms, and frames every 33.
    #expect(try last("RGB", settings) == [10, 7, 4])
    settings.componentSpread = 0.5
    let output = try last("RGB", settings)
    #expect(output[0] == 10 && output[2] == 7)
  }

  /// The byte is told apart by looking at it as at alpha, which stays where the map says too.
  @Test(
    "leaves bytes that are no component with the first one",
    arguments: [("BGRx", "BGRA"), ("RGBx", "RGBA"), ("xRGB", "ARGB"), ("xBGR", "ABGR")])
  func filler(format: String, sibling: String) throws {
    for number in (0..<20).sampled() {
      var random = SeededGenerator(for: "filler \(format) \(number)")
      var settings = Settings(drawing: &random)
      settings.componentSpread = .random(in: -1...1, using: &random)
      settings.depth = 6
      settings.interpolation = random.any(Settings.Interpolation.self)
      let caps = VideoCaps(format: format, width: 9, height: 5)
      let siblingCaps = VideoCaps(format: sibling, width: 9, height: 5)
      let withAlpha = try unsafe FormatDescription(videoInfo(of: siblingCaps))
      let harness = try SlitScanHarness(caps, readAs: withAlpha)
      var reference = ReferenceModel(format: withAlpha, width: 9, height: 5)
      for frame in 0..<8 {
        harness.set(settings)
        try harness.requireReference(
          &reference, noise: random.next(), time: UInt64(frame) * 33_333_333, settings: settings)
      }
    }
  }
}
