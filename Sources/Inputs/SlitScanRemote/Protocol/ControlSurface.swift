// The surface describes the properties, as controls, from which the page builds itself.

import GStreamer
import SlitScanStage

enum ControlSurface {
  /// The description that the page is made from.
  ///
  /// Addresses of streams are only called streams, see ``PathRedactor``.
  static func description(
    of parameters: Parameters, presets: [String], sources: [String]
  ) -> JSON {
    [
      "knobs": .array(parameters.all.filter(\.isForEverybody).map { description(of: $0) }),
      "groups": .texts(parameters.groups),
      "presets": .texts(presets),
      "sources": Self.sources(sources),
    ]
  }

  /// The names of sources, as clients are told them.
  static func sources(_ names: [String]) -> JSON {
    .texts(names.map { PathRedactor.isStream($0) ? PathRedactor.stream : $0 })
  }

  private static func description(of parameter: Parameter) -> JSON {
    let property = parameter.property
    var fields: [String: JSON] = [
      "name": .text(property.name), "nick": .text(property.nick),
      "summary": .text(property.summary), "group": .text(parameter.group),
      "standard": JSON(property.defaultValue), "unit": .text(parameter.unit),
    ]
    switch property.kind {
    case .bool: fields["kind"] = "switch"
    case .choice(let nicks):
      fields["kind"] = "choice"
      fields["choices"] = .texts(nicks)
    case .integer, .natural: fields["kind"] = parameter.unit == "0xAARRGGBB" ? "color" : "whole"
    default: fields["kind"] = "number"
    }
    if let reach = parameter.reach {
      fields["reach"] = .array([.finite(reach.lowerBound), .finite(reach.upperBound)])
    }
    return .object(fields)
  }
}
