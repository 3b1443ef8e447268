// A stage whose clips open when a test wants it.

import GStreamer

@testable import SlitScanStage

/// A paper stage on which other clips wait until the test lets them go on.
actor SlowStage: Stage {
  nonisolated let parameters: Parameters
  nonisolated let presets: [String] = []
  /// The steps to other clips that have begun.
  private(set) var clips: [Int] = []
  private let paper: InMemoryStage
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  init() throws(StageError) {
    paper = try InMemoryStage()
    parameters = paper.parameters
  }

  func changeClip(by count: Int, ofSource index: Int) async {
    clips.append(count)
    guard !isOpen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func goOn() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func content(of preset: String) async throws(StageError) -> PresetContent {
    try await paper.content(of: preset)
  }
  func save(_ content: PresetContent, as preset: String) {}
  var time: ClockTime { get async { await paper.time } }
  func set(_ name: String, to value: Value) async throws(StageError) {
    try await paper.set(name, to: value)
  }
  func set(_ values: [String: Value]) async throws(StageError) { try await paper.set(values) }
  func drive(_ name: String, by drive: Drive?, tempo: Tempo) {}
  func value(of name: String) async -> Value { await paper.value(of: name) }
  func snapshot(to path: String) {}
  func startRecording(to path: String) {}
  func stopRecording() -> String { "" }
  func setBlack(_ isBlack: Bool) {}
}
