// Tests with examples worked out by hand from the definitions, where rounding plays no part.

import Reference
import Testing

/// Frames are flat, frame n of value n: what comes out says which frame each sample is from.
@Suite("Worked examples") struct WorkedExampleTests {
  /// Rows of a frame 4 high have f = 1/8, 3/8, 5/8, 7/8.
  private let column = VideoCaps(format: "GRAY8", width: 1, height: 4)

  @Test("a delay of half a frame is rounded up") func halfFrame() throws {
    let settings = Settings().with(\.depth, 5)
    // d = 1/2, 3/2, 5/2, 7/2.
    #expect(try last(of: 9, settings) == [1, 2, 3, 4].map { 8 - $0 })
  }

  @Test("the edge leaves 0 and 1 alone and brings back what lies beyond") func edges() throws {
    var settings = Settings().with(\.depth, 5).with(\.gain, 4).with(\.offset, -1.5)
    // g = −1, 0, 1, 2 before the edge.
    for (edge, delays) in [
      (Settings.Edge.clamp, [0, 0, 4, 4]), (.wrap, [0, 0, 4, 0]), (.mirror, [4, 0, 4, 0]),
    ] {
      settings.edge = edge
      #expect(try last(of: 9, settings) == delays.map { 8 - $0 }, "\(edge)")
    }
  }

  @Test("the map is inverted before gain and offset") func order() throws {
    var settings = Settings().with(\.depth, 9).with(\.invert, true).with(\.gain, 0.5)
    settings.offset = 0.25
    // 1 − f = 7/8 …, g = 11/16, 9/16, 7/16, 5/16, d = 5½, 4½, 3½, 2½.
    #expect(try last(of: 12, settings) == [6, 5, 4, 3].map { 11 - $0 })
  }

  @Test("the angular map turns clockwise from 12 o'clock") func clock() throws {
    let settings = Settings().with(\.map, .angular).with(\.depth, 9)
    let square = VideoCaps(format: "GRAY8", width: 3, height: 3)
    // Eighths of a turn; the middle pixel lies on the center.
    let eighths = [7, 0, 1, 6, 0, 2, 5, 4, 3]
    #expect(try last(of: 12, settings, square) == eighths.map { 11 - $0 })
  }

  @Test("the radial map is 1 at the farthest corner") func corner() throws {
    var settings = Settings().with(\.map, .radial).with(\.centerX, 0).with(\.centerY, 0.5)
    settings.depth = 11
    // The center is (0, 8), the farthest corners (6, 0) and (6, 16): 10 away.
    let caps = VideoCaps(format: "GRAY8", width: 6, height: 16)
    let frame = try last(of: 14, settings, caps)
    // (4½, 8½) is √20.5 away: d = 4.53.
    #expect(frame[8 * 6 + 4] == 13 - 5)
    // (5½, 15½) and (5½, ½) are √86.5 away: d = 9.30.
    #expect(frame[15 * 6 + 5] == 13 - 9)
    #expect(frame[0 * 6 + 5] == 13 - 9)
  }

  @Test("the two pixels of a packed 4:2:2 cell share its delay") func packedPairs() throws {
    let settings = Settings().with(\.angle, 90).with(\.depth, 5)
    let caps = VideoCaps(format: "YUY2", width: 4, height: 1)
    // Cells at X = 1 and 3: f = 1/4, 3/4.
    #expect(try last(of: 9, settings, caps) == [1, 1, 3, 3].map { 8 - $0 })
  }

  @Test("while frames are still missing, the warm-up shows", arguments: Settings.Warmup.allCases)
  func warmup(warmup: Settings.Warmup) throws {
    let settings = Settings().with(\.depth, 5).with(\.warmup, warmup)
    // Two frames of 100 and 101 are there, the delays are 1, 2, 3, 4.
    let late =
      switch warmup {
      case .hold: 100
      case .live: 101
      case .black, .transparent: 16
      }
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 4, further: ["colorimetry=2:3:5:1"])
    #expect(try last(of: 2, settings, caps, from: 100) == [100, late, late, late])
  }

  @Test("a strip scrolls, or starts again at the near end") func canvas() throws {
    var settings = Settings().with(\.mode, .strip)
    #expect(try last(of: 6, settings) == [2, 3, 4, 5])
    settings.canvas = .wrap
    #expect(try last(of: 6, settings) == [4, 5, 2, 3])
    // Frame 5 writes rows 2 and 3, as frames 1 and 3 did, and frame 4 rows 0 and 1.
    settings.slitWidth = 2
    #expect(try last(of: 6, settings) == [4, 4, 5, 5])
  }

  @Test("a corridor shows each line at its distance") func corridor() throws {
    var settings = Settings().with(\.mode, .strip).with(\.angle, 90).with(\.canvas, .corridor)
    settings.vanishingX = 0
    settings.canvasDepth = 10
    settings.warmup = .black
    let samples = try last(of: 100, settings, VideoCaps(format: "GRAY8", width: 64, height: 1))
    // The newest is at the right border, the one of ten frames ago at half the way, twice as far away, and that
    // of thirty frames ago at a quarter. Of those before the newest 64 there is none.
    #expect(samples[63] == 99)
    #expect([89, 90].contains(samples[32]) && [70, 71].contains(samples[16]))
    #expect(samples[5] < 35)
  }

  @Test("the lines of a wide slit keep their order") func wideSlit() throws {
    let settings = Settings().with(\.mode, .strip).with(\.slitWidth, 3).with(\.canvasLength, 3)
    let caps = VideoCaps(format: "GRAY8", width: 1, height: 5)
    var example = try WorkedExample(caps)
    #expect(try example.push([[10, 20, 30, 40, 50]], settings) == [[20, 30, 40]])
  }

  /// The first component of what comes out for the last of so many flat frames.
  private func last(
    of frames: Int, _ settings: Settings, _ caps: VideoCaps? = nil, from first: Int = 0
  ) throws -> [Int] {
    var example = try WorkedExample(caps ?? column)
    try example.push(flat: (first..<first + frames - 1).map(UInt16.init), settings)
    return try example.push(flat: UInt16(first + frames - 1), settings)[0].map(Int.init)
  }
}
