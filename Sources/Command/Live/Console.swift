// The console displays a running show: the live screen in a terminal, plain lines in a pipe.

import LibC
import SlitScanStage
import SlitScanTerminal

/// The terminal of the command, if it has one; else what happens goes out line by line.
final class Console: Sendable {
  /// The keys that are pressed; nil without a terminal.
  let keys: AsyncStream<Key>?
  private let terminal: Terminal?
  private let printing: Task<Void, Never>?

  /// Takes the terminal, or begins to print.
  ///
  /// - Parameter changes: What is told, which a terminal shows on its screen instead.
  init(_ changes: consuming AsyncStream<Change>) {
    terminal = Terminal()
    keys = terminal?.keys
    guard terminal == nil else {
      printing = nil
      return
    }
    printing = Task {
      for await change in changes {
        guard let line = Self.line(change) else { continue }
        // The reader of the output may be gone; the show goes on.
        write(line + "\n", to: STDOUT_FILENO)
      }
    }
  }

  var room: (columns: Int, rows: Int) { terminal?.size ?? (0, 0) }

  func draw(_ lines: [ScreenLine]) { terminal?.show(lines) }

  /// The functions to call when the program is to stop for a while, and when it goes on; nil without a terminal.
  var pauses: (suspend: @Sendable () -> Void, resume: @Sendable () -> Void)? {
    guard let terminal else { return nil }
    return ({ terminal.suspend() }, { terminal.resume() })
  }

  func restore() { terminal?.restore() }

  /// Prints what is left to be said.
  ///
  /// - Parameter changes: What happened while the show ended, which its screen does not show any more.
  func finish(with changes: [Change]) async {
    // What was told before is printed all the same.
    printing?.cancel()
    await printing?.value
    guard terminal != nil else { return }
    for change in changes where Self.isAboutFiles(change) {
      if let line = Self.line(change) { print(line) }
    }
  }

  private static func isAboutFiles(_ change: Change) -> Bool {
    switch change {
    case .recorded, .recordingLost, .snapshot, .warning: true
    default: false
    }
  }

  private static func line(_ change: Change) -> String? {
    switch change {
    case .property(let name, let value): "\(name) \(Parameter.text(value))"
    case .driven(let name, let drive?): Move.drive(name, drive).line
    case .driven(let name, nil): "release \(name)"
    case .preset(let name): name.map { "preset \($0)" }
    case .presets, .sources, .mapImages, .assignments: nil
    case .deck(let deck, let name): "deck \(deck.rawValue) \(name)"
    case .crossfade(let place): "crossfade \(place)"
    case .source(let number): "source \(number)"
    case .mapSource(let number): "map-source \(number)"
    case .drawing(let isMap, let fade): "drawing is \(isMap ? "" : "not ")the map, fade \(fade) s"
    case .tempo(let tempo): "tempo \(tempo.beatsPerMinute)"
    case .followsSound(let follows): "follow-sound \(follows ? "on" : "off")"
    case .quantize(let beats): "quantize \(beats)"
    case .glide(let beats): "glide \(beats)"
    case .waiting(let kind, let change): change.map { "waiting \(kind) \($0.value)" }
    case .recording(let path): path.map { "recording \($0)" }
    case .framesLost: nil
    case .recorded(let path): "recorded \(path)"
    case .recordingLost(let path, let reason): "lost \(path): \(reason)"
    case .closeRequested: "Close the window again to end the show."
    case .snapshot(let path): "still \(path)"
    case .blackout(let isBlack): isBlack ? "black" : "video"
    case .warning(let text): "! \(text)"
    case .notice(let text): text
    }
  }
}
