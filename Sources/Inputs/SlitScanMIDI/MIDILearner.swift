// The MIDI learner finds the control that a performer moves to assign it to a property. A value.

import SlitScanStage

/// Listens for the control that is to move a property, and finds out what kind it is.
///
/// A control counts once it was clearly moved, so a fader that trembles is not taken for the one that is
/// meant. A switch is learned from a pad or button, too, and a choice; those go one on with each press.
struct MIDILearner: Sendable, Equatable {
  /// The least way of a control, as a part of the whole.
  static let distance = 1.0 / 12
  /// The events that an endless encoder needs.
  static let clicks = 8
  /// The most controls that are looked at.
  private static let limit = 1000

  /// The values that were heard of a control.
  private struct Trace: Sendable, Equatable {
    var values: Set<Int> = []
    var lowest = 1.0
    var highest = 0.0
    var last = -1
    var events = 0
    var repeats = 0
    /// The number of fine halves that came right after it.
    var fineHalves = 0

    mutating func add(_ event: MIDIEvent) {
      events += 1
      if event.value == last { repeats += 1 }
      last = event.value
      if values.count < 200 { values.insert(event.value) }
      lowest = min(lowest, event.place)
      highest = max(highest, event.place)
    }
  }

  let parameter: Parameter
  private var traces: [MIDIControl: Trace] = [:]
  private var last: MIDIControl?

  init(_ parameter: Parameter) { self.parameter = parameter }

  /// - Returns: The control that is meant and what it is to do; nil as long as that is not clear.
  mutating func handle(_ event: MIDIEvent) -> (MIDIControl, MIDIAction)? {
    let control = event.control
    defer { if case .controller = control.kind { last = control } }
    switch control.kind {
    case .note:
      guard event.isPressed, let action = press else { return nil }
      return (control, action)
    // The numbers that choose an (N)RPN are no movement.
    case .program, .pair, .controller(98...101): return nil
    case .controller(let number) where (32...63).contains(number):
      let coarse = MIDIControl(.controller(number - 32), channel: control.channel)
      // Where what is coarse was heard, too, it is the fine half of that.
      guard traces[coarse] == nil else {
        if last == coarse { traces[coarse]?.fineHalves += 1 }
        return nil
      }
    default: break
    }
    guard traces[control] != nil || traces.count < Self.limit else { return nil }
    traces[control, default: Trace()].add(event)
    guard let trace = traces[control] else { return nil }
    return find(control, trace)
  }

  /// The action of a press on the property; nil where it needs a way to go.
  private var press: MIDIAction? {
    guard !parameter.choices.isEmpty else { return nil }
    return .press(
      parameter.property.kind == .bool ? .toggle(parameter.name) : .step(parameter.name, 1))
  }

  private func find(_ control: MIDIControl, _ trace: Trace) -> (MIDIControl, MIDIAction)? {
    if case .controller = control.kind {
      if let encoder = encoder(trace) {
        return (control, .encoder(parameter.name, encoder, steps: 1))
      }
      if trace.values == [0, 127], let press { return (control, press) }
    }
    // A trembling one has few values, and a button only two.
    guard trace.values.count > 2, trace.highest - trace.lowest >= Self.distance,
      !isTurned(control, trace), !isData(control)
    else { return nil }
    let hasPickup = control.kind != .pitchBend && control.kind != .pressure
    let action = MIDIAction.fader(parameter.name, from: 0, to: 1, hasPickup: hasPickup)
    if case .controller(let number) = control.kind, number < 32, trace.fineHalves > 1 {
      return (MIDIControl(.pair(number), channel: control.channel), action)
    }
    return (control, action)
  }

  /// The kind of an endless encoder; nil where it is none, or may yet be none.
  ///
  /// Forward alone, it may be one kind or another: to be sure, it must be turned back, too.
  private func encoder(_ trace: Trace) -> MIDIEncoder? {
    // A fader that is moved does not say the same thing over and over.
    guard trace.events >= Self.clicks, trace.repeats * 2 >= trace.events else { return nil }
    let isForward = { (value: Int) in (1...8).contains(value) }
    if trace.values.allSatisfy({ isForward($0) || $0 >= 120 }) { return .twos }
    if trace.values.allSatisfy({ $0 != 64 && (56...72).contains($0) }) { return .offset }
    return trace.values.allSatisfy({ isForward($0) || isForward($0 - 64) }) ? .sign : nil
  }

  /// Whether it may be an endless encoder, of which too little was heard.
  private func isTurned(_ control: MIDIControl, _ trace: Trace) -> Bool {
    guard case .controller = control.kind else { return false }
    return trace.values.allSatisfy { $0 <= 8 || (56...72).contains($0) || $0 >= 120 }
  }

  /// Whether a controller is what data of a parameter comes in.
  private func isData(_ control: MIDIControl) -> Bool {
    guard case .controller(6) = control.kind else { return false }
    return traces.keys.contains {
      switch $0.kind {
      case .parameter, .registered: $0.channel == control.channel
      default: false
      }
    }
  }
}
