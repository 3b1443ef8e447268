// Tests of the property `feedback`: output frames enter history again.

import Reference
import SeededGenerator
import Testing

@Suite("Feedback") struct FeedbackTests {
  private static let pixel = VideoCaps(format: "GRAY8", width: 1, height: 1)

  private static func fedBack(_ share: Double, depth: Int = 1) -> Settings {
    var settings = Settings().with(\.depth, depth).with(\.gain, 0).with(\.offset, 1)
    settings.feedback = share
    return settings
  }

  @Test("is between the frame and the output before") func share() throws {
    for (share, expected) in [
      (0.0, 100...100), (0.25, 123...125), (0.5, 148...150), (1, 198...200),
    ] {
      var example = try WorkedExample(Self.pixel)
      _ = try example.push(flat: 200, Self.fedBack(share))
      // Rounded towards what came in, by less than 2.55.
      let word = try example.push(flat: 100, Self.fedBack(share))[0][0]
      #expect(expected.contains(Int(word)), "feedback \(share)")
    }
  }

  @Test("dies away to the last bit", arguments: [0.3, 0.5, 0.9, 0.97])
  func diesAway(share: Double) throws {
    for (first, then) in [(UInt16(255), UInt16(0)), (0, 255), (10, 9), (9, 10)] {
      var example = try WorkedExample(Self.pixel)
      _ = try example.push(flat: first, Self.fedBack(share))
      // Unrounded, 0.97 would take 182 frames from 255 to 1, and would never end.
      try example.push(flat: Array(repeating: then, count: 200), Self.fedBack(share))
      #expect(try example.push(flat: then, Self.fedBack(share)) == [[then]])
    }
  }

  @Test("echoes after the delay") func echo() throws {
    var example = try WorkedExample(Self.pixel)
    let settings = Self.fedBack(0.5, depth: 3)
    try example.push(flat: Array(repeating: 0, count: 5), settings)
    _ = try example.push(flat: 200, settings)
    var words: [Int] = []
    for _ in 0..<9 { words.append(try Int(example.push(flat: 0, settings)[0][0])) }
    // Half of the flash goes in, comes out 2 frames later, goes in again with the next frame, and
    // so every 3 frames.
    for (number, word) in words.enumerated() {
      switch number {
      case 1: #expect((100...102).contains(word))
      case 4: #expect((48...51).contains(word))
      case 7: #expect((22...25).contains(word))
      default: #expect(word == 0, "frame \(number)")
      }
    }
  }

  @Test("begins with the second frame, and again after reset and after another mode")
  func begins() throws {
    var example = try WorkedExample(Self.pixel)
    let settings = Self.fedBack(1)
    #expect(try example.push(flat: 50, settings) == [[50]])
    example.reset()
    #expect(try example.push(flat: 100, settings) == [[100]])
    var sweep = settings
    sweep.mode = .sweep
    #expect(try example.push(flat: 150, sweep) == [[150]])
    #expect(try example.push(flat: 200, settings) == [[200]])
    #expect(try (198...200).contains(example.push(flat: 40, settings)[0][0]))
  }

  @Test("feeds back what left, mixed") func mixed() throws {
    var example = try WorkedExample(Self.pixel)
    var settings = Self.fedBack(1)
    settings.mix = 0
    // Dry, the frame before is what left.
    try example.push(flat: [10, 60, 110], settings)
    settings.mix = 1
    #expect(try (110...112).contains(example.push(flat: 200, settings)[0][0]))
  }

