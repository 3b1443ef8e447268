// JSON values for messages to clients.

import FoundationEssentials
import GStreamer
import SlitScanStage

enum JSON: Sendable, Equatable, Encodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  /// A number, or null for one that JSON has no digits for.
  static func finite(_ number: Double) -> JSON { number.isFinite ? .number(number) : .null }

  static func texts(_ texts: [String]) -> JSON { .array(texts.map { .text($0) }) }

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  init(_ value: GStreamer.Value) {
    if let number = Parameter.number(value) {
      self = .finite(number)
    } else if case .bool(let flag) = value {
      self = .bool(flag)
    } else if case .none = value {
      self = .null
    } else {
      self = .text(Parameter.text(value))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    case .object(let fields): try container.encode(fields)
    }
  }

  /// As it is sent.
  var data: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every number in it is finite, and there is nothing else that could not be written.
    return (try? encoder.encode(self)) ?? Data("null".utf8)
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  init(stringLiteral text: String) { self = .text(text) }
  init(dictionaryLiteral fields: (String, JSON)...) {
    self = .object(Dictionary(fields) { _, last in last })
  }
}
