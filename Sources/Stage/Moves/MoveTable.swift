// The table of moves: each is described here, once.

extension Move {
  /// The moves, in the order in which they are listed.
  ///
  /// From a row follow the lines of scripts and of MIDI maps, the OSC address, what other machines may do
  /// with it, and the lists of moves. What it does is in `Performance.act`.
  package static let table: [any MoveRow] = [
    TypedMoveRow(
      "set", [.look, .place], "sets properties, all with the same frame", MoveArguments.settings,
      make: { values in
        if values.count == 1, let (name, value) = values.first { return .set(name, value) }
        return .setAll(values)
      },
      take: { move in
        switch move {
        case .set(let name, let value): [name: value]
        case .setAll(let values): values
        default: nil
        }
      }),
    TypedMoveRow(
      "fade", [.look, .place], "sets a property to a place of its fader, from 0 to 1",
      MoveArguments.property, MoveArguments.place, make: Move.fade,
      take: { if case .fade(let name, let place) = $0 { (name, place) } else { nil } }),
    TypedMoveRow(
      "step", .look, "moves a property by some choices, or by hundredths of its fader",
      MoveArguments.property, MoveArguments.count, make: Move.step,
      take: { if case .step(let name, let count) = $0 { (name, count) } else { nil } }),
    TypedMoveRow(
      "toggle", .look, "turns a switch on or off", MoveArguments.property, make: Move.toggle,
      take: { if case .toggle(let name) = $0 { name } else { nil } }),
    TypedMoveRow(
      "reset", .look, "resets a property, or all of them, to the default",
      MoveArguments.property.optional, make: Move.reset,
      take: { if case .reset(let name) = $0 { name } else { nil } }),
    TypedMoveRow(
      "preset", .look, "loads a preset, over some beats, by default as many as glide says",
      MoveArguments.preset, MoveArguments.beats.optional, make: Move.preset,
      take: { if case .preset(let name, let beats) = $0 { (name, beats) } else { nil } }),
    TypedMoveRow(
      "next-preset", .look, "loads the preset that comes some places later", MoveArguments.count,
      make: Move.nextPreset,
      take: { if case .nextPreset(let count) = $0 { count } else { nil } }),
    TypedMoveRow(
      "save", [], "saves what is seen as a preset", MoveArguments.name.optional, make: Move.save,
      take: { if case .save(let name) = $0 { name } else { nil } }),
    TypedMoveRow(
      "deck", [], "puts a preset, or what is seen, on an end of the crossfader", MoveArguments.deck,
      MoveArguments.preset.optional, make: Move.deck,
      take: { if case .deck(let deck, let name) = $0 { (deck, name) } else { nil } }),
    TypedMoveRow(
      "crossfade", [.look, .place], "moves between deck a, at 0, and deck b, at 1",
      MoveArguments.place, make: Move.crossfade,
      take: { if case .crossfade(let place) = $0 { place } else { nil } }),
    TypedMoveRow(
      "source", [], "shows a source of the video, by a crossfade over some beats",
      MoveArguments.source,
      MoveArguments.beats.optional, make: Move.source,
      take: { if case .source(let number, let beats) = $0 { (number, beats) } else { nil } }),
    TypedMoveRow(
      "next-source", [], "shows the source that comes some places later", MoveArguments.count,
      make: Move.nextSource,
      take: { if case .nextSource(let count) = $0 { count } else { nil } }),
    TypedMoveRow(
      "map-source", [], "uses a source, or the strokes, as the map live",
      MoveArguments.mapSource, make: { $0 },
      take: { move in
        switch move {
        case .mapSource, .drawing(.mapSource): move
        default: nil
        }
      }),
    TypedMoveRow(
      "map-image", [.look, .slow], "uses an image of the folder of maps as the map",
      MoveArguments.mapImage,
      make: { .drawing(.image($0)) },
      take: { if case .drawing(.image(let name)) = $0 { name } else { nil } }),
    row(
      "next-map", [.look, .slow], "uses the next image of the folder of maps as the map",
      .drawing(.nextImage)),
    row(
      "previous-map", [.look, .slow], "uses the previous image of the folder of maps as the map",
      .drawing(.previousImage)),
    TypedMoveRow(
      "draw", .look, "draws a stroke on the map: 0 is now, 1 the oldest; places are from 0 to 1",
      MoveArguments.stroke, make: { .drawing(.stroke($0)) },
      take: { if case .drawing(.stroke(let stroke)) = $0 { stroke } else { nil } }),
    row("draw-clear", .look, "takes all strokes away", .drawing(.clear)),
    TypedMoveRow(
      "draw-fade", .place, "lets strokes fade to now, over some seconds; 0 is off",
      MoveArguments.fade, make: { .drawing(.fade($0)) },
      take: { if case .drawing(.fade(let seconds)) = $0 { seconds } else { nil } }),
    row("next-clip", .slow, "goes to the next clip of the playlist that is shown", .nextClip),
    row("previous-clip", .slow, "goes to the previous clip of the playlist", .previousClip),
    TypedMoveRow(
      "glide", .place, "sets the length of changes of preset and source; 0 is at once",
      MoveArguments.beats, make: Move.glide,
      take: { if case .glide(let beats) = $0 { beats } else { nil } }),
    TypedMoveRow(
      "snapshot", .file, "writes the next complete frame as an image",
      MoveArguments.file.optional, make: Move.snapshot,
      take: { if case .snapshot(let path) = $0 { path } else { nil } }),
    TypedMoveRow(
      "record", .file, "starts or stops recording", MoveArguments.turn, MoveArguments.file.optional,
      make: Move.record,
      take: { if case .record(let turn, let path) = $0 { (turn, path) } else { nil } }),
    TypedMoveRow(
      "keep", .file, "writes the input of the last seconds as a film, with its moves",
      MoveArguments.file.optional, make: Move.keep,
      take: { if case .keep(let path) = $0 { path } else { nil } }),
    TypedMoveRow(
      "blackout", [], "shows black, or the video again", MoveArguments.turn, make: Move.blackout,
      take: { if case .blackout(let turn) = $0 { turn } else { nil } }),
    TypedMoveRow(
      "output", .slow, "opens an output that was closed, or moves a window to a display",
      MoveArguments.output, MoveArguments.reopen, MoveArguments.display.optional,
      make: { number, _, display in .reopenOutput(number, display: display) },
      take: { move in
        if case .reopenOutput(let number, let display) = move { (number, (), display) } else { nil }
      }),
    row("tap", [], "taps the tempo", .tap),
    TypedMoveRow(
      "tempo", .place, "sets the tempo, and which beat it is now", MoveArguments.tempo,
      MoveArguments.beat.optional, make: Move.tempo,
      take: { if case .tempo(let tempo, let beat) = $0 { (tempo, beat) } else { nil } }),
    TypedMoveRow(
      "follow-sound", [], "lets the tempo follow the sound, until a tap or another tempo",
      MoveArguments.turn, make: Move.followSound,
      take: { if case .followSound(let turn) = $0 { turn } else { nil } }),
    TypedMoveRow(
      "quantize", .place,
      "delays changes of mode, map, preset and source to a multiple of beats; 0 is off",
      MoveArguments.beats, make: Move.quantize,
      take: { if case .quantize(let beats) = $0 { beats } else { nil } }),
    TypedMoveRow(
      "drive", .look, "animates a property", MoveArguments.property, MoveArguments.drive,
      make: Move.drive,
      take: { if case .drive(let name, let drive) = $0 { (name, drive) } else { nil } }),
    TypedMoveRow(
      "release", [], "stops the animation of a property", MoveArguments.property,
      make: Move.release,
      take: { if case .release(let name) = $0 { name } else { nil } }),
    TypedMoveRow(
      "midi-learn", [],
      "assigns the next MIDI control that is moved to a property, in the place of another; or none",
      MoveArguments.property.optional, MoveArguments.control.optional,
      MoveArguments.device.optional, make: Move.midiLearn,
      take: {
        if case .midiLearn(let name, let control, let device) = $0 {
          (name, control, device)
        } else {
          nil
        }
      }),
    TypedMoveRow(
      "midi-remove", [], "has a MIDI control do nothing, of one device or of all",
      MoveArguments.control, MoveArguments.device.optional, make: Move.midiRemove,
      take: { if case .midiRemove(let control, let device) = $0 { (control, device) } else { nil } }
    ),
    row("undo", [], "undoes the last change of the look", .undo),
    row("redo", [], "redoes the change last undone", .redo),
  ]

