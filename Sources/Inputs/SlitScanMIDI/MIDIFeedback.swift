// The MIDI feedback of a device: what its controls show, and what it is sent so that they show what is so. A value.

import GStreamer
import SlitScanStage

/// The values that a device's lights, rings and motor faders show.
///
/// A control is sent a value when it shows another one. A fader that the user moves gets no feedback until it
/// has been still for ``hold``, and then the current value, if that is not where it stands: so the motor never
/// works against the user. A button may light by itself while it is pressed, so each press and each release is
/// answered.
struct MIDIFeedback: Sendable, Equatable {
  /// The time for which a fader that was moved is left alone.
  static let hold = Duration.milliseconds(500)
  /// The time between two rounds.
  static let interval = Duration.milliseconds(40)
  /// The most bytes of a round: a cable carries 3,125 bytes a second.
  static let limit = 100

  /// The value that a control should show.
  struct Wish: Sendable, Equatable {
    /// The control as the map has it.
    let control: MIDIControl
    let value: Int
  }

  /// The value that was sent to a control, or came from it.
  private struct Shown: Sendable, Equatable {
    var value: Int
    var wasSent: Bool
  }

  private var shown: [MIDIControl: Shown] = [:]
  private var held: [MIDIControl: ContinuousClock.Instant] = [:]
  /// The channels on which controls were heard that the map has for any.
  private var channels: [MIDIControl: Int] = [:]

  /// Nothing is known of what the device shows.
  mutating func forget() { shown = [:] }

  /// - Parameter control: As the map has it.
  /// - Returns: Whether the user moved it: a motor fader may echo where it has been sent.
  mutating func hear(
    _ event: MIDIEvent, of control: MIDIControl, doing action: MIDIAction,
    at moment: ContinuousClock.Instant
  ) -> Bool {
    channels[control] = event.control.channel
    switch action {
    // It says how far it was turned, and not where it is.
    case .encoder: return true
    case .fader, .crossfade:
      if let known = shown[control], known.wasSent, known.value == event.value { return false }
      held[control] = moment + Self.hold
    case .press, .hold, .momentary, .presets: break
    }
    shown[control] = Shown(value: event.value, wasSent: false)
    return true
  }

  /// The messages that make the controls show what they should, for one round.
  ///
  /// - Parameter isRight: Whether a fader may stay where the user has put it: of choices and whole numbers,
  ///   each has several places.
  /// - Returns: The messages, which ``sent(_:)`` takes once they are sent, and whether there are more to come.
  func messages(
    for wishes: [Wish], at moment: ContinuousClock.Instant,
    isRight: (MIDIControl, Int) -> Bool = { _, _ in false }
  ) -> (messages: [(wish: Wish, bytes: [UInt8])], isMore: Bool) {
    var messages: [(wish: Wish, bytes: [UInt8])] = []
    var count = 0
    var isMore = false
    for wish in wishes {
      if let known = shown[wish.control],
        known.value == wish.value || !known.wasSent && isRight(wish.control, known.value)
      {
        continue
      }
      guard held[wish.control].map({ $0 <= moment }) ?? true else {
        isMore = true
        continue
      }
      let channel = wish.control.channel ?? channels[wish.control] ?? 1
      guard let bytes = wish.control.bytes(wish.value, channel: channel) else { continue }
      guard count + bytes.count <= Self.limit else {
        isMore = true
        break
      }
      count += bytes.count
      messages.append((wish, bytes))
    }
    return (messages, isMore)
  }

  mutating func sent(_ wishes: some Sequence<Wish>) {
    for wish in wishes { shown[wish.control] = Shown(value: wish.value, wasSent: true) }
  }
}

extension MIDIEvent {
  /// The value at a place from 0 to 1; what ``place`` is the place of.
  static func value(at place: Double, of control: MIDIControl) -> Int {
    let place = place.isFinite ? min(max(place, 0), 1) : 0
    let middle = (control.top + 1) / 2
    return place <= 0.5
      ? Int((place * Double(2 * middle)).rounded())
      : middle + Int(((place - 0.5) * Double(2 * (control.top - middle))).rounded())
  }
}

