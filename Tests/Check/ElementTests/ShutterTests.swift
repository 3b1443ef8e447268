// Tests of the properties `shutter` and `shutter-duration`: each pixel is the mean of several frames.

import Reference
import SeededGenerator
import Testing

@Suite("Shutter") struct ShutterTests {
  private static let caps = VideoCaps(format: "GRAY8", width: 1, height: 1)
  private static let millisecond: UInt64 = 1_000_000

  /// The output for flat frames of these values, 33 ms apart.
  private func outputs(of values: [UInt16], _ settings: Settings) throws -> [UInt16] {
    var example = try WorkedExample(Self.caps)
    return try values.map { try example.push(flat: $0, settings)[0][0] }
  }

  @Test("shows the mean of so many frames, where the delay is none") func exposes() throws {
    let settings = Settings().with(\.depth, 1).with(\.shutter, 4)
    let values: [UInt16] = [0, 0, 0, 200, 0, 0, 0, 0]
    #expect(try outputs(of: values, settings) == [0, 0, 0, 50, 50, 50, 50, 0])
  }

  @Test("gives parts of a frame their part of the weight") func fractions() throws {
    let settings = Settings().with(\.depth, 1).with(\.shutter, 2.5)
    #expect(try outputs(of: [0, 0, 200, 0, 0, 0], settings) == [0, 0, 80, 80, 40, 0])
  }

  @Test("begins at the delay") func delays() throws {
    let settings = Settings().with(\.depth, 3).with(\.gain, 0).with(\.offset, 1)
      .with(\.shutter, 2)
    #expect(try outputs(of: [0, 0, 100, 0, 0, 0], settings) == [0, 0, 0, 0, 50, 50])
  }

  @Test("counts in time at any frame rate") func time() throws {
    let settings = Settings().with(\.depth, 1).with(\.shutterDuration, 100 * Self.millisecond)
    // Three frames, of which there are one and two at first.
    #expect(try outputs(of: [90, 0, 0, 0, 90, 0], settings) == [90, 45, 30, 0, 30, 30])
  }

  @Test("is as long as the map is high, if that is asked for") func byMap() throws {
    let settings = Settings().with(\.depth, 1).with(\.shutter, 4).with(\.shutterFollowsMap, true)
      .with(\.gain, 0)
    let values: [UInt16] = [0, 0, 0, 200, 0, 0, 0, 0]
    for (g, expected) in [
      (0.0, [0, 0, 0, 200, 0, 0, 0, 0] as [UInt16]), (0.5, [0, 0, 0, 80, 80, 40, 0, 0]),
      (1, [0, 0, 0, 50, 50, 50, 50, 0]),
    ] {
      #expect(try outputs(of: values, settings.with(\.offset, g)) == expected)
    }
  }

  @Test("is exact for as long as it stays open") func isExact() throws {
    let settings = Settings().with(\.depth, 1).with(\.shutter, 300)
    var example = try WorkedExample(Self.caps)
    for frame in 0..<700 {
      let value = UInt16(frame % 2 == 0 ? 255 : 0)
      let shown = try example.push(flat: value, settings)[0][0]
      if frame >= 300 { #expect(shown == 128) }
    }
  }
}
