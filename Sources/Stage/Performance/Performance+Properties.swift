// Properties of a performance: values that are set, stepped and switched.

import GStreamer

extension Performance {
  /// Sets properties with the same frame, those that wait for a beat each at its own.
  func change(_ values: [String: Value]) async throws(StageError) {
    var fitting: [String: Value] = [:]
    for (name, value) in values { fitting[name] = try parameters.find(name).fit(value) }
    let quantized = state.quantize > 0 ? fitting.filter { Self.isQuantized($0.key) } : [:]
    for (name, value) in quantized.sorted(by: { $0.key < $1.key }) {
      wait(name, for: Parameter.text(value)) { performance throws(StageError) in
        try await performance.put([name: value])
      }
    }
    try await put(fitting.filter { quantized[$0.key] == nil })
  }

  /// - Parameter standsAlone: Whether it is one change to undo, however soon it follows another.
  func put(_ values: [String: Value], standsAlone: Bool = false) async throws(StageError) {
    guard !values.isEmpty else { return }
    let ended = try await release(values.keys)
    let reason = standsAlone ? nil : values.keys.sorted().joined(separator: " ")
    history.remember(ended.before(goal), because: reason, at: now)
    let preset = state.preset
    state.preset = nil
    try await apply(values, as: nil, after: preset)
  }

  /// Sets properties with the same frame, and then has properties move by themselves.
  ///
  /// The state has the values before that, so that it goes by the newest of several changes that are under way. They
  /// are told once the stage has them.
  ///
  /// - Parameters:
  ///   - drives: They are among those that are coming already, where a move that comes meanwhile ends them.
  ///   - preset: The preset of the state by now.
  ///   - presetBefore: The preset of the state before, which comes back where this fails.
  func apply(
    _ values: [String: Value], _ drives: [String: Drive] = [:], as preset: String?,
    after presetBefore: String?
  ) async throws(StageError) {
    let before = state.values
    for (name, value) in values {
      notes[name, default: 0] += 1
      state.values[name] = value
    }
    let noted = notes
    do throws(StageError) {
      if values.count == 1, let (name, value) = values.first {
        // At once, beside whatever change waits for its turn.
        try await stage.set(name, to: value)
      } else {
        try await stage.set(values)
      }
    } catch {
      for name in values.keys where notes[name] == noted[name] {
        if let value = before[name] { note(name, value) }
      }
      for (name, drive) in drives where coming[name] == drive { coming[name] = nil }
      if state.preset == preset { show(preset: state.values == before ? presetBefore : nil) }
      throw error
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where state.values[name] == value && before[name] != value {
      broadcast.tell(.property(name, value))
    }
    for (name, drive) in drives.sorted(by: { $0.key < $1.key }) where coming[name] == drive {
      coming[name] = nil
      gliding[name] = nil
      agenda.remove("glide \(name)")
      do throws(StageError) {
        try await begin(drive, of: name)
      } catch {
        // It was saved where there was sound, say. The rest is there all the same.
        complain(error.message, of: preset.map { Move.preset($0, beats: nil).line } ?? name)
      }
    }
    if preset != presetBefore, state.preset == preset { broadcast.tell(.preset(preset)) }
  }

  func note(_ name: String, _ value: Value) {
    notes[name, default: 0] += 1
    guard state.values[name] != value else { return }
    state.values[name] = value
    broadcast.tell(.property(name, value))
  }

  func leavePreset() {
    guard state.preset != nil else { return }
    state.preset = nil
    broadcast.tell(.preset(nil))
  }

  func step(_ parameter: Parameter, by count: Int) async throws(StageError) {
    let now = await value(of: parameter.name)
    if !parameter.choices.isEmpty {
      let text = Parameter.text(now)
      let index = parameter.choices.firstIndex(of: text) ?? 0
      let next =
        (index + count % parameter.choices.count + parameter.choices.count)
        % parameter.choices.count
      return try await change([parameter.name: .string(parameter.choices[next])])
    }
    guard let place = parameter.place(of: now), let number = Parameter.number(now) else {
      throw noFader(parameter)
    }
    var value = parameter.value(at: place + Double(count) / 100) ?? now
    if value == now, let nearest = parameter.value(near: number + (count < 0 ? -1 : 1)) {
      // A hundredth of the way is less than 1 here.
      value = nearest
    }
    try await change([parameter.name: value])
  }

  func toggle(_ parameter: Parameter) async throws(StageError) {
    guard case .bool(let isOn) = state.values[parameter.name] else {
      throw StageError(
        .badValue, "\(parameter.name) is not a switch; it must be \(parameter.description).")
    }
    try await change([parameter.name: .bool(!isOn)])
  }

  func noFader(_ parameter: Parameter) -> StageError {
    StageError(.badValue, "\(parameter.name) has no fader; it must be \(parameter.description).")
  }
}
