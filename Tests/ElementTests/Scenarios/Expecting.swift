// How tests say what they expect of scenarios.

import Reference
import Testing

/// Expects the element to do in this story what the reference does.
func expectReference(
  _ scenario: Scenario, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard scenario.failure() != nil else { return }
  let smallest = scenario.shrunk()
  guard let failure = smallest.failure() else {
    Issue.record(
      "fails, but not every time; \(TestSeed.advice)\n\(scenario)", sourceLocation: sourceLocation)
    return
  }
  Issue.record(
    """
    frame \(failure.step): \(failure.reason)
    \(TestSeed.advice), the story shrunk to
    \(smallest)
    """, sourceLocation: sourceLocation)
}

/// The formats of the element's sink template, and pictures in them.
enum Formats {
  /// All of them.
  static let all = supportedFormats()

  /// One of every kind: planar, semi-planar, packed, with alpha, 16-bit words, big-endian.
  static let samples = [
    "GRAY8", "I420", "NV12", "YUY2", "BGRA", "RGB", "A420", "AYUV", "Y41B", "P010_10LE",
    "I422_10BE", "Y210", "Y412_LE", "ARGB64_BE", "GBRA_12LE", "GRAY16_LE",
  ]

  /// Caps of black other than the format's default: full-range YUV, limited RGB.
  static func otherRange(_ caps: VideoCaps) throws -> VideoCaps {
    let format = try unsafe FormatDescription(videoInfo(of: caps))
    var caps = caps
    caps.further.append(
      format.colors == .rgb ? "colorimetry=2:1:7:1" : "colorimetry=1:3:5:1")
    return caps
  }
}