  /// A row without arguments.
  private static func row(
    _ name: String, _ traits: MoveTraits, _ summary: String, _ move: Move
  ) -> any MoveRow {
    TypedMoveRow(name, traits, summary, make: { move }, take: { $0 == move ? () : nil })
  }

  private static let rows = Dictionary(
    table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  package static func row(_ name: String) -> (any MoveRow)? { rows[name] }

  package var row: (any MoveRow)? { Self.table.first { $0.contains(self) } }

  var traits: MoveTraits { row?.traits ?? [] }

  var writesFile: Bool { traits.contains(.file) }

  /// Whether it takes as long as a disk or a network does.
  package var isSlow: Bool { !traits.isDisjoint(with: [.file, .slow]) }

  /// The target that it sets to an absolute value; nil for moves that are relative, or leave traces.
  ///
  /// Of several moves with one subject that wait, only the last counts.
  package var subject: String? {
    switch self {
    case .set(let name, _), .fade(let name, _): name
    case .setAll: nil
    default: row.flatMap { $0.traits.contains(.place) ? "/\($0.name)" : nil }
    }
  }

  /// The move as a visitor of its arguments leaves it.
  package func visited(by visitor: some MoveVisitor) throws(StageError) -> Move {
    var visitor: any MoveVisitor = visitor
    return try row?.visit(self, by: &visitor) ?? self
  }

  /// The forms of the lines, and what each move does, for lists.
  public static var descriptions: [(forms: [String], summary: String)] {
    table.map { ($0.forms, $0.summary) }
  }
}
