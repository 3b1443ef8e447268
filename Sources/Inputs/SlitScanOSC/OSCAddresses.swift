// The list of OSC addresses, for people and for programs that build control surfaces.

import FoundationEssentials
import GStreamer
import SlitScanStage

/// The OSC addresses, made from the list of properties and presets.
public enum OSCAddresses {
  // MARK: A list

  /// The addresses in columns: the address, what it takes, and what it does; one a line.
  public static func list(_ parameters: Parameters, presets: [String]) -> String {
    let properties = parameters.all.map { parameter in
      (
        OSCDialect.address(parameter.name), types(of: parameter),
        "\(parameter.property.nick): \(parameter.description)"
      )
    }
    let parts = OSCDialect.parts.map {
      (OSCDialect.address("PROPERTY", $0.address), $0.arguments, $0.purpose)
    }
    let verbs = OSCDialect.verbs.map {
      (OSCDialect.address($0.address), $0.arguments, $0.purpose)
    }
    let names = presets.enumerated().map {
      (OSCDialect.address("preset", OSCDialect.part($1)), "", "preset \($0 + 1), \($1)")
    }
    let rows = properties + parts + verbs + names
    let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
    return rows.map { address, arguments, purpose in
      "\(padded(address, widths.0))  \(padded(arguments, widths.1))  \(purpose)\n"
    }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func types(of parameter: Parameter) -> String {
    switch parameter.property.kind {
    case .bool: "1 or 0"
    case .integer, .natural: "i"
    case .number: "f"
    default: "s"
    }
  }

  /// The answer to `/slitscan/list` for a parameter: its name, its values, and the ends of its fader where that
  /// is of numbers.
  static func entry(of parameter: Parameter) -> OSCMessage {
    let ends = parameter.reach.map {
      [OSCArgument.number($0.lowerBound), .number($0.upperBound)]
    }
    return OSCMessage(
      OSCDialect.address("list"),
      [.text(parameter.name), .text(parameter.description)] + (ends ?? []))
  }

  // MARK: A surface

  /// A session of [Open Stage Control](https://openstagecontrol.ammd.net), as JSON.
  ///
  /// It has a fader for each number, buttons for switches, choices and presets, and for everything else
  /// that a show needs.
  ///
  /// ```
  /// open-stage-control --load slitscan.json --send 127.0.0.1:9000 --osc-port 9001
  /// ```
  ///
  /// It subscribes by itself, so what others move moves there.
  public static func openStageControlSession(_ parameters: Parameters, presets: [String]) -> String
  {
    let session = Session(
      content: Widget(
        type: "root", id: "root",
        tabs: [
          tab("Show", show(presets)), tab("Faders", parameters.all.compactMap { fader($0) }),
          tab("Switches", parameters.all.compactMap { button($0) }),
        ],
        onCreate: """
          send('\(OSCDialect.address("subscribe"))')
          setInterval('subscription', () => send('\(OSCDialect.address("subscribe"))'), 20000)
          """))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(session) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  private struct Session: Encodable {
    var createdWith = "Open Stage Control"
    // The first version whose sessions look like this.
    var version = "1.25.0"
    var type = "session"
    let content: Widget
  }

  /// A widget; what is left out is as Open Stage Control has it by itself.
  private struct Widget: Encodable {
    var type: String
    var id: String
    var address: String?
    var label: String?
    var html: String?
    var layout: String?
    var width: Int?
    var height: Int?
    var mode: String?
    var horizontal: Bool?
    var values: [String]?
    var widgets: [Widget]?
    var tabs: [Widget]?
    var onCreate: String?
    var ignoreDefaults: Bool? = true
  }

  private static func tab(_ label: String, _ widgets: [Widget]) -> Widget {
    Widget(
      type: "tab", id: label.lowercased(), label: label, layout: "horizontal", widgets: widgets)
  }

  private static func widget(_ address: String, _ label: String, mode: String) -> Widget {
    Widget(
      type: "button", id: address, address: address, label: label, width: 160, height: 60,
      mode: mode)
  }

  private static func show(_ presets: [String]) -> [Widget] {
    let switches = [("record", "Record"), ("blackout", "Black")]
    let verbs = [
      ("preset/previous", "Previous"), ("preset/next", "Next"), ("snapshot", "Still"),
      ("tap", "Tap"), ("undo", "Undo"), ("redo", "Redo"), ("reset", "Reset"),
    ]
    return verbs.map { widget(OSCDialect.address($0), $1, mode: "momentary") }
      + switches.map { widget(OSCDialect.address($0), $1, mode: "toggle") }
      + presets.map {
        widget(OSCDialect.address("preset", OSCDialect.part($0)), $0, mode: "momentary")
      }
  }

  private static func fader(_ parameter: Parameter) -> Widget? {
    guard parameter.reach != nil else { return nil }
    let address = OSCDialect.address(parameter.name, "fade")
    return Widget(
      type: "fader", id: address, address: address, html: parameter.name, width: 110, height: 300)
  }

  private static func button(_ parameter: Parameter) -> Widget? {
    guard !parameter.choices.isEmpty else { return nil }
    let address = OSCDialect.address(parameter.name)
    guard parameter.property.kind != .bool else {
      return widget(address, parameter.name, mode: "toggle")
    }
    return Widget(
      type: "switch", id: address, address: address, html: parameter.name, width: 160,
      height: 40 * (parameter.choices.count + 1), values: parameter.choices)
  }
}
