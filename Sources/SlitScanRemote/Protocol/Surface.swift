// The surface describes the properties, as controls, from which the page builds itself.

import GStreamer
import SlitScanStage

/// The knobs that a client gets, from the table of properties: their names, ranges and groups.
enum Surface {
  /// What the page is made from.
  static func description(of knobs: Knobs, presets: [String]) -> JSON {
    [
      "knobs": .array(knobs.all.filter(\.isForEverybody).map { description(of: $0) }),
      "groups": .array(knobs.groups.map { .text($0) }),
      "presets": .array(presets.map { .text($0) }),
    ]
  }

  private static func description(of knob: Knob) -> JSON {
    let property = knob.property
    var fields: [String: JSON] = [
      "name": .text(property.name), "nick": .text(property.nick),
      "summary": .text(property.summary), "group": .text(knob.group),
      "standard": JSON(property.standard), "unit": .text(knob.unit),
    ]
    switch property.kind {
    case .bool: fields["kind"] = "switch"
    case .choice(let nicks):
      fields["kind"] = "choice"
      fields["choices"] = .array(nicks.map { .text($0) })
    case .integer, .natural: fields["kind"] = knob.unit == "0xAARRGGBB" ? "color" : "whole"
    default: fields["kind"] = "number"
    }
    if let reach = knob.reach {
      fields["reach"] = .array([.finite(reach.lowerBound), .finite(reach.upperBound)])
    }
    return .object(fields)
  }
}
