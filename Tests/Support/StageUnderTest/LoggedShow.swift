// A show that is logged while it is played, and replayed.

import GStreamer
import SlitScanStage
import TemporaryFolder

/// A performance on an in-memory stage whose moves are written to a file.
package final class LoggedShow {
  package let folder = TemporaryFolder()
  package let clock = ManualClock()
  package let stage: InMemoryStage
  package let performance: Performance
  private let writing: Task<Void, Never>

  package init() async throws {
    stage = try InMemoryStage(clock: clock)
    performance = await Performance(on: stage, tempo: Tempo(120, from: clock.now), clock: clock)
    let log = try MoveLog(of: performance, to: folder.path + "/moves.txt")
    writing = Task { try? await log.run() }
  }

  /// The file, once everything that was done is in it.
  package func end() async throws -> MoveScript {
    writing.cancel()
    await writing.value
    return try MoveScript(file: folder.path + "/moves.txt")
  }

  /// Plays a script of the show again.
  ///
  /// - Returns: The results that differ.
  package func differences(from script: MoveScript) async throws -> [String] {
    let again = try await LoggedShow()
    let time = Task { [clock = again.clock] in while !Task.isCancelled { await clock.crank() } }
    try await again.performance.play(script)
    time.cancel()
    let (state, expected) = (await again.performance.state, await performance.state)
    let agreements = [
      "log": await again.stage.log == stage.log,
      "values": state.values == expected.values,
      "drives": state.drives == expected.drives,
      "quantize": state.quantize == expected.quantize,
      "blackout": state.isBlack == expected.isBlack,
      "tempo": abs(state.tempo.beatsPerMinute - expected.tempo.beatsPerMinute) < 0.001,
      "moves": try await again.end().entries.map(\.move) == script.entries.map(\.move),
    ]
    return agreements.filter { !$0.value }.keys.sorted()
  }
}

extension Performance {
  /// Performs moves, one after the other.
  package func performAll(_ moves: Move...) async throws(StageError) {
    for move in moves { try await perform(move) }
  }
}
