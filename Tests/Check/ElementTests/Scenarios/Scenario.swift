// A scenario is a sequence of frames and settings that the element and the reference both run; their outputs must
// agree.

import Reference
import SeededGenerator

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
    /// Shown instead of the noise.
    var scene: MovingScene?
    /// The layout of the frame in memory.
    var arrangement = Arrangement.default
    /// Whether the output is compared with the reference.
    var isChecked = true
    /// Whether downstream says that the frame is too late, and nothing comes out.
    var isLate = false
  }

  var caps: VideoCaps
  /// Whether downstream offers buffers with wide strides and offsets.
  var paddedOutput = false
  /// The image at `map-location`, if there is one.
  var image: ImageDescription?
  /// The buffers of the pad `map`; nil without such a pad.
  var maps: [MapBuffer]?
  /// Whether the element has the pad `age`.
  var hasAges = false
  var steps: [Step] { didSet { useWholePairs() } }

  /// Frames `interval` apart, always with the same settings.
  init(
    _ caps: VideoCaps, settings: Settings, frames: Int, interval: UInt64 = 33_333_333,
    seed: UInt64 = TestSeed.value
  ) {
    let steps = (0..<frames).map { number in
      Step(settings: settings, time: UInt64(number) * interval, noise: seed &+ UInt64(number))
    }
    self.init(caps, steps: steps)
  }

  /// A scenario step by step.
  init(_ caps: VideoCaps, steps: [Step]) {
    self.caps = caps.forElement
    self.steps = steps
    useWholePairs()
  }

  /// The length of a canvas may be the width of what comes out.
  private mutating func useWholePairs() {
    guard caps.needsWholePairs else { return }
    for step in steps.indices where steps[step].settings.canvasLength % 2 == 1 {
      steps[step].settings.canvasLength += 1
    }
  }

  /// Runs the scenario; nil if the element did all that it should, else what went wrong.
  func failure() -> Failure? {
    var reached = 0
    do {
      let file = try image.map { try ImageFile($0) }
      let harness = try SlitScanHarness(
        caps, paddedOutput: paddedOutput, mapLocation: file?.path, maps: maps, hasAges: hasAges)
      var reference = try reference(format: harness.format)
      var ages = try hasAges ? ageModel(format: harness.format) : nil
      for (number, step) in steps.enumerated() {
        reached = number
        let last = harness.times
        if let mismatch = try run(step, on: harness, &reference)
          ?? check(step, on: harness, &ages, times: Array(harness.times.dropFirst(last.count)))
        {
          return Failure(step: number, reason: mismatch.description)
        }
      }
      return nil
    } catch {
      return Failure(step: reached, reason: "\(error)")
    }
  }

  /// A reference that knows all frames of the map.
  func reference(format: FormatDescription) throws -> ReferenceModel {
    var reference = try ReferenceModel(
      format: format, width: caps.width, height: caps.height,
      image: image.map { try MapImage($0.frame(), format: $0.format()) },
      frameDuration: caps.framerate == "0/1" ? nil : 1e9 / 30)
    for map in maps ?? [] {
      let (frame, format) = try map.frameAndFormat()
      reference.takeMap(MapImage(frame, format: format), at: map.time)
    }
    return reference
  }

  /// A model of the ages, which knows all frames of the map.
  private func ageModel(format: FormatDescription) throws -> AgeModel {
    var model = try AgeModel(
      format: format, width: caps.width, height: caps.height,
      image: image.map { try MapImage($0.frame(), format: $0.format()) },
      frameDuration: caps.framerate == "0/1" ? nil : 1e9 / 30)
    for map in maps ?? [] {
      let (frame, format) = try map.frameAndFormat()
      model.takeMap(MapImage(frame, format: format), at: map.time)
    }
    return model
  }

  /// Gives what is wrong with the ages of a step, if anything.
  private func check(
    _ step: Step, on harness: SlitScanHarness, _ model: inout AgeModel?, times: [UInt64]
  ) throws -> Mismatch? {
    guard model != nil else { return nil }
    if step.resets { model?.reset() }
    model?.take(frame(of: step, format: harness.format), at: step.time, settings: step.settings)
    let ages = try harness.pullAges()
    guard ages.map(\.time) == times else {
      return Mismatch(description: "ages of \(ages.map(\.time)) ns came out, expected \(times)")
    }
    guard step.isChecked else { return nil }
    for (rows, _) in ages {
      if let mismatch = model?.mismatch(in: rows, of: step.settings) { return mismatch }
    }
    return nil
  }

  /// The video of a step.
  func frame(of step: Step, format: FormatDescription) -> Frame {
    let (width, height) = (caps.width, caps.height)
    return if let scene = step.scene {
      .moving(scene, at: step.time, width: width, height: height, format: format)
    } else {
      .noise(width: width, height: height, format: format, seed: step.noise)
    }
  }

  /// Runs one step; gives what is wrong with the output, if anything.
  func run(
    _ step: Step, on harness: SlitScanHarness, _ reference: inout ReferenceModel
  ) throws -> Mismatch? {
    if step.resets {
      harness.reset()
      reference.reset()
    }
    harness.set(step.settings)
    let frame = frame(of: step, format: harness.format)
    let metadata = BufferMetadata(presentationTime: UInt(step.time))
    reference.take(frame, at: step.time, settings: step.settings)
    if step.isLate {
      harness.skip(until: step.time)
      reference.skip(until: step.time)
    }
    let outputs = try harness.pushAndPull(
      frame, arranged: step.arrangement, noise: step.noise, metadata: metadata)
    let times = outputs.map { UInt64($0.metadata.presentationTime) }
    let expected = reference.leaving()
    guard times == expected else {
      return Mismatch(description: "frames of \(times) ns came out, expected \(expected)")
    }
    guard let last = outputs.last else {
      reference.leftNothing()
      return nil
    }
    defer { reference.left(last.frame) }
    for output in outputs where step.isChecked {
      if let mismatch = reference.mismatch(in: output.frame) { return mismatch }
    }
    return nil
  }

  /// A failure of the element.
  struct Failure {
    /// Number of the frame.
    var step: Int
    var reason: String
  }
}

extension Scenario: CustomStringConvertible {
  /// The scenario frame by frame, each with the properties that change there.
  var description: String {
    var lines = [
      caps.description + (paddedOutput ? ", padded output" : "") + (hasAges ? ", with ages" : "")
    ]
    if let image { lines.append("  with \(image)") }
    for map in maps ?? [] {
      lines.append(
        "  map at \(map.time) ns for \(map.duration) ns, \(map.arrangement), "
          + map.caps.description)
    }
    if maps?.isEmpty == true { lines.append("  nothing through the pad map") }
    var last = Dictionary(uniqueKeysWithValues: Settings().properties.map { ($0.name, $0.value) })
    for (number, step) in steps.enumerated() {
      var line = "  frame \(number) at \(step.time) ns, \(step.arrangement)"
      if let scene = step.scene { line += ", \(scene)" }
      if step.isLate { line += ", too late" }
      if step.resets { line += ", after reset" }
      for (name, value, _) in step.settings.properties where last[name] != value {
        last[name] = value
        line += " \(name)=\(value)"
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
