// A stage with two presets of its own, which only records what it is told.

import GStreamer

@testable import SlitScanStage

/// A stage that has two presets of its own, and only remembers.
actor PresetStage: Stage {
  nonisolated let parameters: Parameters
  nonisolated let presets = ["Vortex", "Time Warp"]
  private var values: [String: Value]
  private var saved: [String: PresetContent] = [:]

  init() throws(StageError) {
    parameters = try InMemoryStage().parameters
    values = Self.defaults(parameters)
  }

  private static func defaults(_ parameters: Parameters) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: parameters.all.map { ($0.name, $0.property.defaultValue) })
  }

  func content(of preset: String) throws(StageError) -> PresetContent {
    if let content = saved[preset] { return content }
    guard presets.contains(preset) else {
      throw StageError(.noSuchPreset, "There is no preset \(preset).")
    }
    let own = ["gain": Value.double(preset == "Vortex" ? 5 : 6)]
    return PresetContent(
      values: Self.defaults(parameters).merging(own) { $1 }, drives: nil)
  }

  func save(_ content: PresetContent, as preset: String) { saved[preset] = content }

  var time: ClockTime { .zero }
  func set(_ name: String, to value: Value) { values[name] = value }
  func set(_ values: [String: Value]) { self.values.merge(values) { $1 } }
  func drive(_ name: String, by drive: Drive?, tempo: Tempo) {}
  func value(of name: String) -> Value { values[name] ?? .none }
  func snapshot(to path: String) {}
  func startRecording(to path: String) {}
  func stopRecording() -> String { "" }
  func setBlack(_ isBlack: Bool) {}
}
