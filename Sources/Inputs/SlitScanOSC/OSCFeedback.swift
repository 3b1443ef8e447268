// OSC feedback makes messages from the current state, the same that would set it.

import GStreamer
import SlitScanStage

/// The current state, by address.
struct OSCFeedback: Sendable {
  let parameters: Parameters
  /// The message that an address is told with.
  private var messages: [String: OSCMessage] = [:]

  init(_ state: PerformanceState, _ parameters: Parameters) {
    self.parameters = parameters
    for change in state.changes {
      switch change {
      // A subscriber is told of them when they change.
      case .source, .mapSource: break
      default: _ = note(change)
      }
    }
  }

  /// The message for an address; nil where there is nothing to be told.
  subscript(address: String) -> OSCMessage? { messages[address] }

  /// Every address that there is something to be told of; that a property does not move by itself is
  /// nothing.
  var addresses: [String] { messages.filter { $0.key == $0.value.address }.map(\.key) }

  /// - Returns: The addresses that stand for the change.
  mutating func note(_ change: Change) -> [String] {
    let told = Self.messages(change, parameters)
    for (address, message) in told { messages[address] = message }
    return told.map(\.address)
  }

  /// The addresses that stand for a change, and what each is told with.
  private static func messages(_ change: Change, _ parameters: Parameters) -> [(
    address: String, message: OSCMessage
  )] {
    switch change {
    case .property(let name, let value):
      return values(name, value, parameters[name]).map { ($0.address, $0) }
    case .driven(let name, let drive):
      let address = OSCDialect.address(name, "drive")
      guard let drive else {
        return [(address, OSCMessage(OSCDialect.address(name, "release")))]
      }
      let arguments = drive.words.map { word in
        Double(word).map { OSCArgument.number($0) } ?? .text(word)
      }
      return [(address, OSCMessage(address, arguments))]
    case .preset(let name): return [told("preset", .text(name ?? ""))]
    case .source(let number): return [told("source", .whole(Int64(number)))]
    case .mapSource(let number): return [told("map-source", .whole(Int64(number)))]
    case .tempo(let tempo): return [told("tempo", .number(tempo.beatsPerMinute))]
    case .followsSound(let follows): return [told("follow-sound", .whole(follows ? 1 : 0))]
    case .quantize(let beats): return [told("quantize", .number(beats))]
    case .crossfade(let place): return [told("crossfade", .number(place))]
    case .glide(let beats): return [told("glide", .number(beats))]
    case .recording(let path): return [told("record", .whole(path == nil ? 0 : 1))]
    case .blackout(let isBlack): return [told("blackout", .whole(isBlack ? 1 : 0))]
    default: return []
    }
  }

  private static func told(_ name: String, _ argument: OSCArgument) -> (String, OSCMessage) {
    let address = OSCDialect.address(name)
    return (address, OSCMessage(address, argument))
  }

  /// The value of a property, and its place on a fader where it has one.
  static func values(_ name: String, _ value: Value, _ parameter: Parameter?) -> [OSCMessage] {
    let place = parameter?.place(of: value).map {
      OSCMessage(OSCDialect.address(name, "fade"), .number($0))
    }
    return [message(name, value)] + [place].compactMap(\.self)
  }

  /// The value of a property.
  ///
  /// A switch is 1 or 0, as buttons of controllers are.
  static func message(_ name: String, _ value: Value) -> OSCMessage {
    let argument: OSCArgument =
      switch value {
      case .bool(let flag): .whole(flag ? 1 : 0)
      case .int(let number): .whole(number)
      case .uint(let number): .whole(Int64(clamping: number))
      case .double(let number): .number(number)
      default: .text(Parameter.text(value))
      }
    return OSCMessage(OSCDialect.address(name), argument)
  }

  /// The message for an event that is nothing that lasts; nil for a state.
  ///
  /// Files that were written have addresses of their own: a client that echoes messages must not have
  /// the next one written.
  static func event(_ change: Change) -> OSCMessage? {
    switch change {
    case .warning(let text): OSCMessage(OSCDialect.address("trouble"), .text(text))
    case .notice(let text): OSCMessage(OSCDialect.address("notice"), .text(text))
    case .snapshot(let path):
      OSCMessage(OSCDialect.address("snapshot", "written"), .text(path))
    case .recorded(let path): OSCMessage(OSCDialect.address("record", "written"), .text(path))
    default: nil
    }
  }
}

extension Move {
  /// The address that stands for what it changes; nil where there are several.
  var address: String? {
    switch self {
    case .set(let name, _): return OSCDialect.address(name)
    case .setAll: return nil
    // What moves by itself is told as an animation, or that there is none.
    case .release(let name): return OSCDialect.address(name, "drive")
    default:
      guard let row, let words = row.words(of: self) else { return nil }
      let path = row.isPart ? words.prefix(1) + [row.name] : [row.name]
      return path.map { "/\($0)" }.reduce("/\(OSCDialect.root)", +)
    }
  }
}
