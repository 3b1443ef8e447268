// A MIDI source is a set of ports, a device node or a FIFO that MIDI is read from.

import SlitScanStage

/// A source of MIDI.
public enum MIDISource: Sendable, Hashable {
  /// The ports of ALSA's sequencer: all, or those that have some text in their names.
  case alsa(String? = nil)
  /// The ports of JACK, or of PipeWire in its place: all, or those that have some text in their names.
  ///
  /// PipeWire has ALSA's ports, too: with both, a device would be heard twice.
  case jack(String? = nil)
  /// The bytes of a device node or FIFO.
  case stream(path: String)

  /// A source from text: `alsa` or `jack`, each with `:` and part of a name; anything else is a path.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let name = parts.count > 1 ? parts[1] : nil
    switch parts.first {
    case "alsa": self = .alsa(name)
    case "jack": self = .jack(name)
    default: self = .stream(path: text)
    }
  }

  func makeListener(_ intake: MIDIIntake) -> ListenerThread {
    switch self {
    case .alsa(let name): MIDIPorts.listener(.alsa, name: name, intake)
    case .jack(let name): MIDIPorts.listener(.jack, name: name, intake)
    case .stream(let path): MIDIByteStream.listener(path: path, intake)
    }
  }
}
