// Tests of the mode `strip`: the line of pixels at `position` of every frame, appended to a canvas.

import Reference
import SeededGenerator
import Testing

@Suite("Strip") struct StripTests {
  @Test("appends the slit to the canvas, in every format", arguments: Formats.all)
  func everyFormat(format: String) throws {
    let cases = [(1, 1, 2), (2, 1, 2), (1, 3, 3), (37, 1, 2), (1, 37, 2), (17, 5, 9), (64, 48, 1)]
      .flatMap { size in
        (0..<size.2).map { (size.0, size.1, $0) }
      }
    for (width, height, number) in cases.sampled() {
      var random = SeededGenerator(for: "strip \(format) \(width)×\(height) \(number)")
      var settings = Settings(drawing: &random).with(\.mode, .strip)
      settings.map = Settings.Map.allCases[number % Settings.Map.allCases.count]
      settings.drawStrip(&random, longest: max(width, height))
      settings.drawMemory(&random, longest: max(width, height))
      let caps = VideoCaps(format: format, width: width, height: height)
      let scenario = try random.scenario(
        random.chance(30) ? Formats.otherRange(caps) : caps, settings: settings,
        frames: width > 17 ? 8 : 20)
      try requireReference(scenario, with: &random)
    }
  }

  @Test("of a large frame appends the slit to the canvas", arguments: Formats.samples.sampled())
  func largeFrame(format: String) throws {
    for map in Settings.Map.allCases.sampled() {
      var random = SeededGenerator(for: "large strip \(format) \(map)")
      var settings = Settings(drawing: &random).with(\.mode, .strip).with(\.map, map)
      // Wide ones take long here, and have tests of their own.
      settings.mapSmoothing = min(settings.mapSmoothing, 2)
      settings.drawStrip(&random, longest: 385)
      settings.drawMemory(&random, longest: 385)
      let scenario = random.scenario(
        VideoCaps(format: format, width: 385, height: 289), settings: settings, frames: 3)
      try requireReference(scenario, with: &random, onlyLast: true)
    }
  }

  @Test("takes the middle line when nothing else is asked for", arguments: [6, 7])
  func middleLine(extent: Int) throws {
    let caps = VideoCaps(format: "GRAY8", width: extent, height: extent)
    var settings = Settings().with(\.mode, .strip)
    for (angle, isColumn) in [(0.0, false), (90, true), (180, false), (270, true), (-90, true)] {
      settings.angle = angle
      let harness = try SlitScanHarness(caps)
      harness.set(settings)
      let frame = Frame.noise(width: extent, height: extent, format: harness.format, seed: 1)
      let output = try harness.push(
        frame, arranged: .default, noise: 0, metadata: BufferMetadata(presentationTime: 0))
      for k in 0..<extent {
        let middle = extent / 2
        let expected = isColumn ? k * extent + middle : middle * extent + k
        let newest = isColumn ? k * extent + extent - 1 : (extent - 1) * extent + k
        #expect(
          output.frame.samples[0][newest] == frame.samples[0][expected], "\(angle)°, point \(k)")
      }
    }
  }

  @Test("grows downwards when the angle is as near to both ways", arguments: [45, 135, 225, 315])
  func diagonal(angle: Int) throws {
    var settings = Settings().with(\.mode, .strip)
    for turns in [-360, 0] {
      settings.angle = Double(angle + turns)
      settings.canvasLength = 3
      let harness = try SlitScanHarness(VideoCaps(format: "GRAY8", width: 6, height: 4))
      harness.set(settings)
      let frame = Frame.noise(width: 6, height: 4, format: harness.format, seed: 1)
      let output = try harness.push(
        frame, arranged: .default, noise: 0, metadata: BufferMetadata(presentationTime: 0))
      #expect(output.frame.width == 6 && output.frame.height == 3, "\(settings.angle)°")
    }
  }

  /// GStreamer's defaults for colours depend on the height of the frame: 576 rows are SD.
  @Test("keeps its colours however long the canvas is", arguments: [(4, 577), (600, 4)])
  func colors(height: Int, length: Int) throws {
    let settings = Settings().with(\.mode, .strip).with(\.canvasLength, length)
    for format in ["I420", "AYUV", "Y412_LE", "RGB", "GRAY8"] {
      let caps = VideoCaps(format: format, width: 4, height: height)
      let harness = try SlitScanHarness(caps)
      harness.set(settings)
      var reference = ReferenceModel(format: harness.format, width: 4, height: height)
      try harness.requireReference(&reference, noise: 1, time: 0, settings: settings)
      try #expect(harness.outputColors == harness.inputColors, "\(format)")
    }
  }

  @Test("empties the canvas when its size or the way it grows changes") func newCanvas() throws {
    for number in (0..<200).sampled() {
      var random = SeededGenerator(for: "new canvas \(number)")
      var settings = Settings(drawing: &random).with(\.mode, .strip)
      settings.drawStrip(&random, longest: 17)
      settings.drawMemory(&random, longest: 17)
      var scenario = random.scenario(
        VideoCaps(format: number % 2 == 0 ? "I420" : "BGRA", width: 17, height: 5),
        settings: settings, frames: 16)
      for step in scenario.steps.indices {
        if random.chance(30) {
          let canvas = settings.canvas
          settings.drawMap(&random)
          settings.drawStrip(&random, longest: 17)
          settings.drawMemory(&random, longest: 17)
          settings.canvas = canvas
        }
        scenario.steps[step].settings = settings
      }
      try requireReference(scenario, with: &random)
    }
  }
}
