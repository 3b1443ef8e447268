// Looks of a performance: presets, and the crossfader between two of them.

import GStreamer

extension Performance {
  /// The content of a preset.
  ///
  /// - Throws: ``StageError/Code/noSuchPreset``.
  package func content(of preset: String) async throws(StageError) -> PresetContent {
    try await stage.content(of: preset)
  }

  func load(_ name: String, beats: Double) async throws(StageError) {
    let name = Spelling(name, in: presets).match ?? name
    let content = try await stage.content(of: name)
    guard state.quantize > 0 else { return try await go(to: content, preset: name, beats: beats) }
    wait("preset", for: name) { performance throws(StageError) in
      try await performance.go(to: content, preset: name, beats: beats)
    }
  }

  /// - Parameter name: Nil for a number.
  /// - Returns: The name.
  func save(_ name: String?) async throws(StageError) -> String {
    let kind = name == nil ? WrittenFile.numberedPreset : .preset
    let name = try await nameToSave(name)
    let content = PresetContent(values: look, drives: state.drives)
    let save = { () async throws(StageError) in try await self.stage.save(content, as: name) }
    if presets.contains(name) { try await save() } else { try await write(kind, save) }
    let presets = names.withLock { names in
      if !names.contains(name) { names.append(name) }
      return names
    }
    broadcast.tell(.presets(presets))
    // Something may have been changed meanwhile.
    if content == PresetContent(values: look, drives: state.drives) { show(preset: name) }
    broadcast.tell(
      .notice("Saved as preset \(presets.firstIndex(of: name).map { $0 + 1 } ?? 0), \(name)"))
    return name
  }

  func nameToSave(_ name: String?) async throws(StageError) -> String {
    let presets = presets
    guard let name = name?.trimmingSpaces else {
      let free = (1...).lazy.map { "Saved \($0)" }.first { !presets.contains($0) } ?? "Saved"
      return try newName(free)
    }
    // What the file of presets, which has a line `[NAME]` for each, can hold.
    guard (1...64).contains(name.count), !name.hasPrefix("_"),
      !name.unicodeScalars.contains(where: {
        "[]".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
      })
    else {
      throw StageError(
        .badValue, "A preset has a name of 1 to 64 characters, without brackets.")
    }
    guard let match = Spelling(name, in: presets).match else { return try newName(name) }
    // A change to a preset of all programs cannot be undone.
    guard try await stage.content(of: match).drives != nil else {
      throw StageError(
        .badValue, "\(match) was not saved by a show, and stays as it is. Choose another name.")
    }
    return match
  }

  func newName(_ name: String) throws(StageError) -> String {
    guard presets.count < Self.presetLimit else {
      throw StageError(.badValue, "There are \(presets.count) presets already.")
    }
    return name
  }

  /// The most presets; others may save them, too.
  static let presetLimit = 500

  /// - Returns: The move that loads the same preset, whatever others there are.
  func nextPreset(_ count: Int) async throws(StageError) -> Move {
    guard !presets.isEmpty else { throw StageError(.noSuchPreset, "There are no presets.") }
    let index = state.preset.flatMap { presets.firstIndex(of: $0) }
    // From no preset, the first comes next, and the last comes before.
    let start = index ?? (count > 0 ? -1 : 0)
    let next = (start + count % presets.count + presets.count) % presets.count
    let (name, beats) = (presets[next], state.glide)
    try await load(name, beats: beats)
    return .preset(name, beats: beats)
  }

  /// The properties that presets hold, as they are.
  var look: [String: Value] {
    let names = Set(parameters.look.map(\.name))
    return goal.values.filter { names.contains($0.key) }
  }

  func put(_ name: String?, on deck: Deck) async throws(StageError) {
    var content = look
    var label = state.preset ?? "what was seen"
    if let name {
      label = Spelling(name, in: presets).match ?? name
      content = try await stage.content(of: label).values
    }
    decks[deck] = content
    state.decks[deck] = label
    broadcast.tell(.deck(deck, label))
  }

  func crossfade(to place: Double) async throws(StageError) {
    guard let a = decks[.a], let b = decks[.b] else {
      throw StageError(
        .badMove, "The crossfader needs a preset at each end: `deck a NAME` and `deck b NAME`.")
    }
    let place = min(max(place, 0), 1)
    var values: [String: Value] = [:]
    for (name, first) in a where state.drives[name] == nil {
      guard let parameter = parameters[name], let second = b[name] else { continue }
      let value = parameter.value(at: place, from: first, to: second)
      if value != state.values[name] || gliding[name] != nil { values[name] = value }
    }
    state.crossfade = place
    defer { broadcast.tell(.crossfade(state.crossfade)) }
    guard !values.isEmpty else { return }
    let ended = try await release(values.keys)
    history.remember(ended.before(goal), because: "crossfade", at: now)
    let preset = state.preset
    state.preset = nil
    try await apply(values, as: nil, after: preset)
  }

  /// Goes to a preset; where that says nothing of drives, those there are go on.
  func go(
    to content: PresetContent, preset: String?, beats: Double
  ) async throws(StageError) {
    let kept = content.drives == nil ? state.drives.merging(coming) { $1 } : [:]
    let ended = try await release(releasable.filter { kept[$0] == nil })
    history.remember(ended.before(goal), because: nil, at: now)
    let (presetBefore, noted, drives) = (state.preset, notes, content.drives ?? [:])
    // A move that comes meanwhile leaves the preset, and ends what moves.
    state.preset = preset
    coming.merge(drives) { $1 }
    let different = content.values.filter {
      kept[$0.key] == nil && state.values[$0.key] != $0.value
    }
    var atOnce = different
    if beats > 0 {
      for (name, value) in different.sorted(by: { $0.key < $1.key }) {
        guard let parameter = parameters[name], parameter.property.isControllable,
          parameter.reach != nil, notes[name] == noted[name],
          let number = Parameter.number(value)
        else { continue }
        atOnce[name] = nil
        glide(name, to: value, beats: beats)
        do throws(StageError) {
          try await stage.drive(name, by: .ramp(beats: beats, to: number), tempo: state.tempo)
        } catch {
          gliding[name] = nil
          agenda.remove("glide \(name)")
          complain(error.message, of: name)
        }
      }
    }
    try await apply(
      atOnce.filter { notes[$0.key] == noted[$0.key] }, drives, as: preset, after: presetBefore)
    // A button of it may have changed its light by itself.
    if preset == presetBefore, state.preset == preset { show(preset: preset) }
  }

  func show(preset: String?) {
    state.preset = preset
    broadcast.tell(.preset(preset))
  }
}
