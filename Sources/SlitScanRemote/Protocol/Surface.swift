// What there is to be moved, as clients are told it.

import GStreamer
import SlitScanStage

/// The knobs that a client gets, from the table of properties: their names, ranges and groups.
enum Surface {
  /// What the page is made from.
  static func description(of knobs: Knobs, presets: [String]) -> JSON {
    [
      "knobs": .array(knobs.all.filter(\.isForEverybody).map { description(of: $0) }),
      "groups": .array(groups.map { .text($0.title) } + [.text(others)]),
      "presets": .array(presets.map { .text($0) }),
    ]
  }

  private static func description(of knob: Knob) -> JSON {
    let property = knob.property
    var fields: [String: JSON] = [
      "name": .text(property.name), "nick": .text(property.nick),
      "summary": .text(property.summary), "group": .text(group(of: property.name)),
      "standard": JSON(property.standard), "unit": .text(unit(of: property)),
    ]
    switch property.kind {
    case .bool: fields["kind"] = "switch"
    case .choice(let nicks):
      fields["kind"] = "choice"
      fields["choices"] = .array(nicks.map { .text($0) })
    case .integer, .natural: fields["kind"] = property.isColor ? "color" : "whole"
    default: fields["kind"] = "number"
    }
    if let reach = knob.reach {
      fields["reach"] = .array([.finite(reach.lowerBound), .finite(reach.upperBound)])
    }
    return .object(fields)
  }

  /// What a number counts, as its sentence says.
  private static func unit(of property: Property) -> String {
    let words = [
      ("nanoseconds", "ns"), ("degrees", "°"), ("in pixels", "px"), ("Frames of", "frames"),
    ]
    return words.first { property.summary.contains($0.0) }?.1 ?? ""
  }

  // MARK: Groups

  private static let others = "More"

  /// What belongs together under a hand; what is not named comes last.
  private static let groups: [(title: String, names: Set<String>)] = [
    ("Scan", ["mode", "map"]),
    ("Play", ["mix", "depth", "gain", "offset", "feedback", "component-spread"]),
    (
      "Map",
      [
        "angle", "center-x", "center-y", "turns", "columns", "rows", "block-size", "seed",
        "motion-threshold", "motion-decay", "map-smoothing", "invert", "edge", "pointer",
      ]
    ),
    ("Time", ["duration", "interpolation", "warmup", "freeze", "drain", "history"]),
    ("Sweep", ["sweep-duration", "sweep-loop", "line-width", "line-color"]),
    ("Strip", ["position", "slit-width", "canvas-length", "canvas"]),
  ]

  private static func group(of name: String) -> String {
    groups.first { $0.names.contains(name) }?.title ?? others
  }
}

extension Property {
  /// Whether its number is a colour, as its sentence says.
  fileprivate var isColor: Bool { summary.contains("0xAARRGGBB") }
}
