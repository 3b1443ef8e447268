// The input of the last seconds is kept as a film, and the moves of that time as a script that is rendered with it.

import GStreamer

extension Performance {
  func keep(_ path: String?) async throws(StageError) {
    guard films.isEmpty else {
      throw StageError(
        .notWritten, "The input is being written already. Keep it again when that is done.")
    }
    films.begin()
    defer { films.end() }
    try await write(.film) { () async throws(StageError) in try await writeFilm(path) }
  }

  private func writeFilm(_ path: String?) async throws(StageError) {
    let path = path.map { fileNames.free($0) } ?? fileNames.next("mkv")
    let (begin, isWhole) = try await stage.keep(to: path, from: recent.begin)
    let script = fileNames.free("\(path.dropLast(path.fileEnding.count))txt")
    try await stage.write(scriptText(from: begin, of: path, script), to: script)
    broadcast.tell(.recorded(path))
    guard !isWhole else { return }
    broadcast.tell(
      .warning(
        "\(path): frames are missing. They left the history before they were written, or the show ended: use a "
          + "longer --reserve, or wait for the film."))
  }

  /// Returns when no input is being written, or after a limit.
  package func finishKeeping(within limit: Duration) async {
    let end = films.untilEmpty()
    await Deadline(in: limit, on: clock).wait { for await _ in end {} }
  }

  /// The look at a time and the moves after it, as the text of a script that begins then.
  private func scriptText(
    from begin: ClockTime, of film: String, _ path: String
  ) async throws(StageError) -> String {
    let (since, before, after) = recent.parts(at: begin)
    let run = try await RehearsalRun(
      of: before, scan: [:], preset: nil, beatsPerMinute: state.tempo.beatsPerMinute, loudness: nil,
      until: begin - since)
    let script = MoveScript(await run.performance.lookMoves())
    let reserve = state.values["reserve"].map { Parameter.text($0) } ?? "0"
    return """
      # slitscan render \(Move.quoted(film)) -o FILM --replay \(Move.quoted(path)) --set reserve=\(reserve)
      \(script.text)\(after.text)
      """
  }

  /// Keeps a move that was done, where the picture depends on it.
  func remember(_ move: Move, at time: ClockTime) async {
    guard !isRehearsal else { return }
    switch move {
    case .undo, .redo:
      // They come back to values that may be from before a film.
      for move in await lookMoves() { recent.add(move, at: time) }
    case .release(let name):
      if let value = state.values[name] { recent.add(.set(name, value), at: time) }
    case .source, .nextSource, .nextClip, .previousClip, .snapshot, .record, .keep, .reopenOutput,
      .midiLearn, .midiRemove:
      break
    default: if let move = move.onAnyMachine { recent.add(move, at: time) }
    }
    if recent.needsLook { await beginChapter(at: await stage.time) }
  }

  func beginChapter(at time: ClockTime) async {
    guard !isRehearsal else { return }
    recent.beginChapter(at: time, await lookMoves())
  }

  /// The moves that bring a performance that begins into the middle of this one's glides and beats.
  ///
  /// Strokes are not among them.
  func lookMoves() async -> [Move] {
    var current: [String: Value] = [:]
    for name in moving { current[name] = await stage.value(of: name) }
    let tempo = state.tempo
    var moves: [Move] = [.tempo(tempo.beatsPerMinute, beat: tempo.beat(at: now))]
    for move in resumingMoves(with: current) {
      switch move {
      // The values are there; a glide is not where the preset is.
      case .preset, .source, .tempo: break
      default: if let move = move.onAnyMachine { moves.append(move) }
      }
    }
    if let freeze = state.values["freeze"] { moves.append(.set("freeze", freeze)) }
    for (name, target) in gliding.sorted(by: { $0.key < $1.key }) {
      guard let number = Parameter.number(target), let end = agenda.moment(of: "glide \(name)")
      else { continue }
      let beats = max(0, (end - now) / tempo.beat)
      moves.append(.drive(name, .ramp(beats: beats, to: number)))
    }
    for (kind, change) in state.waiting.sorted(by: { $0.key < $1.key }) {
      switch kind {
      case "preset": moves.append(.preset(change.value, beats: nil))
      case "source": break
      default: moves.append(.set(kind, .string(change.value)))
      }
    }
    if state.isBlack { moves.append(.blackout(.on)) }
    return moves
  }
}