  @Test("scales, turns and moves what it feeds back around the centre") func moves() throws {
    // A dot right of the centre of 9×9 pixels, and where it is next; nil for nowhere.
    let cases: [(zoom: Double, degrees: Double, x: Double, y: Double, place: (x: Int, y: Int)?)] = [
      (1, 0, 0, 0, (6, 4)), (1, 90, 0, 0, (4, 6)), (1, -90, 0, 0, (4, 2)), (1, 180, 0, 0, (2, 4)),
      (2, 0, 0, 0, (8, 4)), (0.5, 0, 0, 0, (5, 4)), (0.5, 90, 1.0 / 9, 0, (5, 5)),
      (1, 0, -2.0 / 9, 1.0 / 9, (4, 5)), (2, 0, 2.0 / 9, 0, nil), (4, 0, 0, 0, nil),
    ]
    for (zoom, degrees, x, y, place) in cases {
      var settings = Self.fedBack(1).with(\.feedbackZoom, zoom).with(\.feedbackRotation, degrees)
      settings.feedbackX = x
      settings.feedbackY = y
      var example = try WorkedExample(VideoCaps(format: "GRAY8", width: 9, height: 9))
      func frame(with dot: (x: Int, y: Int)?) -> [UInt16] {
        var words = [UInt16](repeating: 0, count: 81)
        if let dot { words[9 * dot.y + dot.x] = 200 }
        return words
      }
      _ = try example.push([frame(with: (6, 4))], settings)
      let next = try example.push([frame(with: nil)], settings)[0]
      let brightest = next.indices.max { next[$0] < next[$1] }
      if let place {
        #expect(brightest == 9 * place.y + place.x && next.max() == 200, "\(zoom), \(degrees)")
      } else {
        #expect(next.max() == 0, "\(zoom), \(degrees)")
      }
    }
  }

  @Test("is nothing of a late frame that has a shutter, however short") func lateExposure() throws {
    for exposed in [
      Settings().with(\.shutter, 1.25), Settings().with(\.shutterDuration, 20_000_000),
    ] {
      var scenario = Scenario(
        VideoCaps(format: "BGRA", width: 20, height: 40), settings: exposed.with(\.depth, 1),
        frames: 2)
      scenario.steps[0].isLate = true
      scenario.steps[1].settings = Self.fedBack(0.5)
      try requireReference(scenario)
    }
  }

  @Test("takes the last frame that left when a frame is too late") func late() throws {
    for number in (0..<60).sampled() {
      var random = SeededGenerator(for: "late feedback \(number)")
      var settings = Settings(drawing: &random).with(\.depth, .random(in: 1...5, using: &random))
      settings.feedback = .random(in: 0.3...1, using: &random)
      var scenario = random.scenario(
        VideoCaps(format: "I420", width: 6, height: 5), settings: settings, frames: 12)
      for step in scenario.steps.indices { scenario.steps[step].isLate = random.chance(30) }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("may change at any frame, with everything else") func anything() throws {
    for number in (0..<400).sampled() {
      var random = SeededGenerator(for: "anything fed back \(number)")
      let formats = ["GRAY8", "I420", "BGRA", "GRAY16_LE"]
      try requireReference(
        scenario(VideoCaps(format: formats[number % 4], width: 6, height: 5), &random))
    }
  }

  private func scenario(_ caps: VideoCaps, _ random: inout SeededGenerator) -> Scenario {
    var settings = Settings(drawing: &random)
    settings.drawSweep(&random, frames: 6)
    settings.drawFeedback(&random)
    settings.depth = .random(in: 1...6, using: &random)
    settings.interpolation = random.any(Settings.Interpolation.self)
    settings.warmup = random.any(Settings.Warmup.self)
    var scenario = random.scenario(caps, settings: settings, frames: 12)
    for step in scenario.steps.indices {
      if random.chance(20) { settings.drawTime(&random) }
      if random.chance(20) { settings.drawShutter(&random) }
      if random.chance(30) { settings.drawMixture(&random) }
      if random.chance(10) { settings.freeze.toggle() }
      settings.mode = random.chance(85) ? .displace : random.any(Settings.Mode.self)
      scenario.steps[step].settings = settings
      scenario.steps[step].resets = random.chance(4)
      scenario.steps[step].isLate = random.chance(4)
    }
    scenario.bringMaps(&random)
    return scenario
  }
}
