// Tests of the maps `luma` (the frame itself) and `image` (a file).

import Reference
import SeededGenerator
import Testing

@Suite("Image maps") struct ImageMapTests {
  @Test("a frame's luma delays it, black not at all and white the longest") func luma() throws {
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 5, height: 1))
    // A step of 255 is a frame.
    let settings = Settings().with(\.map, .luma).with(\.depth, 256)
    try example.push(flat: 10..<16, settings)
    let output = try example.push([[0, 1, 2, 5, 6]], settings)
    #expect(output == [[0, 15, 14, 11, 10]])
  }

  @Test("black and white are those of the caps") func limitedRange() throws {
    let caps = VideoCaps(format: "GRAY8", width: 5, height: 1, further: ["colorimetry=2:3:5:1"])
    var example = try WorkedExample(caps)
    // A step of 219 is a frame.
    var settings = Settings().with(\.map, .luma).with(\.depth, 220).with(\.warmup, .live)
    try example.push(flat: 100..<104, settings)
    #expect(try example.push([[0, 16, 17, 20, 255]], settings) == [[0, 16, 103, 100, 255]])
    // From 235 on f is 1, and from 125½ on it is nearer to that than to 0.
    settings.depth = 2
    #expect(try example.push([[234, 235, 255, 16, 0]], settings) == [[0, 16, 17, 16, 0]])
    #expect(try example.push([[16, 16, 16, 125, 126]], settings) == [[16, 16, 16, 125, 0]])
  }

  @Test("the luma of RGB is 54 red, 183 green and 19 blue") func red() throws {
    var example = try WorkedExample(VideoCaps(format: "RGB", width: 5, height: 1))
    let settings = Settings().with(\.map, .luma).with(\.depth, 257)
    try example.push(flat: 0..<200, settings)
    // Red, green, blue, black, red and blue.
    let output = try example.push(
      [[255, 0, 0, 0, 255], [0, 255, 0, 0, 0], [0, 0, 255, 0, 255]], settings)
    #expect(output[1] == [146, 17, 181, 0, 127])
  }

  @Test("a file is spread over the frame, and read as soon as there are frames")
  func image() throws {
    let settings = Settings().with(\.map, .image).with(\.depth, 256)
    for isDeep in [false, true] {
      let values: [UInt16] = [0, 2, 4, 6]
      let image = Frame(width: 4, height: 1, samples: [values.map { isDeep ? $0 * 257 : $0 }])
      var example = try WorkedExample(
        VideoCaps(format: "GRAY8", width: 4, height: 2), image: image, isDeep: isDeep)
      try example.push(flat: 0..<10, settings)
      let output = try example.push(flat: 10, settings)
      #expect(output == [[10, 8, 6, 4, 10, 8, 6, 4]], "16 bits: \(isDeep)")
    }
  }

  @Test("a 16-bit file keeps its bits") func deepImage() throws {
    var settings = Settings().with(\.map, .image).with(\.interpolation, .linear).with(\.depth, 2)
    // Between 100/255 and 101/255.
    let image = Frame(width: 2, height: 1, samples: [[25_828, 25_828]])
    var example = try WorkedExample(
      VideoCaps(format: "GRAY16_LE", width: 2, height: 1), image: image, isDeep: true)
    settings.gain = 10
    settings.offset = -3.9
    _ = try example.push(flat: 0, settings)
    // g = 25828/6553.5 − 3.9 = 0.0411, and so is d.
    let output = try example.push(flat: 60_000, settings)
    #expect(output[0].allSatisfy { (57_534 - 514...57_534 + 514).contains($0) })
  }

  @Test("without an image f is 0", arguments: [Settings.Map.image, .live])
  func nothing(map: Settings.Map) throws {
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 2, height: 2))
    var settings = Settings().with(\.map, map).with(\.depth, 3)
    try example.push(flat: 0..<5, settings)
    #expect(try example.push(flat: 5, settings) == [[5, 5, 5, 5]])
    settings.invert = true
    #expect(try example.push(flat: 6, settings) == [[4, 4, 4, 4]])
  }

  @Test("cells of chroma have what lies in their middle") func chroma() throws {
    let settings = Settings().with(\.map, .image).with(\.depth, 5)
    // Stripes of black and white: the middle of a 2×2 cell is grey.
    let image = Frame(width: 4, height: 2, samples: [[0, 255, 0, 255, 0, 255, 0, 255]])
    var example = try WorkedExample(VideoCaps(format: "I420", width: 4, height: 2), image: image)
    try example.push(flat: 0..<9, settings)
    let output = try example.push(flat: 9, settings)
    #expect(output == [[9, 5, 9, 5, 9, 5, 9, 5], [7, 7], [7, 7]])
  }

  @Test("a strip takes the pixel of each column whose f is nearest to the position")
  func strip() throws {
    var settings = Settings().with(\.mode, .strip).with(\.map, .luma).with(\.canvasLength, 1)
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 2, height: 4))
    // 102 of 255.
    settings.position = 0.4
    let frame: [[UInt16]] = [[0, 255, 100, 90, 200, 120, 255, 0]]
    #expect(try example.push(frame, settings) == [[100, 90]])
    // 153 of 255: the map is not inverted, the position is.
    settings.invert = true
    #expect(try example.push(frame, settings) == [[200, 120]])
  }

  @Test("a strip takes the uppermost pixel of several") func uppermost() throws {
    var settings = Settings().with(\.mode, .strip).with(\.map, .image).with(\.canvasLength, 1)
    settings.position = 20.0 / 255
    let image = Frame(width: 1, height: 4, samples: [[10, 20, 20, 10]])
    var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 1, height: 4), image: image)
    #expect(try example.push([[1, 2, 3, 4]], settings) == [[2]])
    // The lines above and below that pixel come along.
    settings.slitWidth = 3
    settings.canvasLength = 3
    #expect(try example.push([[1, 2, 3, 4]], settings) == [[1, 2, 3]])
  }

  @Test("a frame's luma delays it, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    for (number, mode) in Settings.Mode.allCases.enumerated() {
      for range in 0..<2 {
        var random = SeededGenerator(for: "luma \(format) \(mode) \(range)")
        var settings = Settings(drawing: &random)
        settings.drawSweep(&random, frames: 6)
        settings.drawStrip(&random, longest: 9)
        settings.mode = mode
        settings.map = .luma
        settings.depth = 9
        settings.interpolation = Settings.Interpolation.allCases[number % 2]
        let caps = VideoCaps(format: format, width: 9, height: 5)
        try requireReference(
          random.scenario(
            range == 0 ? caps : Formats.otherRange(caps), settings: settings, frames: 10))
      }
    }
  }
}
