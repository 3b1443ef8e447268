// Tests of the property `reserve`: history that other depths, maps and modes leave as it is.

import Reference
import SeededGenerator
import Testing

@Suite("Reserve") struct ReserveTests {
  static let formats = ["GRAY8", "I420", "NV12", "YUY2", "BGRA", "I420_10LE"]
    .filter(Formats.all.contains)

  /// Something that the same look is set before and after.
  enum OtherSettings: CaseIterable { case depth, duration, map, sweep, strip, mix, freezing }

  @Test(
    "shows at once what would be seen had nothing changed", arguments: formats,
    OtherSettings.allCases)
  func comingBack(format: String, other: OtherSettings) throws {
    for interpolation in Settings.Interpolation.allCases {
      // The reference takes its time for that.
      if interpolation == .motion, format != "I420" { continue }
      var settings = Settings().with(\.depth, 12).with(\.map, .radial)
      settings.interpolation = interpolation
      var others = settings
      switch other {
      case .depth: others.depth = 2
      case .duration: others.duration = 50_000_000
      // Shows only two frames, which is what thinned history would hold.
      case .map: (others.map, others.gain) = (.linear, 0.1)
      case .sweep: others.mode = .sweep
      case .strip: others.mode = .strip
      case .mix: others.mix = 0
      case .freezing: (others.freeze, others.depth) = (true, 2)
      }
      let harness = try SlitScanHarness(VideoCaps(format: format, width: 20, height: 40))
      var reference = ReferenceModel(format: harness.format, width: 20, height: 40)
      for number in 0..<42 {
        let isOther = (14..<28).contains(number)
        var set = isOther ? others : settings
        set.reserve = 12
        harness.set(set)
        let frame = Frame.noise(width: 20, height: 40, format: harness.format, seed: UInt64(number))
        let output = try harness.push(
          frame, arranged: .default, noise: UInt64(number),
          metadata: BufferMetadata(presentationTime: UInt(number) * 33_333_333))
        // The reference sees every frame that entered history, with the same depth and no reserve.
        if set.freeze { continue }
        settings.history = .whole
        reference.take(frame, at: UInt64(number) * 33_333_333, settings: settings)
        guard !isOther else { continue }
        if let mismatch = reference.mismatch(in: output.frame) {
          throw ScenarioError(description: "frame \(number), \(interpolation): \(mismatch)")
        }
      }
    }
  }

  @Test(
    "begins a canvas as if it had been there for so many frames", arguments: formats,
    [Settings.Canvas.scroll, .wrap])
  func canvasBegins(format: String, canvas: Settings.Canvas) throws {
    var strip = Settings().with(\.mode, .strip).with(\.map, .radial).with(\.position, 0.4)
    (strip.canvas, strip.slitWidth) = (canvas, 3)
    let harness = try SlitScanHarness(VideoCaps(format: format, width: 20, height: 40))
    var reference = ReferenceModel(format: harness.format, width: 20, height: 40)
    for number in 0..<32 {
      // History thins out meanwhile, as a ramp of 20 frames is shown.
      var set = number < 26 ? Settings().with(\.depth, 20) : strip
      set.reserve = 9
      harness.set(set)
      let frame = Frame.noise(width: 20, height: 40, format: harness.format, seed: UInt64(number))
      let output = try harness.push(
        frame, arranged: .default, noise: UInt64(number),
        metadata: BufferMetadata(presentationTime: UInt(number) * 33_333_333))
      // The reference has the strip from the first frame of the reserve on.
      if number > 26 - 9 { reference.take(frame, at: UInt64(number) * 33_333_333, settings: strip) }
      guard number >= 26 else { continue }
      if let mismatch = reference.mismatch(in: output.frame) {
        throw ScenarioError(description: "frame \(number): \(mismatch)")
      }
    }
  }

  @Test("is there from the first frame on, in every mode", arguments: Settings.Mode.allCases)
  func fromTheBeginning(mode: Settings.Mode) throws {
    var settings = Settings().with(\.reserve, 8).with(\.depth, 8).with(\.mode, mode)
    settings.warmup = .black
    var scenario = Scenario(
      VideoCaps(format: "I420", width: 20, height: 40), settings: settings, frames: 14)
    settings.mode = .displace
    for step in 8..<14 { scenario.steps[step].settings = settings }
    try requireReference(scenario)
  }

  @Test("is what the definitions say, whatever else changes", arguments: formats)
  func anything(format: String) throws {
    for number in (0..<60).sampled() {
      var random = SeededGenerator(for: "reserve \(format) \(number)")
      try requireReference(scenario(format, &random))
    }
  }

  /// Times of rest in which history thins out, some with a reserve, with something else in between.
  private func scenario(_ format: String, _ random: inout SeededGenerator) -> Scenario {
    var settings = Settings().with(\.depth, 5).with(\.reserve, 6)
    var steps: [Settings] = []
    for _ in 0..<5 {
      settings.drawMap(&random)
      if random.chance(80) { settings.map = random.chance(50) ? .linear : .radial }
      settings.mapSmoothing = 0
      settings.depth = Int.random(in: 1...12, using: &random)
      if random.chance(40) {
        settings.reserve = random.chance(30) ? 0 : .random(in: 1...10, using: &random)
      }
      settings.drawTime(&random)
      if random.chance(30) { settings.drawShutter(&random) }
      if random.chance(60) { settings.duration = 0 }
      settings.interpolation = random.any(Settings.Interpolation.self)
      settings.warmup = random.any(Settings.Warmup.self)
      settings.history = random.any(Settings.History.self)
      settings.feedback = random.chance(80) ? 0 : 0.5
      settings.mode = random.chance(75) ? .displace : random.any(Settings.Mode.self)
      for _ in 0..<Int.random(in: 1...(3 * settings.depth), using: &random) {
        if random.chance(3) { settings.freeze.toggle() }
        steps.append(settings)
      }
      settings.freeze = false
    }
    return random.scenario(VideoCaps(format: format, width: 20, height: 40), steps: steps)
  }
}
