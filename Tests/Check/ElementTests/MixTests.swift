// Tests of the property `mix`: the blend of the scanned frame and the input frame.

import Reference
import SeededGenerator
import Testing

@Suite("Mix") struct MixTests {
  /// Everything is one frame late.
  private static func late(mix: Double) -> Settings {
    let settings = Settings().with(\.depth, 2).with(\.gain, 0).with(\.offset, 1).with(\.mix, mix)
    return settings
  }

  @Test("is between the frame and what is scanned") func share() throws {
    for (mix, expected) in [(0, 200), (0.25, 175), (0.5, 150), (0.9, 110), (1, 100)] {
      var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 1))
      try example.push(flat: 100..<101, Self.late(mix: mix))
      let output = try example.push(flat: 200, Self.late(mix: mix))
      let tolerance = mix == 0 || mix == 1 ? 0 : 1
      #expect(abs(Int(output[0][0]) - expected) <= tolerance, "mix \(mix)")
    }
  }

  @Test("mixes alpha, too") func alpha() throws {
    var settings = Self.late(mix: 0.5)
    settings.warmup = .transparent
    var example = try WorkedExample(VideoCaps(format: "RGBA", width: 1, height: 1))
    // Half of it is not there yet.
    let output = try example.push([[200], [100], [0], [250]], settings).map { Int($0[0]) }
    for (word, expected) in zip(output, [100, 50, 0, 125]) { #expect(abs(word - expected) <= 1) }
  }

  @Test("keeps history filling while nothing of it is shown") func fades() throws {
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 1))
    try example.push(flat: 100..<110, Self.late(mix: 0))
    #expect(try example.push(flat: 200, Self.late(mix: 1)) == [[109]])
  }

  @Test("leaves a strip alone") func strip() throws {
    let settings = Settings().with(\.mode, .strip).with(\.canvasLength, 1).with(\.mix, 0.5)
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 3))
    #expect(try example.push([[10, 20, 30]], settings) == [[20]])
  }
}
