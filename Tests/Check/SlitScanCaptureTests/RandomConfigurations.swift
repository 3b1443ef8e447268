// Random capture configurations.

import GStreamer
import SeededGenerator

@testable import SlitScanCapture

/// Makes configurations and parts that do not open.
struct RandomConfigurations {
  let folder: String
  /// Whether everything comes as time goes by.
  var isLive = false

  private static let scans: [Scan] = [
    ["map": "radial", "depth": 5], ["map": "angular", "gain": 2, "edge": "mirror"],
    ["mode": "sweep", "sweep-loop": "loop", "sweep-duration": 200_000_000],
    ["depth": 20, "interpolation": "linear"],
    ["mix": 0.5], [:],
  ]

  /// A configuration whose parts all open.
  func make(_ random: inout some RandomNumberGenerator) -> [any CapturePart] {
    let pattern = ["ball", "smpte", "white"].randomElement(using: &random) ?? "ball"
    let width = [32, 64].randomElement(using: &random) ?? 32
    var parts: [any CapturePart] = [
      TestPattern(pattern, VideoRequest(width: width, height: 48, frameRate: 30), isLive: isLive)
    ]
    if Bool.random(using: &random) {
      parts.append(
        TestTone(
          frequency: Bool.random(using: &random) ? 440 : 880, isLive: true,
          delay: Bool.random(using: &random) ? .none : .center))
    }
    if let scan = Self.scans.randomElement(using: &random), Bool.random(using: &random) {
      parts.append(scan)
    }
    for sink in ["fakesink", "identity ! fakesink", "fakesink"] where Bool.random(using: &random) {
      parts.append(Preview(sink))
    }
    for name in ["a.mkv", "b.webm"] where Int.random(in: 0..<4, using: &random) == 0 {
      parts.append(Record(to: "\(folder)/\(name)"))
    }
    return parts.shuffled(using: &random)
  }

  /// A part that does not open, in the place of one that does.
  func spoil(
    _ parts: [any CapturePart], _ random: inout some RandomNumberGenerator
  ) -> [any CapturePart] {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: parts + [Preview("no-such-sink")]
    case 1: parts + [Record(to: "\(folder)/none/x.mkv")]
    case 2: parts.filter { !($0 is Scan) } + [Scan(["depth": 0])]
    case 3: parts.filter { !($0 is TestPattern) } + [VideoFile("\(folder)/none.mp4")]
    case 4: parts.filter { !($0 is TestTone) } + [TestTone("no-such-wave")]
    default: parts + [TestPattern()]
    }
  }
}

extension Element {
  /// Its structure: kinds, settings that are not the defaults, and links.
  var anatomy: [String] {
    let links = pads.filter { $0.direction == .source }.compactMap { $0.peer?.element?.factoryName }
    let settings = properties.filter { $0.isWritable && $0.isReadable }
      .compactMap { property -> String? in
        // Those that say what came by, or where it is.
        // Some sources change their block size by themselves, when they settle on a format.
        guard !["name", "parent", "blocksize"].contains(property.name),
          !(factoryName == "appsrc" && property.name == "caps"),
          let value = try? get(property.name, as: Value.self), value != property.defaultValue
        else { return nil }
        return "\(property.name)=\(value)"
      }
    let own = "\(factoryName) \(settings.sorted()) -> \(links.sorted())"
    return [own] + children.flatMap(\.anatomy).sorted()
  }
}

extension CaptureSession {
  /// The structure of the capture.
  var anatomy: [String] {
    get async {
      var result = ["state \(await capture.state)", "delay \(await capture.soundDelay)"]
      if let stream = await capture.stream { result += stream.pipeline.element.anatomy }
      var displays: [[String]] = []
      for display in await capture.previews.values {
        displays.append(await display.parts?.pipeline.element.anatomy ?? [])
      }
      result += displays.map { "preview \($0)" }.sorted()
      let recordings = await capture.recordings
      // A recording that began with sound has a place for it when there is none any more, or without.
      result += recordings.map {
        "recording \($0.path) \(String(describing: $0.recorder.settings.video))"
      }
      .sorted()
      return result
    }
  }
}
