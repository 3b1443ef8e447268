// Runs scenarios and requires the element to agree with the reference.

import ElementUnderTest
import Reference
import SeededGenerator

/// A scenario in which the element differed from the reference.
struct ScenarioError: Error, CustomStringConvertible { let description: String }

/// Requires the element to do in this scenario what the reference does.
func requireReference(_ scenario: Scenario) throws {
  guard let failure = scenario.failure() else { return }
  // There, a scenario takes too long to be run again and again.
  if ElementUnderTest.isOnGPU {
    throw ScenarioError(description: "frame \(failure.step): \(failure.reason)\n\(scenario)")
  }
  let smallest = scenario.shrunk()
  guard let failure = smallest.failure() else {
    throw ScenarioError(description: "fails, but not every time; \(TestSeed.advice)\n\(scenario)")
  }
  throw ScenarioError(
    description: """
      frame \(failure.step): \(failure.reason)
      \(TestSeed.advice), the scenario shrunk to
      \(smallest)
      """)
}

/// Requires the same of a random scenario, which gets what its maps need.
///
/// - Parameter onlyLast: Whether only the last output is compared: that of a large frame takes long.
func requireReference(
  _ scenario: Scenario, with random: inout SeededGenerator, onlyLast: Bool = false
) throws {
  var scenario = scenario
  if onlyLast {
    for step in scenario.steps.indices.dropLast() { scenario.steps[step].isChecked = false }
  }
  scenario.bringMaps(&random)
  try requireReference(scenario)
}

/// The formats of the element's sink template, and samples of them.
enum Formats {
  /// All of them.
  static let all = supportedFormats()

  /// One of every kind: planar, semi-planar, packed, with alpha, 16-bit words, big-endian.
  static let samples = [
    "GRAY8", "I420", "NV12", "YUY2", "BGRA", "RGB", "A420", "AYUV", "Y41B", "P010_10LE",
    "I422_10BE", "Y210", "Y412_LE", "ARGB64_BE", "GBRA_12LE", "GRAY16_LE",
  ].filter(all.contains)

  /// Caps of black other than the format's default: full-range YUV, limited RGB.
  static func otherRange(_ caps: VideoCaps) throws -> VideoCaps {
    let format = try unsafe FormatDescription(videoInfo(of: caps))
    var caps = caps
    caps.further.append(format.colors == .rgb ? "colorimetry=2:1:7:1" : "colorimetry=1:3:5:1")
    return caps
  }
}

extension SlitScanHarness {
  /// Pushes a frame of noise and requires what comes out to be what the reference says.
  func requireReference(
    _ reference: inout ReferenceModel, noise: UInt64, time: UInt64, settings: Settings
  ) throws {
    let frame = Frame.noise(
      width: reference.width, height: reference.height, format: format, seed: noise)
    let output = try push(
      frame, arranged: .default, noise: noise,
      metadata: BufferMetadata(presentationTime: UInt(time)))
    reference.take(frame, at: time, settings: settings)
    defer { reference.left(output.frame) }
    if let mismatch = reference.mismatch(in: output.frame) {
      throw ScenarioError(description: "frame at \(time) ns: \(mismatch)")
    }
  }
}
