// Drives of a performance: properties that swing, glide or follow the sound.

import GStreamer

extension Performance {
  func drive(_ parameter: Parameter, by drive: Drive) async throws(StageError) {
    guard parameter.reach != nil, parameter.property.isControllable else {
      throw StageError(.badValue, "\(parameter.name) cannot be animated.")
    }
    let ended = try await release([parameter.name])
    var ends: [Double] = []
    for number in drive.ends {
      ends.append(Parameter.number(try parameter.fit(.double(number))) ?? number)
    }
    let drive = drive.between(ends)
    let before = ended.before(goal)
    notes[parameter.name, default: 0] += 1
    try await begin(drive, of: parameter.name)
    history.remember(before, because: nil, at: now)
    guard state.drives[parameter.name] == drive else { return }
    if case .ramp(let beats, let number) = drive, let value = parameter.value(near: number) {
      glide(parameter.name, to: value, beats: beats)
    }
    leavePreset()
  }

  /// Has a property move by itself; a move that comes meanwhile finds it moving, and can end it.
  func begin(_ drive: Drive, of name: String) async throws(StageError) {
    state.drives[name] = drive
    do throws(StageError) {
      _ = try parameters.find(name)
      try await stage.drive(name, by: drive, tempo: state.tempo)
    } catch {
      if state.drives[name] == drive { state.drives[name] = nil }
      throw error
    }
    if state.drives[name] == drive { broadcast.tell(.driven(name, drive)) }
  }

  /// Lets a property be where it is going to be, once it is there.
  func glide(_ name: String, to value: Value, beats: Double) {
    gliding[name] = value
    later("glide \(name)", at: now + state.tempo.duration(ofBeats: beats)) { performance in
      await performance.arrive(name, at: value)
    }
  }

  func arrive(_ name: String, at value: Value) async {
    guard gliding[name] == value else { return }
    try? await stage.drive(name, by: nil, tempo: state.tempo)
    // Until it is there, a move that sets it to another value finds it gliding, and replaces the glide.
    guard gliding[name] == value else { return }
    try? await stage.set(name, to: value)
    guard gliding[name] == value else { return }
    gliding[name] = nil
    note(name, value)
    if state.drives.removeValue(forKey: name) != nil { broadcast.tell(.driven(name, nil)) }
  }

  struct EndedMotions {
    fileprivate var targets: [String: Value] = [:]
    fileprivate var drives: [String: Drive] = [:]

    /// The state before that, where a state is one after it.
    func before(_ state: PerformanceState) -> PerformanceState {
      var state = state
      state.values.merge(targets) { _, target in target }
      state.drives.merge(drives) { _, drive in drive }
      return state
    }
  }

  /// The properties that move, or are going to.
  var releasable: Set<String> { moving.union(coming.keys) }

  /// Ends what moves some properties; they stay where they are.
  func release(_ names: some Collection<String>) async throws(StageError) -> EndedMotions {
    var ended = EndedMotions()
    for name in names.sorted() where releasable.contains(name) {
      if state.drives[name] == nil { ended.targets[name] = gliding[name] }
      ended.drives[name] = coming[name] ?? state.drives[name]
      try await release(name)
    }
    return ended
  }

  /// Ends what moves a property; it stays where it is.
  func release(_ name: String) async throws(StageError) {
    coming[name] = nil
    let wasGliding = gliding.removeValue(forKey: name) != nil
    agenda.remove("glide \(name)")
    let wasDriven = state.drives.removeValue(forKey: name)
    guard wasGliding || wasDriven != nil else { return }
    let count = notes[name]
    try await stage.drive(name, by: nil, tempo: state.tempo)
    let value = await stage.value(of: name)
    // A newer value may have been set meanwhile.
    if notes[name] == count { note(name, value) }
    if wasDriven != nil { broadcast.tell(.driven(name, nil)) }
  }
}
