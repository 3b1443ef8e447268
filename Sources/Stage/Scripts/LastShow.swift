// The last show is a file that says how a show was started and where it was, so that it can go on after a crash.

import FoundationEssentials
import GStreamer
import SlitScanCapture

/// The words that a show was started with, and the moves that bring it to where it was.
///
/// The file is a script with a head: moves with the time 0, and before them lines with the folder, the words that the
/// show was started with, and the time of its frames.
package struct LastShow: Sendable, Equatable {
  /// The words after `slitscan live`.
  package var arguments: [String]
  /// The folder in which it was started.
  package var folder: String
  /// The time of its newest frame, since the first.
  package var time = ClockTime.zero
  /// The moves, see ``Performance/resumingMoves``.
  package var moves: [Move] = []

  /// A show that begins.
  package init(arguments: [String], folder: String) {
    self.arguments = arguments
    self.folder = folder
  }

  /// The path of the file.
  package static func path(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String { settingsFolder(environment) + "/last-show" }

  /// The words that begin the lines of the head.
  private enum Head: String { case folder, arguments, time }

  /// A show from the text of a file.
  ///
  /// - Throws: ``StageError/Code/badFile``.
  package init(_ text: String) throws(StageError) {
    self.init(arguments: [], folder: "")
    var script = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let words = Move.words(of: String(line)) ?? []
      switch words.first.flatMap({ Head(rawValue: $0) }) {
      case .folder?: folder = words.dropFirst().first ?? ""
      case .arguments?: arguments = Array(words.dropFirst())
      case .time?:
        time = .seconds(min(max(words.dropFirst().first.flatMap { Double($0) } ?? 0, 0), 1e9))
      case nil: script += line + "\n"
      }
    }
    moves = try MoveScript(script).entries.map(\.move)
    guard !folder.isEmpty else {
      throw StageError(.badFile, "It does not say in which folder the show was started.")
    }
  }

  /// The text of the file.
  package var text: String {
    func line(_ head: Head, _ words: [String]) -> String {
      ([head.rawValue] + words.map { Move.quoted($0) }).joined(separator: " ") + "\n"
    }
    return "# The last show of slitscan live; `slitscan live --resume` plays it again.\n"
      + line(.folder, [folder]) + line(.arguments, arguments) + line(.time, ["\(time.seconds)"])
      + script.text
  }

  /// The last show of this user.
  ///
  /// - Throws: ``StageError/Code/badFile`` where there is none.
  package init(file path: String) throws(StageError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw StageError(
        .badFile,
        "There is no show to resume: \(path) does not exist. Start one, as `slitscan live clip.mp4`."
      )
    }
    guard let data = FileManager.default.contents(atPath: path), let text = String(textFile: data)
    else { throw StageError(.badFile, "\(path) cannot be read, or is not UTF-8.") }
    do throws(StageError) {
      try self.init(text)
    } catch {
      throw StageError(.badFile, "\(path): \(error.message)")
    }
  }

  /// The moves as a script that is over as soon as it begins.
  package var script: MoveScript { MoveScript(moves) }

  /// Writes the file as a whole, whenever something has changed, but at most once a second; until the task is
  /// cancelled.
  ///
  /// - Parameter head: How the show was started, and the time at which it goes on.
  package static func follow(
    _ performance: Performance, from head: LastShow, to path: String, on clock: any SteadyClock
  ) async {
    let changes = performance.changes
    let (wishes, wish) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    wish.yield()
    let listening = Task {
      for await _ in changes { wish.yield() }
      wish.finish()
    }
    defer { listening.cancel() }
    var isWritten = true
    for await _ in wishes {
      if isWritten { isWritten = await performance.write(head, to: path) }
      try? await clock.sleep(for: .seconds(1))
    }
    if isWritten { _ = await performance.write(head, to: path) }
  }
}

extension MoveScript {
  /// The moves after a time, as if that were the beginning.
  package func rest(after time: ClockTime) -> MoveScript {
    guard time > .zero else { return self }
    var rest = MoveScript()
    for entry in entries where entry.time > time {
      rest.append(Entry(entry.time - time, entry.move))
    }
    return rest
  }
}

extension Performance {
  /// - Returns: Whether the file is written; else a message says why not.
  fileprivate func write(_ head: LastShow, to path: String) async -> Bool {
    var show = head
    show.time = head.time + (await stage.time)
    show.moves = resumingMoves
    do throws(StageError) {
      try show.text.write(toFile: path)
      return true
    } catch {
      tell(.notice("This show cannot be resumed later: \(error.message)"))
      return false
    }
  }

  /// The moves that bring a performance that begins to the state that this one is in.
  ///
  /// The video runs and is seen then: neither `freeze` nor black is among them. Strokes are not, either.
  package var resumingMoves: [Move] { resumingMoves(with: [:]) }

  /// - Parameter current: Values that are other than those which the properties glide to.
  func resumingMoves(with current: [String: Value]) -> [Move] {
    let state = goal
    var moves: [Move] = []
    for deck in Deck.allCases {
      guard let label = state.decks[deck], let content = decks[deck] else { continue }
      if presets.contains(label) {
        moves.append(.deck(deck, label))
      } else {
        moves += [.setAll(content), .deck(deck, nil)]
      }
    }
    if decks.count == Deck.allCases.count { moves.append(.crossfade(state.crossfade)) }
    let values = state.values.merging(current) { _, current in current }
    moves.append(.setAll(values.filter { isResumed($0.key) }))
    for (name, drive) in state.drives.sorted(by: { $0.key < $1.key }) {
      // A ramp arrives where its property is already.
      if case .ramp = drive { continue }
      moves.append(.drive(name, drive))
    }
    if let preset = state.preset, presets.contains(preset) {
      moves.append(.preset(preset, beats: 0))
    }
    if !sources.isEmpty { moves.append(.source(state.source, beats: 0)) }
    if let number = state.mapSource { moves.append(.mapSource(number)) }
    if state.drawing.fade > 0 { moves.append(.drawing(.fade(state.drawing.fade))) }
    moves.append(.tempo(state.tempo.beatsPerMinute))
    if state.followsSound { moves.append(.followSound(.on)) }
    moves += [.glide(state.glide), .quantize(state.quantize)]
    return moves
  }

  private func isResumed(_ name: String) -> Bool {
    // The reserve follows from the option and the frames.
    guard name != "freeze", name != "reserve", let property = parameters[name]?.property else {
      return false
    }
    return property.isWritable
  }
}