extension MIDIControl {
  /// The messages that a device is sent for a value; nil where there are none for such a control.
  ///
  /// A program is not sent: many devices would load another program of their own.
  fileprivate func bytes(_ value: Int, channel: Int) -> [UInt8]? {
    let channel = UInt8(min(max(channel, 1), 16) - 1)
    let coarse = UInt8(value >> 7 & 0x7f)
    let fine = UInt8(value & 0x7f)
    func controller(_ number: Int, _ value: UInt8) -> [UInt8] {
      [0xb0 | channel, UInt8(number & 0x7f), value]
    }
    switch kind {
    case .controller(let number): return controller(number, fine)
    case .pair(let number): return controller(number, coarse) + controller(number + 32, fine)
    case .parameter(let number):
      return controller(99, UInt8(number >> 7 & 0x7f)) + controller(98, UInt8(number & 0x7f))
        + controller(6, coarse) + controller(38, fine)
    case .registered(let number):
      return controller(101, UInt8(number >> 7 & 0x7f)) + controller(100, UInt8(number & 0x7f))
        + controller(6, coarse) + controller(38, fine)
    case .note(let number): return [0x90 | channel, UInt8(number & 0x7f), fine]
    case .pitchBend: return [0xe0 | channel, fine, coarse]
    case .keyPressure, .pressure, .program: return nil
    }
  }
}

// MARK: What controls should show

extension MIDIMap {
  /// The values that the controls of a device should show.
  ///
  /// - Parameter values: The values of properties at this moment.
  func wishes(
    _ state: PerformanceState, values: [String: Value], _ parameters: Parameters
  ) -> [MIDIFeedback.Wish] {
    controls.sorted { $0.text < $1.text }.compactMap { control in
      self[control]?.shown(by: control, state, values: values, parameters)
        .map { MIDIFeedback.Wish(control: control, value: $0) }
    }
  }

  /// Whether a fader would make of its property what that is from where it stands.
  func isRight(
    _ control: MIDIControl, at value: Int, values: [String: Value], _ parameters: Parameters
  ) -> Bool {
    guard case .fader(let name, let from, let to, _) = self[control], let now = values[name] else {
      return false
    }
    let place = from + (to - from) * MIDIEvent(control, value).place
    return parameters[name]?.value(at: place) == now
  }

  var shownProperties: Set<String> { Set(controls.compactMap { self[$0]?.property }) }
}

extension MIDIAction {
  /// The value that its control should show; nil where there is none.
  fileprivate func shown(
    by control: MIDIControl, _ state: PerformanceState, values: [String: Value],
    _ parameters: Parameters
  ) -> Int? {
    switch self {
    case .fader(let name, let from, let to, _):
      // The velocity of a key is no place where it stands.
      if case .note = control.kind { return nil }
      guard let value = values[name], let place = parameters[name]?.place(of: value), from != to
      else { return nil }
      return MIDIEvent.value(at: (place - from) / (to - from), of: control)
    case .encoder(let name, _, _):
      guard let value = values[name], let place = parameters[name]?.place(of: value) else {
        return nil
      }
      return MIDIEvent.value(at: place, of: control)
    case .crossfade: return MIDIEvent.value(at: state.crossfade, of: control)
    case .press(let move), .hold(let move, _):
      return move.isSo(state, values: values, parameters).map { $0 ? control.top : 0 }
    case .momentary(let name, let value):
      return MIDIAction.press(.set(name, value))
        .shown(by: control, state, values: values, parameters)
    case .presets: return nil
    }
  }
}

extension Move {
  /// Whether what it asks for is so, or its switch is on; nil of a move of which nothing stays.
  fileprivate func isSo(
    _ state: PerformanceState, values: [String: Value], _ parameters: Parameters
  ) -> Bool? {
    switch self {
    case .set(let name, let value):
      guard let wanted = try? parameters[name]?.fit(value) else { return nil }
      return values[name] == wanted
    case .setAll(let wanted):
      return wanted.allSatisfy { name, value in
        (try? parameters[name]?.fit(value)).map { values[name] == $0 } ?? false
      }
    case .toggle(let name): return values[name].map { $0 == .bool(true) }
    case .drive(let name, let drive): return state.drives[name] == drive
    case .preset(let name, _): return state.preset?.lowercased() == name.lowercased()
    case .deck(let deck, let name?): return state.decks[deck]?.lowercased() == name.lowercased()
    case .source(let number, _): return state.source == number
    case .mapSource(let number): return state.mapSource == number
    case .quantize(let beats): return state.quantize == beats
    case .glide(let beats): return state.glide == beats
    case .record: return state.recording != nil
    case .blackout: return state.isBlack
    case .followSound: return state.followsSound
    default: return nil
    }
  }
}
