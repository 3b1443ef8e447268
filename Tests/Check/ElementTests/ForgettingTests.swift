// Tests of what clears history: the signal `reset`, a flush, new caps.

import Reference
import SeededGenerator
import Testing

@Suite("Forgetting") struct ForgettingTests {
  @Test("by the signal reset is complete", arguments: Settings.Mode.allCases)
  func reset(mode: Settings.Mode) throws {
    for number in (0..<100).sampled() {
      var random = SeededGenerator(for: "reset \(mode) \(number)")
      let settings = Settings(drawing: &random, mode: mode, longest: 17)
      var scenario = random.scenario(
        VideoCaps(format: "A420", width: 17, height: 5), settings: settings, frames: 16)
      for step in scenario.steps.indices { scenario.steps[step].resets = random.chance(20) }
      try requireReference(scenario, with: &random)
    }
  }

  @Test("by a flush is as complete as by reset", arguments: Settings.Mode.allCases)
  func flush(mode: Settings.Mode) throws {
    let settings = Settings().with(\.mode, mode).with(\.depth, 4)
    let caps = VideoCaps(format: "GRAY8", width: 3, height: 4)
    let harness = try SlitScanHarness(caps)
    harness.set(settings)
    var reference = ReferenceModel(format: harness.format, width: caps.width, height: caps.height)
    try require(&reference, frames: 0..<4, of: harness, settings)
    harness.flush()
    reference.reset()
    try require(&reference, frames: 4..<8, of: harness, settings)
  }

  @Test("by other caps is as complete as by reset", arguments: Settings.Mode.allCases)
  func capsChange(mode: Settings.Mode) throws {
    let settings = Settings().with(\.mode, mode).with(\.depth, 4)
    let harness = try SlitScanHarness(VideoCaps(format: "I420", width: 3, height: 4))
    harness.set(settings)
    for (number, size) in [(3, 4), (17, 5), (3, 4)].enumerated() {
      let caps = VideoCaps(format: "I420", width: size.0, height: size.1)
      if number > 0 { try harness.push(caps: caps) }
      var reference = ReferenceModel(format: harness.format, width: caps.width, height: caps.height)
      try require(&reference, frames: 6 * number..<6 * number + 6, of: harness, settings)
    }
  }

  /// What caps may say anew of the same pixels.
  private static let sayings: [(framerate: String, further: [String])] = [
    ("30/1", []), ("25/1", []), ("25/1", ["pixel-aspect-ratio=2/1"]),
    ("25/1", ["pixel-aspect-ratio=2/1", "colorimetry=bt709"]),
    ("0/1", ["multiview-mode=right", "interlace-mode=interleaved"]), ("30/1", []),
  ]

  @Test("by caps of the same pixels does not happen", arguments: Settings.Mode.allCases)
  func capsOfTheSamePixels(mode: Settings.Mode) throws {
    var settings = Settings().with(\.mode, mode).with(\.depth, 4).with(\.interpolation, .linear)
    settings.feedback = 0.3
    var caps = VideoCaps(format: "I420", width: 7, height: 6)
    let harness = try SlitScanHarness(caps)
    harness.set(settings)
    var reference = ReferenceModel(format: harness.format, width: caps.width, height: caps.height)
    for (number, saying) in Self.sayings.enumerated() {
      (caps.framerate, caps.further) = saying
      if number > 0 { try harness.push(caps: caps) }
      try require(&reference, frames: 3 * number..<3 * number + 3, of: harness, settings)
    }
  }

  /// What is black differs, too: an empty strip is none of what the reference knows.
  @Test(
    "by caps of another range of the samples is complete",
    arguments: [Settings.Mode.displace, .sweep])
  func capsOfAnotherRange(_ mode: Settings.Mode) throws {
    let settings = Settings().with(\.mode, mode).with(\.depth, 4)
    var caps = VideoCaps(format: "I420", width: 7, height: 6, further: ["colorimetry=bt601"])
    let harness = try SlitScanHarness(caps)
    harness.set(settings)
    for number in 0..<2 {
      if number > 0 {
        caps.further = ["colorimetry=1:4:0:4"]
        try harness.push(caps: caps)
      }
      var reference = ReferenceModel(format: harness.format, width: caps.width, height: caps.height)
      try require(&reference, frames: 5 * number..<5 * number + 5, of: harness, settings)
    }
  }

  /// Requires what the reference says of some frames of noise.
  private func require(
    _ reference: inout ReferenceModel, frames: Range<Int>, of harness: SlitScanHarness,
    _ settings: Settings
  ) throws {
    for frame in frames.map(UInt64.init) {
      try harness.requireReference(
        &reference, noise: frame, time: frame * 33_333_333, settings: settings)
    }
  }
}
