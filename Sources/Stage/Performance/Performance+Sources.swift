// Sources of a performance: which one is shown, and which one is the map.

import GStreamer

extension Performance {
  func index(ofSource number: Int) throws(StageError) -> Int {
    guard number > 0, sources.indices.contains(number - 1) else {
      throw StageError(
        .badMove,
        sources.isEmpty
          ? "There is only one source. Start with several, such as a.mp4 b.mp4."
          : "There is no source \(number). The sources are 1 to \(sources.count).")
    }
    return number - 1
  }

  func show(_ number: Int, beats: Double) async throws(StageError) {
    let index = try index(ofSource: number)
    guard state.quantize > 0 else { return try await change(to: index, beats: beats) }
    wait("source", for: "\(number)") { performance throws(StageError) in
      try await performance.change(to: index, beats: beats)
    }
  }

  func change(to index: Int, beats: Double) async throws(StageError) {
    try await stage.showSource(index, over: ClockTime(state.tempo.duration(ofBeats: beats)))
    state.source = index + 1
    broadcast.tell(.source(index + 1))
  }
}
