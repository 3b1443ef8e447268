// The state of one connected MIDI device. A value.

import GStreamer
import SlitScanStage

struct MIDIDevice: Sendable {
  let name: String
  var map: MIDIMap
  /// The faders of the map, and whether they have their properties.
  var pickups: [MIDIControl: MIDIPickup] = [:]
  var listens = false
  var feedback = MIDIFeedback()
  private var pressed: Set<MIDIControl> = []
  /// The moves to do when controls are released.
  private var releases: [MIDIControl: Move] = [:]

  init(name: String, map: MIDIMap) {
    self.name = name
    self.map = map
  }

  /// Whether an event is a press or the end of one, and not just another value.
  mutating func turns(_ event: MIDIEvent) -> Bool {
    if case .program = event.control.kind { return true }
    // A key may be struck anew without having been released.
    if case .note = event.control.kind, event.isPressed {
      pressed.insert(event.control)
      return true
    }
    return event.isPressed
      ? pressed.insert(event.control).inserted
      : pressed.remove(event.control) != nil
  }

  /// Notes the move to do when a control is released; the first stays, when it is pressed twice.
  mutating func onRelease(of control: MIDIControl, do move: Move) {
    if releases[control] == nil { releases[control] = move }
  }

  mutating func release(_ control: MIDIControl) -> Move? {
    releases.removeValue(forKey: control)
  }

  /// - Returns: The moves of the controls that were held.
  mutating func letGo() -> [Move] {
    defer { (pressed, releases) = ([], [:]) }
    return releases.sorted { $0.key.text < $1.key.text }.map(\.value)
  }
}
