// A story of frames and settings: told to the element and to the reference, the ends compared.

import Reference

/// A stream of frames, the settings at each, and what is done between them.
struct Scenario: Sendable {
  /// A frame and what leads up to it.
  struct Step: Sendable {
    /// The element's settings from this frame on.
    var settings: Settings
    /// Whether the signal `reset` is emitted before the frame.
    var resets = false
    /// Running time of the frame, nanoseconds.
    var time: UInt64
    /// Where the frame's noise comes from.
    var noise: UInt64
    /// How the frame lies in memory.
    var arrangement = Arrangement.standard
    /// Whether the output is compared with the reference.
    var isChecked = true
  }

  var caps: VideoCaps
  /// Whether downstream offers buffers with wide strides and offsets.
  var paddedOutput = false
  var steps: [Step]

  /// Frames `interval` apart, always with the same settings.
  init(
    _ caps: VideoCaps, settings: Settings, frames: Int, interval: UInt64 = 33_333_333,
    seed: UInt64 = TestSeed.value
  ) {
    self.caps = caps
    steps = (0..<frames).map { number in
      Step(settings: settings, time: UInt64(number) * interval, noise: seed &+ UInt64(number))
    }
  }

  /// A story step by step.
  init(_ caps: VideoCaps, steps: [Step]) {
    self.caps = caps
    self.steps = steps
  }

  /// Tells the story; nil if the element did all that it should, else what went wrong.
  func failure() -> Failure? {
    var reached = 0
    do {
      let harness = try SlitScanHarness(caps, paddedOutput: paddedOutput)
      var reference = ReferenceModel(
        format: harness.format, width: caps.width, height: caps.height)
      for (number, step) in steps.enumerated() {
        reached = number
        if step.resets {
          harness.reset()
          reference.reset()
        }
        harness.set(step.settings)
        let frame = Frame.noise(
          width: caps.width, height: caps.height, format: harness.format, seed: step.noise)
        let output = try harness.push(
          frame, arranged: step.arrangement, noise: step.noise,
          metadata: BufferMetadata(presentationTime: UInt(step.time)))
        reference.take(frame, at: step.time, settings: step.settings)
        if step.isChecked, let mismatch = reference.mismatch(in: output.frame) {
          return Failure(step: number, reason: mismatch.description)
        }
      }
      return nil
    } catch {
      return Failure(step: reached, reason: "\(error)")
    }
  }

  /// What went wrong.
  struct Failure {
    /// Number of the frame.
    var step: Int
    var reason: String
  }
}

extension Scenario: CustomStringConvertible {
  /// The story frame by frame, each with the properties that change there.
  var description: String {
    var told = Dictionary(uniqueKeysWithValues: Settings().properties.map { ($0.name, $0.value) })
    let lines = steps.enumerated().map { number, step in
      var line = "  frame \(number) at \(step.time) ns, \(step.arrangement)"
      if step.resets { line += ", after reset" }
      for (name, value) in step.settings.properties where told[name] != value {
        told[name] = value
        line += " \(name)=\(value)"
      }
      return line
    }
    return ([caps.description + (paddedOutput ? ", padded output" : "")] + lines)
      .joined(separator: "\n")
  }
}
