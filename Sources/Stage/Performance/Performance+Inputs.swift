// Moves in the forms that inputs need; all of them call `perform`.

import GStreamer

extension Performance {
  /// Does a move, or announces a warning if it cannot be done.
  ///
  /// A move that waits for a frame or a disk holds up no other.
  public func play(_ move: Move) async {
    guard move.isSlow else { return await performOrTell(move) }
    // It counts from now on, and not from when its task has its turn.
    if move.writesFile { files.begin() }
    Task {
      await performOrTell(move)
      if move.writesFile { files.end() }
    }
  }

  /// - Parameter isAtItsTime: Whether it is one of a script, as in ``performAtItsTime(_:from:)``.
  func performOrTell(_ move: Move, isAtItsTime: Bool = false) async {
    do throws(StageError) {
      if isAtItsTime { try await performAtItsTime(move) } else { try await perform(move) }
    } catch {
      tell(.warning(error.message))
    }
  }

  /// Sets several properties with the same frame, as one change; what waits for a beat waits.
  ///
  /// - Throws: What is wrong with one of them; none is set then.
  public func set(_ values: [String: Value], from origin: Origin = .here) async throws(StageError) {
    if values.count == 1, let (name, value) = values.first {
      return try await perform(.set(name, value), from: origin)
    }
    try await perform(.setAll(values), from: origin)
  }

  /// Sets the tempo with a beat at a moment, for clocks of others.
  public func setTempo(_ tempo: Tempo) async throws(StageError) {
    startExternalClock()
    try await perform(.tempo(tempo.beatsPerMinute, beat: tempo.beat(at: now)))
  }
}
